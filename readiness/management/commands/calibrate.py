"""Hold the cut-offs of readiness and trust against what became of answers, and change nothing."""

import json
import math
from typing import Any

from django.core.management.base import CommandParser

from facts.commands import KenCommand
from facts.errors import KenError
from readiness.calibrating import ALWAYS, FEWEST, NEVER, CutOff
from readiness.cut_offs import FIGURES, SETTINGS, Calibration, Proposed, calibrate
from readiness.reliability import diagram


class BadShare(KenError):
    """A share of right answers that is none."""

    code = "bad-share"


class Command(KenCommand):
    help = "Propose cut-offs of readiness and trust from the outcomes of answers. Changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        for key, setting in SETTINGS.items():
            parser.add_argument(
                f"--{key.replace('_', '-')}",
                type=float,
                default=100 * setting.target,
                metavar="PERCENT",
                help=f"of answers that should be right from {setting.name} on "
                f"({100 * setting.target:.0f})",
            )
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *_args: Any, **options: Any) -> None:
        targets = {key: options[key] / 100 for key in SETTINGS}
        if not all(0 < share < 1 for share in targets.values()):
            raise BadShare("a share of right answers lies between 0 and 100 percent")
        found = calibrate(targets)
        if options["json"]:
            self.stdout.write(json.dumps(_plain(found)))
            return
        self.stdout.write(
            f"{found.outcomes} outcomes, and {found.left_out} by reuse that say nothing."
        )
        for name, figure in FIGURES.items():
            self.stdout.write(f"\n{figure.name}\n{'from – to':>15} {'count':>7} {'right':>7}")
            for line in diagram(found.tables[name], digits=figure.digits):
                self.stdout.write(line.rstrip())
        self.stdout.write("\nProposed, and nothing is changed:")
        for proposed in found.proposals:
            self.stdout.write(f"  {_told(proposed)}")


def _told(proposed: Proposed) -> str:
    setting, cut_off = proposed.setting, proposed.cut_off
    promise = f"{setting.name} ({100 * setting.target:.0f} % right)"
    in_force = f"in force {proposed.in_force:g}"
    if cut_off is None:
        return f"{promise}: fewer than {FEWEST} outcomes know this figure; {in_force}"
    ends = f"{_figure(cut_off.low, setting.figure)} to {_figure(cut_off.high, setting.figure)}"
    return (
        f"{promise}: {_figure(cut_off.at, setting.figure)}, nine times in ten {ends}; {in_force}"
        f" ({cut_off.method}, {cut_off.outcomes} outcomes)"
    )


def _figure(at: float, figure: str) -> str:
    if at == NEVER:
        return "no figure reaches it"
    if at == ALWAYS:
        return "every figure seen reaches it"
    return f"{at:.{FIGURES[figure].digits + 1}f}"


def _plain(found: Calibration) -> dict[str, Any]:
    return {
        "outcomes": found.outcomes,
        "left_out": found.left_out,
        "tables": {name: [one.as_plain() for one in table] for name, table in found.tables.items()},
        "proposals": [
            {
                "setting": proposed.setting.name,
                "figure": proposed.setting.figure,
                "target": proposed.setting.target,
                "in_force": proposed.in_force,
                **(_plain_cut_off(proposed.cut_off) if proposed.cut_off else {"proposed": None}),
            }
            for proposed in found.proposals
        ],
    }


def _plain_cut_off(cut_off: CutOff) -> dict[str, Any]:
    ends = {"proposed": cut_off.at, "low": cut_off.low, "high": cut_off.high}
    return {
        **{name: round(at, 6) if math.isfinite(at) else _WORDS[at] for name, at in ends.items()},
        "method": cut_off.method,
        "outcomes": cut_off.outcomes,
    }


_WORDS = {NEVER: "never", ALWAYS: "always"}
