"""The library that a job ships with, as a zip: the same content gives the same bytes."""

from __future__ import annotations

import hashlib
import zipfile
from pathlib import Path

from hdictl import assets
from hdictl.drivers.java.jar_lock import lock_file

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


def library_digest() -> str:
    """Changes when a line of what runs on Spark does."""
    digest = hashlib.sha256(entry_point().read_bytes())
    for file in sorted((assets.jobs() / LIBRARY).rglob("*.py")):
        digest.update(file.relative_to(assets.jobs()).as_posix().encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()


def jar_locks(spark: str, *, has_delta: bool) -> list[str]:
    """The locks of the jars that a job needs beside those of a Spark of this version."""
    return [f"spark-{spark}", *([f"delta-{spark}"] if has_delta else [])]


def package_digest(spark: str, *, has_delta: bool) -> str:
    """Of all that a job is submitted with and that is not its own."""
    digest = hashlib.sha256(library_digest().encode())
    for name in jar_locks(spark, has_delta=has_delta):
        digest.update(lock_file(name).read_bytes())
    return digest.hexdigest()


def entry_point() -> Path:
    return assets.jobs() / ENTRY_POINT


def log_settings() -> Path:
    return assets.jobs() / "log4j2.properties"
