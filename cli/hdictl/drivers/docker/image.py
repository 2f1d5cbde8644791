"""Our image of Kafka: built from templates/docker and the pinned jars, once for each content.

No official image of 3.2.0 exists. The tag names everything that went in, so an image of that tag is the right one
and the jars are only asked for when there is none.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from hdictl import assets
from hdictl.drivers import folders
from hdictl.drivers.docker.engine import Engine
from hdictl.drivers.java import jars
from hdictl.drivers.java.jar_lock import lock_file, read_lock
from hdictl.errors import DockerUnavailable
from hdictl.ports.progress import Progress

BASE_VARIABLE: Final = "HDICTL_DOCKER_BASE"
_FILES: Final = ("Dockerfile", "entry.sh", "class-archive.sh", "log4j.properties")


def ensure_image(engine: Engine, version: str, progress: Progress) -> str:
    """The tag of the image for a Kafka version; it is there when this returns."""
    base = engine.environ.get(BASE_VARIABLE, "")
    tag = image_tag(version, base)
    if not engine.succeeds("image", "inspect", tag):
        libraries = jars.ensure(f"kafka-{version}", progress, environ=engine.environ)
        progress.step(f"Building the image {tag}" + (f" on {base}" if base else ""))
        # In the cache folder: there jars can be linked instead of copied, and engines that see only a part
        # of the file system (snap, Docker Desktop) see a person's own folders.
        with TemporaryDirectory(dir=folders.cache(), prefix="docker-") as context:
            _assemble(Path(context), libraries)
            _build(engine, Path(context), tag, base)
    return tag


def image_tag(version: str, base: str) -> str:
    """The lock stands for the jars: it has the sum of each of them."""
    lock = f"kafka-{version}"
    read_lock(lock)  # a version that we have no jars for is refused here
    digest = hashlib.sha256(base.encode())
    for file in (*(assets.template("docker", name) for name in _FILES), lock_file(lock)):
        digest.update(file.read_bytes())
    return f"hdictl-kafka:{version}-{digest.hexdigest()[:12]}"


def _assemble(context: Path, libraries: list[Path]) -> None:
    for name in _FILES:
        shutil.copyfile(assets.template("docker", name), context / name)
    (context / "jars").mkdir()
    for jar in libraries:
        place = context / "jars" / jar.name
        try:
            os.link(jar, place)
        except OSError:  # a file system without links
            shutil.copyfile(jar, place)


def _build(engine: Engine, context: Path, tag: str, base: str) -> None:
    command = ["docker", "build", "--tag", tag]
    environment = {}
    if not engine.succeeds("buildx", "version"):
        # The command line refuses to build at all unless it is told to use the old builder, which in turn
        # leaves its containers behind when a step fails, unless it is told not to.
        environment["DOCKER_BUILDKIT"] = "0"
        command.append("--force-rm")
    if base:
        command += ["--build-arg", f"BASE={base}"]
    try:
        engine.run([*command, str(context)], extra=environment, is_told_in_order=True)
    except DockerUnavailable as error:
        raise DockerUnavailable(
            f"the image could not be built:\n{error.what}",
            where=f"docker build {tag}",
            fix=f"if the base image cannot be pulled, set {BASE_VARIABLE} to one that is here "
            "(Debian or Ubuntu, best with Java 17)",
        ) from error
