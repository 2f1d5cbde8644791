"""A job's document as an argument that nobody on the way rewrites. `unpacked` of jobs/run_pipeline.py reads it.

YARN starts a driver by a shell script, and in its command deletes every `}}`, turns `{{` into `$` and puts something
else for `<CPS>` and `<LOG_DIR>` (Hadoop's ContainerLaunch.expandEnvironment). Nested JSON has `}}` at its end.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Mapping
from typing import Any

PREFIX = "z:"


def packed(document: Mapping[str, Any]) -> str:
    compressed = zlib.compress(json.dumps(document).encode(), 9)
    return PREFIX + base64.urlsafe_b64encode(compressed).decode("ascii")
