"""How often tests kill what they try: a few times, or as often as `make soak` says."""

from __future__ import annotations

import os

KILLS = int(os.environ.get("HDICTL_KILLS", "5"))
