"""Jars that a JVM of Spark on this machine has on its class path from its first moment on.

Those of a job come later, as a cluster has them. An archive of classes holds for one class path: whoever shares one has
the same jars here, used or not.
"""

from __future__ import annotations

from pathlib import Path

from hdictl.drivers.java import jars
from hdictl.ports.progress import Progress


def for_jobs(progress: Progress, cache: Path | None = None) -> list[Path]:
    """The file system that `command.CONFIGURATION` names."""
    return jars.ensure("local-files", progress, cache=cache)


def for_trials(spark: str, progress: Progress, cache: Path | None = None) -> list[Path]:
    connector = jars.ensure(f"spark-{spark}", progress, cache=cache)
    return [*for_jobs(progress, cache), *(jar for jar in connector if "avro" in jar.name)]
