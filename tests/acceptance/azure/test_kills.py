"""hdictl is killed at twenty points of an apply, without warning; the next one completes, and nothing is made twice."""

from __future__ import annotations

import copy
import os
import random
import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.acceptance.azure.stacks import ONE, settled
from tests.fakes.azure import FakeCloud
from tests.workspace import Workspace

POINTS = 20
SEED = 20_26
# Nothing is changed while Azure's dry runs are made: a kill there proves nothing.
APPLY = ("apply", "--yes", *(f"--skip={part}" for part in ("what-if", "validate", "names", "quota", "capabilities")))


def small() -> dict:
    described = copy.deepcopy(ONE)
    del described["clusters"]["jobs"]
    return described


def kill_after(workspace: Workspace, cloud: FakeCloud, requests: int) -> bool:
    """Start an apply and end it by SIGKILL once the cloud has answered so many requests. False: it was faster."""
    child = subprocess.Popen(
        workspace.command(*APPLY),
        cwd=workspace.folder,
        env=workspace.environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    while child.poll() is None and len(cloud.requests) < requests:
        time.sleep(0.002)
    was_killed = child.poll() is None
    if was_killed:
        os.kill(child.pid, signal.SIGKILL)
    child.wait()
    return was_killed


def survives(folder: Path, point: int) -> bool:
    folder.mkdir()
    with FakeCloud() as cloud:
        workspace = settled(Workspace(folder, "azure", cloud.environ()), cloud, small())
        was_killed = kill_after(workspace, cloud, point)
        workspace.run(*APPLY).ok()  # verifies by a new plan, which is empty
        assert len(cloud.created("Microsoft.HDInsight/clusters")) == 1
        assert cloud.duplicates() == [], f"killed after {point} requests: {cloud.duplicates()}"
        assert not cloud.violations, cloud.violations
    return was_killed


def test_an_apply_that_is_killed_anywhere_is_completed_by_the_next(tmp_path):
    with FakeCloud() as cloud:
        (tmp_path / "whole").mkdir()
        workspace = settled(Workspace(tmp_path / "whole", "azure", cloud.environ()), cloud, small())
        workspace.run(*APPLY).ok()
        whole = len(cloud.requests)
    points = random.Random(SEED).sample(range(5, whole), POINTS)
    with ThreadPoolExecutor(2) as pool:
        killed = list(pool.map(lambda point: survives(tmp_path / str(point), point), points))
    # One may end just before its point comes; most must have been killed for the test to mean anything.
    assert sum(killed) >= POINTS * 3 // 4
