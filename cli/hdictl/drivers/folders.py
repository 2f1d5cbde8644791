"""Where hdictl keeps things on this machine.

`HDICTL_CACHE_DIR` (jars, class archives: may be deleted at any time) and `HDICTL_STATE_DIR` (what runs on the
local target, locks) override the platform's own folders. `machine` is one for all: what is there is about this machine,
whatever state somebody keeps where.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import platformdirs


def cache() -> Path:
    return _folder("HDICTL_CACHE_DIR", platformdirs.user_cache_path("hdictl"))


def state() -> Path:
    return _folder("HDICTL_STATE_DIR", platformdirs.user_state_path("hdictl"))


def machine() -> Path:
    folder = Path(tempfile.gettempdir()) / f"hdictl-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder if folder.lstat().st_uid == os.getuid() else state()  # anybody may make folders there


def _folder(variable: str, default: Path) -> Path:
    named = os.environ.get(variable)
    folder = Path(named).expanduser() if named else default
    folder.mkdir(parents=True, exist_ok=True)
    return folder
