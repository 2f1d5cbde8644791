"""Jars that every JVM of Spark on this machine has on its class path from its first moment on.

Those of a job come later, as a cluster has them. An archive of classes holds for one class path: so it is the same for
all, and what one trial has left behind makes the next job start faster as well.
"""

from __future__ import annotations

from pathlib import Path

from hdictl.drivers.java import jars
from hdictl.ports.progress import Progress


def first_jars(spark: str, progress: Progress, cache: Path | None = None) -> list[Path]:
    """The file system that `command.CONFIGURATION` names, and Avro for a Spark of this version."""
    connector = jars.ensure(f"spark-{spark}", progress, cache=cache)
    file_system = jars.ensure("local-files", progress, cache=cache)
    return [*file_system, *(jar for jar in connector if "avro" in jar.name)]
