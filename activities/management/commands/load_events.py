import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedIOBase
from pathlib import Path
from typing import Any, cast

from tqdm import tqdm

from activities import loading
from activities.lines import lines, unpacked
from facts.commands import KenCommand
from facts.errors import NothingTaken, UnreadableFile
from facts.wording import counted


class Command(KenCommand):
    help = "Take in events, JSON lines of account, person, action and at; packed by gzip or not."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help="- for standard input")
        parser.add_argument("--json", action="store_true", dest="as_json")

    def handle(self, *, file: str, as_json: bool, **_options: Any) -> None:
        with self.telling_new_accounts(), opened(file) as raw:
            total = None if file == "-" else Path(file).stat().st_size
            with tqdm(total=total, unit="B", unit_scale=True, disable=None) as bar:
                for batch in loading.load(lines(unpacked(raw))):
                    if total:
                        bar.update(raw.tell() - bar.n)
                    bar.clear()
                    for line, reason in batch.refused:
                        self.stderr.write(f"line {line}: {reason}")
                    told = batch.summary
        self.stdout.write(
            json.dumps(told)
            if as_json
            else "{accepted} accepted, {folded} folded, {unmapped} unmapped, "
            "{on_behalf} on behalf of somebody, {refused} refused.".format(**told)
        )
        if told["refused"] and not any(told[kept] for kept in ("accepted", "folded", "unmapped")):
            raise NothingTaken(f"nothing was accepted; {counted(told['refused'], 'line')} refused")


@contextmanager
def opened(file: str) -> Iterator[BufferedIOBase]:
    """The bytes of a file, or of standard input for ``-``. Raises UnreadableFile."""
    if file == "-":
        yield cast("BufferedIOBase", sys.stdin.buffer)
        return
    try:
        stream = open(file, "rb")  # noqa: SIM115 - closed below
    except OSError as fault:
        raise UnreadableFile(f"{file} can't be read: {fault.strerror}") from None
    with stream:
        yield stream
