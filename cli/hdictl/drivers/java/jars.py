"""The jars of a lock, from the cache. What is missing or damaged is fetched; a warm cache starts no JVM.

A jar's SHA-256 is computed when it enters the cache. A stamp beside it holds the sum and the file's time and
size, so that later a look at the file's metadata is enough to see that nobody touched it.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from filelock import FileLock

from hdictl.drivers import folders
from hdictl.drivers.disk_space import require_space
from hdictl.drivers.java import ivy
from hdictl.drivers.java.jar_lock import LockedJar, read_lock, sha256_of
from hdictl.errors import DiskFull, HdictlError, JarsUnavailable
from hdictl.ports.progress import Progress

_ATTEMPTS = 2  # a download cut short, or a mirror that served an error page, deserves a second one


def ensure(
    lock_name: str,
    progress: Progress,
    *,
    environ: Mapping[str, str] = os.environ,
    cache: Path | None = None,
) -> list[Path]:
    """The paths of a lock's jars, in the lock's order, each of them verified."""
    return ensure_jars(read_lock(lock_name), progress, environ=environ, cache=cache)


def ensure_jars(
    jars: Sequence[LockedJar],
    progress: Progress,
    *,
    environ: Mapping[str, str] = os.environ,
    cache: Path | None = None,
) -> list[Path]:
    folder = (cache or folders.cache()) / "jars"
    if not all(_is_verified(folder, jar) for jar in jars):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with FileLock(folder / ".lock"):
                _repair(folder, jars, progress, environ)
        except OSError as error:
            raise _folder_failure(folder, error) from error
    return [folder / jar.path for jar in jars]


def _repair(folder: Path, jars: Sequence[LockedJar], progress: Progress, environ: Mapping[str, str]) -> None:
    missing = [jar for jar in jars if not _is_sound(folder, jar)]
    wrong: dict[LockedJar, str] = {}
    for attempt in range(_ATTEMPTS):
        if not missing:
            return
        # Twice: once in Ivy's cache, once where it is checked.
        size = 2 * sum(jar.size for jar in missing)
        require_space(folder, size, what="the download of jars", variable="HDICTL_CACHE_DIR")
        with TemporaryDirectory(dir=folder, prefix=".fetch-") as arrivals:
            try:
                ivy.fetch(missing, Path(arrivals), progress, environ)
            except JarsUnavailable:
                if attempt + 1 == _ATTEMPTS:
                    raise
            wrong = _admit(missing, Path(arrivals), folder)
        missing = [jar for jar in missing if not _is_verified(folder, jar)]
    if missing:
        raise _wrong_sums(wrong, missing)


def _admit(jars: Sequence[LockedJar], arrivals: Path, folder: Path) -> dict[LockedJar, str]:
    """Move what is right into the cache. Returns the sums of what is wrong."""
    wrong = {}
    for jar in jars:
        arrived = arrivals / jar.path
        if not arrived.is_file():
            continue
        found = sha256_of(arrived)
        if found != jar.sha256:
            wrong[jar] = found
            continue
        place = folder / jar.path
        place.parent.mkdir(parents=True, exist_ok=True)
        arrived.replace(place)
        _stamp(place, jar)
    return wrong


def _is_sound(folder: Path, jar: LockedJar) -> bool:
    """Verified before, or whole after all; a damaged file is removed."""
    if _is_verified(folder, jar):
        return True
    place = folder / jar.path
    if place.is_file() and place.stat().st_size == jar.size and sha256_of(place) == jar.sha256:
        _stamp(place, jar)  # copied here by hand, or the stamp was lost
        return True
    place.unlink(missing_ok=True)
    return False


def _is_verified(folder: Path, jar: LockedJar) -> bool:
    place = folder / jar.path
    try:
        return place.stat().st_size == jar.size and _stamp_file(place).read_text() == _stamp_text(place, jar)
    except OSError:
        return False


def _stamp(place: Path, jar: LockedJar) -> None:
    draft = _stamp_file(place).with_suffix(".draft")
    draft.write_text(_stamp_text(place, jar))
    draft.replace(_stamp_file(place))


def _stamp_file(place: Path) -> Path:
    return place.with_name(f"{place.name}.verified")


def _stamp_text(place: Path, jar: LockedJar) -> str:
    return f"{jar.sha256} {place.stat().st_mtime_ns}\n"


def _wrong_sums(wrong: Mapping[LockedJar, str], missing: Sequence[LockedJar]) -> JarsUnavailable:
    lines = [
        f"{jar}: expected SHA-256 {jar.sha256}, found {wrong[jar]}" if jar in wrong else f"{jar}: did not arrive"
        for jar in missing
    ]
    return JarsUnavailable(
        "not what the lock says, twice: " + "; ".join(lines),
        where="jars",
        fix=f"the repository serves other files than it should: name another one by {ivy.MIRROR}, "
        "and tell whoever runs it",
    )


def _folder_failure(folder: Path, error: OSError) -> HdictlError:
    if error.errno == errno.ENOSPC:
        return DiskFull("no space left for jars", where=str(folder), fix="make room, or set HDICTL_CACHE_DIR")
    return JarsUnavailable(
        f"the jar cache cannot be used: {error.strerror or error}",
        where=str(folder),
        fix="make the folder writable, or set HDICTL_CACHE_DIR to one that is",
    )
