"""The library that a job ships with, as a zip: the same content gives the same bytes."""

from __future__ import annotations

import zipfile
from pathlib import Path

from hdictl import assets

ENTRY_POINT = "run_pipeline.py"
LIBRARY = "streamkit"
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the first moment that a zip can name


def write_library(destination: Path) -> Path:
    root = assets.jobs()
    files = sorted(path for path in (root / LIBRARY).rglob("*.py"))
    with zipfile.ZipFile(destination, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in files:
            entry = zipfile.ZipInfo(file.relative_to(root).as_posix(), date_time=_EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, file.read_bytes())
    return destination


def entry_point() -> Path:
    return assets.jobs() / ENTRY_POINT


def log_settings() -> Path:
    return assets.jobs() / "log4j2.properties"
