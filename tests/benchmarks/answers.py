"""What proven answers are served rightly: ``python -m tests.benchmarks.answers [PAIRS] [SEED]``.

Makes pairs of a question and a stored query by spelling the question in other words and by
changing what it means, judges them, and runs every served pair in PostgreSQL on several small
random databases, in schemas of a database of its own. It prints how many pairs were served
wrongly, what share of the truly equal ones was served, and what analysing and judging cost, and
exits with 1 where a pair is served wrongly or fewer than 85 % of the equal ones are served.
"""

import os
import statistics
import sys

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.db import connection  # noqa: E402
from tqdm import tqdm  # noqa: E402

from tests.facts.answers.fuzzing.running import Figures, run  # noqa: E402

PAIRS = 20_000
LEAST = 0.85  # of the equal pairs


def main(number: int, seed: int) -> int:
    name = connection.settings_dict["NAME"]
    connection.creation.create_test_db(verbosity=0, autoclobber=True)
    try:
        connection.ensure_connection()
        with tqdm(total=number, unit=" pairs", disable=None) as bar:
            figures = run(connection.connection, seed=seed, number=number, progress=bar.update)
    finally:
        connection.creation.destroy_test_db(name, verbosity=0)
    _print(figures)
    return 0 if not figures.unsound and figures.served_of_equal >= LEAST else 1


def _print(figures: Figures) -> None:
    for title, lines in (
        ("unsound", figures.unsound),
        ("unstated", figures.unstated),
        ("failed to run", figures.failed),
        ("equal and refused", figures.missed),
    ):
        print(f"{title}: {len(lines)}")
        for line in lines[: int(os.environ.get("SHOWN", "5"))]:
            print(f"  {line}")
    for kind, number in sorted(figures.pairs.items()):
        said = ", ".join(
            f"{verdict} {count}"
            for (of, verdict), count in sorted(figures.verdicts.items())
            if of == kind
        )
        print(f"{kind}: {number} pairs ({said})")
    print("unreadable:", dict(figures.unread.most_common(40)))
    print(f"equal pairs served: {figures.served_of_equal:.1%}")
    for title, found in (("analysing", figures.analysing), ("judging", figures.judging)):
        tenth = sorted(found)[len(found) // 10]  # what it costs where nothing else runs
        print(f"{title}: median {statistics.median(found):.0f} us, fastest tenth {tenth:.0f} us")


if __name__ == "__main__":
    given = [int(one) for one in sys.argv[1:3]]
    sys.exit(main(*(given + [PAIRS, 1][len(given) :])))
