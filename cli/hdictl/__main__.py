"""`hdictl`, and `python -m hdictl`: Ctrl-C is listened to before the rest of the program is loaded."""

from __future__ import annotations

import sys

from hdictl import interrupt


def start() -> None:
    sys.exit(interrupt.obeyed(_run))


def _run() -> int:
    from hdictl.main import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    start()
