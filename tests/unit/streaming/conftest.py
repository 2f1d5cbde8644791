"""Copies of the pipelines that ship, to be changed and looked at."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from hdictl import assets

Copy = Callable[[str], Path]


@pytest.fixture
def copied(tmp_path: Path) -> Copy:
    def copy(name: str) -> Path:
        return Path(shutil.copytree(assets.pipeline(name), tmp_path / name))

    return copy
