"""Jar locks: which jars, exactly. `templates/jars/<name>.lock`, one jar a line, no download addresses.

org.apache.kafka:kafka-clients:3.2.0 sha256=9f… size=4941003
"""

from __future__ import annotations

import hashlib
import re
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from hdictl import assets
from hdictl.errors import JarsUnavailable, TargetUnsupported

_LINE = re.compile(
    r"(?P<group>[\w.-]+):(?P<artifact>[\w.-]+):(?P<version>[\w.-]+)"
    r"(?: sha256=(?P<sha256>[0-9a-f]{64}) size=(?P<size>\d+))?"
)


@dataclass(frozen=True)
class LockedJar:
    group: str
    artifact: str
    version: str
    sha256: str = ""
    size: int = 0

    def __str__(self) -> str:
        return f"{self.group}:{self.artifact}:{self.version}"

    @property
    def path(self) -> Path:
        """Where it lies in a folder of jars."""
        return Path(self.group, f"{self.artifact}-{self.version}.jar")


def lock_file(name: str) -> Path:
    return assets.template("jars", f"{name}.lock")


def read_lock(name: str) -> tuple[LockedJar, ...]:
    file = lock_file(name)
    if not file.is_file():
        known = ", ".join(sorted(other.stem for other in file.parent.glob("*.lock")))
        raise TargetUnsupported(f"hdictl has no jars for `{name}`", where="jars", fix=f"there are: {known}")
    jars = parse_lock(file.read_text(), where=file.name)
    unlocked = [str(jar) for jar in jars if not jar.sha256]
    if unlocked:
        raise JarsUnavailable(f"no SHA-256 for {', '.join(unlocked)}", where=file.name, fix="make the lock again")
    return jars


def parse_lock(text: str, *, where: str) -> tuple[LockedJar, ...]:
    jars = []
    for number, line in enumerate(text.splitlines(), start=1):
        content = line.partition("#")[0].strip()
        if not content:
            continue
        found = _LINE.fullmatch(content)
        if found is None:
            raise JarsUnavailable(
                f"not a locked jar: `{content}`",
                where=f"{where}:{number}",
                fix="write group:artifact:version sha256=… size=…",
            )
        group, artifact, version, sha256, size = found.group("group", "artifact", "version", "sha256", "size")
        jars.append(LockedJar(group, artifact, version, sha256 or "", int(size or 0)))
    return tuple(jars)


def to_lock(jars: Iterable[LockedJar]) -> str:
    return "".join(f"{jar} sha256={jar.sha256} size={jar.size}\n" for jar in sorted(jars, key=str))


def sha256_of(file: Path) -> str:
    digest = hashlib.sha256()
    with file.open("rb") as stream:
        while chunk := stream.read(1 << 20):
            digest.update(chunk)
    return digest.hexdigest()


def relock(name: str) -> None:
    """Fetch what the lock names, whatever its sums were, and write the lock again with the sums found.

    For maintainers: a new jar is a new line `group:artifact:version`.
    """
    from hdictl.drivers.java.ivy import fetch
    from hdictl.ports.progress import Silent

    file = lock_file(name)
    comments = "".join(line for line in file.read_text().splitlines(keepends=True) if line.startswith("#"))
    with tempfile.TemporaryDirectory() as folder:
        found = []
        wanted = parse_lock(file.read_text(), where=file.name)
        fetch(wanted, Path(folder), Silent())
        for jar in wanted:
            path = Path(folder) / jar.path
            found.append(LockedJar(jar.group, jar.artifact, jar.version, sha256_of(path), path.stat().st_size))
    file.write_text(comments + to_lock(found))
