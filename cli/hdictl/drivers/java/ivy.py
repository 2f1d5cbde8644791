"""Fetch jars through Apache Ivy, which ships inside pyspark: nothing else has to be installed.

Every jar is asked for by itself (`transitive="false"`) and no POM is read: the lock is the resolution.
Ivy's own default is Maven Central. `HDICTL_MAVEN_MIRROR` names another repository root, `HDICTL_IVY_SETTINGS`
a settings file of the user's own, for those whose repository wants credentials or a proxy.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.etree.ElementTree import Element, SubElement, tostring  # only ever written here, never parsed

from hdictl.drivers.java import trust_store
from hdictl.drivers.java.find import find_java
from hdictl.drivers.java.jar_lock import LockedJar
from hdictl.errors import DiskFull, JarsUnavailable
from hdictl.ports.progress import Progress

MIRROR = "HDICTL_MAVEN_MIRROR"
SETTINGS = "HDICTL_IVY_SETTINGS"
_UNTRUSTED = "PKIX path building failed"
_OFFLINE_FIX = (
    f"check the connection and run the command again; behind a mirror, set {MIRROR} to its root"
    f" or {SETTINGS} to your ivysettings.xml"
)


def fetch(jars: Sequence[LockedJar], into: Path, progress: Progress, environ: Mapping[str, str] = os.environ) -> None:
    """Download each jar to `into/<jar.path>`. What arrives is not trusted: see `jars`."""
    java = find_java(environ).executable
    with TemporaryDirectory(dir=into, prefix="ivy-") as work, progress.track("Downloading jars", len(jars)) as advance:
        arguments = _arguments(jars, into, Path(work), environ)
        code, output = _run([str(java), *arguments], on_jar=lambda: advance(1))
        if code != 0 and _UNTRUSTED in "".join(output):
            store = Path(work) / "authorities.p12"
            if trust_store.write_trust_store(store):
                code, output = _run([str(java), *trust_store.options(store), *arguments], lambda: advance(1))
    if code != 0:
        raise _failure(output, into)


def _arguments(jars: Sequence[LockedJar], into: Path, work: Path, environ: Mapping[str, str]) -> list[str]:
    request = work / "ivy.xml"
    _write(request, _request(jars))
    named = environ.get(SETTINGS)
    if named:
        settings = Path(named).expanduser()
        if not settings.is_file():
            raise JarsUnavailable(f"`{settings}` does not exist", where=SETTINGS, fix="correct it, or unset it")
    else:
        settings = work / "ivysettings.xml"
        _write(settings, _settings(environ.get(MIRROR)))
    return [
        "-XX:TieredStopAtLevel=1",
        f"-Divy.default.ivy.user.dir={work}",  # the user's ~/.ivy2 stays as it is
        *("-jar", str(_ivy_jar()), "-settings", str(settings), "-ivy", str(request), "-cache", str(work / "cache")),
        *("-types", "jar", "-retrieve", f"{into}/[organisation]/[artifact]-[revision].[ext]"),
    ]


def _ivy_jar() -> Path:
    # Found without importing pyspark, which takes half a second.
    pyspark = find_spec("pyspark")
    folders = list(pyspark.submodule_search_locations or ()) if pyspark else []
    for folder in folders:
        for jar in Path(folder, "jars").glob("ivy-*.jar"):
            return jar
    raise JarsUnavailable("pyspark, which carries Ivy, is not installed", where="jars", fix="pip install hdictl again")


def _request(jars: Sequence[LockedJar]) -> Element:
    module = Element("ivy-module", version="2.0")
    SubElement(module, "info", organisation="hdictl", module="jars")
    SubElement(SubElement(module, "configurations"), "conf", name="default")
    dependencies = SubElement(module, "dependencies")
    for jar in jars:
        attributes = {"org": jar.group, "name": jar.artifact, "rev": jar.version, "conf": "default->*"}
        dependency = SubElement(dependencies, "dependency", attributes, transitive="false")
        # Some POMs call their jar a bundle; POMs are not read, so it is said here.
        SubElement(dependency, "artifact", name=jar.artifact, type="jar", ext="jar")
    return module


def _settings(mirror: str | None) -> Element:
    root = Element("ivysettings")
    SubElement(root, "settings", defaultResolver="repository")
    limits = {"connectionTimeout": "15000", "readTimeout": "60000"}
    SubElement(root, "timeout-constraints").append(Element("timeout-constraint", {"name": "patience", **limits}))
    # No checksums from the repository: a lock that came with the program says more than a file beside the jar.
    quick = {"m2compatible": "true", "usepoms": "false", "useMavenMetadata": "false", "checksums": ""}
    where = {"root": mirror} if mirror else {}
    resolver = {"name": "repository", "timeoutConstraint": "patience", **quick, **where}
    SubElement(SubElement(root, "resolvers"), "ibiblio", resolver)
    return root


def _write(file: Path, root: Element) -> None:
    file.write_bytes(tostring(root))


def _run(command: Sequence[str], on_jar: Callable[[], None]) -> tuple[int, list[str]]:
    output = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            for line in process.stdout or ():
                output.append(line.strip())
                if "[SUCCESSFUL" in line:
                    on_jar()
        except BaseException:
            process.kill()
            raise
    return process.returncode, output


def _failure(output: Sequence[str], into: Path) -> JarsUnavailable | DiskFull:
    text = _without_credentials("\n".join(output))
    if "No space left on device" in text:
        return DiskFull("no space left while downloading jars", where=str(into), fix="make room, run it again")
    if _UNTRUSTED in text:
        return JarsUnavailable(
            "neither Java nor this system trusts the repository's certificate",
            where="jars",
            fix="add your company's authority to the system's, or name its file by SSL_CERT_FILE",
        )
    unreachable = re.search(r"((?:UnknownHost|Connect|SocketTimeout|NoRouteToHost|SSL\w*)Exception[^\n]*)", text)
    if unreachable:
        reason = unreachable.group(1).strip()
        return JarsUnavailable(f"the repository does not answer ({reason})", where="jars", fix=_OFFLINE_FIX)
    missing = sorted(set(re.findall(r"(?:module|artifact) not found: ([^\s!]+)", text)))
    if missing:
        names = ", ".join(name.replace("#", ":").replace(";", ":") for name in missing)
        return JarsUnavailable(f"the repository does not have {names}", where="jars", fix=_OFFLINE_FIX)
    last = " / ".join(line for line in text.splitlines() if line)[-300:]
    return JarsUnavailable(f"Ivy failed: {last}", where="jars", fix=_OFFLINE_FIX)


def _without_credentials(text: str) -> str:
    """A mirror's address may carry a password, and Ivy repeats addresses."""
    return re.sub(r"//[^/@\s]+@", "//…@", text)
