"""A small chart of an answer's trust, drawn as SVG: attributes and classes only, no script."""

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from facts.answers.history import CONFIRMED, REFUTED, Course

LOWEST, HIGHEST = 0.65, 0.95  # of trust, at the chart's feet and head; beyond them it is cut
WIDTH, HEIGHT, MARGIN = 120, 32, 3


def evidence_chart(course: Course, *, believed: float) -> SafeString:
    """The line of trust, where belief begins, and a mark for each counted event.

    A dot confirms, a cross refutes; the words of the label say what the picture does.
    """
    last = len(course.numbers) - 1
    points = " ".join(
        f"{_x(place / last)},{_y(number)}"
        for place, number in enumerate(course.numbers)
        if number is not None
    )
    now = course.numbers[-1]
    words = "Nothing was counted yet"
    if now is not None:
        words = (
            f"Trust {now:.2f} now; {course.count(CONFIRMED)} confirmed and"
            f" {course.count(REFUTED)} refuted since {course.start:%Y-%m-%d}"
        )
    return format_html(
        '<svg class="evidence" viewBox="0 0 {} {}" role="img" aria-label="{}"><title>{}</title>'
        '<line class="evidence-believed" x1="0" x2="{}" y1="{}" y2="{}"/>'
        '<polyline class="evidence-trust" points="{}"/>{}</svg>',
        *(WIDTH, HEIGHT, words, words),
        *(WIDTH, _y(believed), _y(believed)),
        *(points, _marks(course)),
    )


def _marks(course: Course) -> SafeString:
    span = (course.end - course.start).total_seconds() or 1.0
    last = len(course.numbers) - 1
    marks = []
    for event in course.events:
        share = (event.at - course.start).total_seconds() / span
        x, y = _x(share), _y(course.numbers[min(round(share * last) + 1, last)] or LOWEST)
        cross = f"M{x - 2} {y - 2}l4 4m0 -4l-4 4"
        marks.append((event.outcome, cross if event.outcome == REFUTED else _dot(x, y)))
    return format_html_join("", '<path class="evidence-{}" d="{}"/>', marks)


def _dot(x: float, y: float) -> str:
    return f"M{x - 1.5} {y}a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0 -3 0"


def _x(share: float) -> float:
    return round(MARGIN + (WIDTH - 2 * MARGIN) * share, 1)


def _y(number: float) -> float:
    share = (min(max(number, LOWEST), HIGHEST) - LOWEST) / (HIGHEST - LOWEST)
    return round(HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * share, 1)
