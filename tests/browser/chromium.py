"""Which browser the tests use, and how it is started."""

import os
import shutil

# Any of these that is installed; CHROMIUM names another.
_NAMES = ("chromium", "chromium-browser", "google-chrome")

FLAGS = [
    "--no-sandbox",  # a container's root has none
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def path() -> str | None:
    """The program of the browser, or None where this machine has none."""
    return next(filter(None, map(shutil.which, (os.environ.get("CHROMIUM", ""), *_NAMES))), None)


REASON = (
    "no Chromium on this machine: install it (apt-get install chromium on Debian) "
    "or name its program in the variable CHROMIUM"
)
