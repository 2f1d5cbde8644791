"""Spark's classes, prepared for loading: an archive in the cache that makes a JVM start in half the time.

Nothing depends on it. The first run that ends well leaves one behind; a JVM that cannot use it starts without.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from hdictl.drivers.java import Java

# The dynamic archives that are written at exit came with Java 13.
_FIRST_JAVA = 13


@dataclass(frozen=True)
class ClassArchive:
    file: Path
    draft: Path  # written while the JVM ends; of this run alone
    is_supported: bool

    def java_options(self) -> list[str]:
        if not self.is_supported:
            return []
        if self.file.is_file():
            return [f"-XX:SharedArchiveFile={self.file}", "-Xshare:auto", "-Xlog:cds=off", "-Xlog:class+path=off"]
        return [f"-XX:ArchiveClassesAtExit={self.draft}", "-Xlog:cds=off", "-Xlog:cds+dynamic=off"]

    def keep(self, *, ended_well: bool) -> None:
        """Publish what the run has written, or throw it away."""
        if ended_well and self.draft.is_file() and self.draft.stat().st_size:
            self.draft.replace(self.file)
        self.draft.unlink(missing_ok=True)


def class_archive(cache: Path, java: Java, spark_version: str, run: str) -> ClassArchive:
    folder = cache / "class-archives"
    folder.mkdir(parents=True, exist_ok=True)
    name = f"spark-{spark_version}-java-{java.version}"
    return ClassArchive(folder / f"{name}.jsa", folder / f"{name}.{run}.draft", java.line >= _FIRST_JAVA)
