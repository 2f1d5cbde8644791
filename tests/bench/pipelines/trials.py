"""`hdictl pipeline test` of each pipeline that ships, as a person runs it: from the command to green."""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from hdictl.drivers import folders
from hdictl.drivers.pipeline_folders import shipped_pipelines
from tests.waiting import until


def measure(repeats: int) -> dict[str, Any]:
    hdictl = Path(sys.executable).with_name("hdictl")
    found = {}
    for pipeline in [folder.name for folder in shipped_pipelines()]:
        seconds = []
        # The first leaves an archive of classes behind after it has told its result: it is waited for, not counted.
        for _repeat in range(repeats + 1):
            with tempfile.TemporaryDirectory() as folder:
                begun = time.monotonic()
                subprocess.run([hdictl, "pipeline", "test", pipeline], cwd=folder, capture_output=True, check=True)
                seconds.append(time.monotonic() - begun)
            until(lambda: not list(folders.cache().glob("class-archives/*.draft")))
            time.sleep(1)
        found[pipeline] = {"first": seconds[0], "median": statistics.median(seconds[1:]), "most": max(seconds[1:])}
        print(f"   {pipeline:24} {found[pipeline]['median']:5.1f} s, first {seconds[0]:.1f} s", flush=True)
    return found
