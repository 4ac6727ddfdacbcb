"""Run a program that ends, with all it started, when the process that asked for it ends.

``python -m readiness.starting.tied PARENT COMMAND...``: the head of a process group. It forwards
SIGTERM and SIGINT, waits for the command, ends what is left of the group and ends with its status.
"""

import os
import signal
import subprocess
import sys
import threading
from types import FrameType

_LOOK = 0.5  # seconds between two looks at the parent


def main(parent: int, command: list[str]) -> int:
    """Run ``command`` until it ends or ``parent`` does; its exit status."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL)

    def forward(number: int, _frame: FrameType | None) -> None:
        process.send_signal(number)

    signal.signal(signal.SIGTERM, forward)
    signal.signal(signal.SIGINT, forward)
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(_LOOK):
            if os.getppid() != parent:
                os.killpg(os.getpgrp(), signal.SIGKILL)

    threading.Thread(target=watch, daemon=True).start()
    status = process.wait()
    ended.set()
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.killpg(os.getpgrp(), signal.SIGTERM)
    return status if status >= 0 else 128 - status


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2:]))
