"""Where hdictl keeps things on this machine.

`HDICTL_CACHE_DIR` (jars, class archives: may be deleted at any time) and `HDICTL_STATE_DIR` (what runs on the
local target, locks) override the platform's own folders.
"""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs


def cache() -> Path:
    return _folder("HDICTL_CACHE_DIR", platformdirs.user_cache_path("hdictl"))


def state() -> Path:
    return _folder("HDICTL_STATE_DIR", platformdirs.user_state_path("hdictl"))


def _folder(variable: str, default: Path) -> Path:
    named = os.environ.get(variable)
    folder = Path(named).expanduser() if named else default
    folder.mkdir(parents=True, exist_ok=True)
    return folder
