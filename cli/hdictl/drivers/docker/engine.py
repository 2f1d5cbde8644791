"""The `docker` command line, and what goes wrong with it, in words.

The command line rather than an HTTP client: it knows contexts, DOCKER_HOST, ssh hosts and credentials, as the
person who uses it has set them up.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from hdictl.drivers.docker.labels import INSTANCE, Container, to_container
from hdictl.errors import DiskFull, DockerUnavailable, HdictlError, PortInUse

_COLOUR: Final = re.compile(r"\x1b\[[0-9;]*m")
_PATIENCE: Final = 60.0  # seconds for a question; an engine that is slower than that hangs
_NO_ENGINE: Final = ("cannot connect to the docker daemon", "is the docker daemon running", "error during connect")
_PORT_TAKEN: Final = ("port is already allocated", "address already in use", "ports are not available")


class Engine:
    def __init__(self, environ: Mapping[str, str] = os.environ) -> None:
        self.environ = environ

    def require(self) -> None:
        """Fail early, and with a next step, where no engine can be used."""
        if self.find("docker") is None:
            raise DockerUnavailable(
                "there is no `docker` command",
                where="docker",
                fix="install Docker (Docker Desktop, or docker.io on Debian), or use `--target local`",
            )
        self.call("version", "--format", "{{.Server.Version}}")

    def find(self, program: str) -> str | None:
        return shutil.which(program, path=self.environ.get("PATH", ""))

    def call(self, *arguments: str, timeout: float | None = _PATIENCE) -> str:
        return self.run(["docker", *arguments], timeout=timeout)

    def run(
        self,
        command: Sequence[str],
        *,
        timeout: float | None = None,
        extra: Mapping[str, str] | None = None,
        is_told_in_order: bool = False,
    ) -> str:
        """Run a command of Docker's to its end and return what it printed.

        `is_told_in_order` mixes its two outputs, so that the last lines are the last ones.
        In a session of its own: on Ctrl-C it is we who end it and clean up, with nobody else at work meanwhile.
        """
        process = self._start(command, stderr=subprocess.STDOUT if is_told_in_order else subprocess.PIPE, extra=extra)
        try:
            output, complaint = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired as error:
            raise _hanging(command, error.timeout) from error
        finally:
            _end(process)
        if process.returncode != 0:
            raise failure(command, f"{output}\n{complaint or ''}")
        return output

    def lines(self, *arguments: str) -> Iterator[str]:
        """What a command prints, standard error included, as it comes. Ends with the caller's interest."""
        process = self._start(["docker", *arguments], stderr=subprocess.STDOUT)
        try:
            if process.stdout is not None:
                yield from (line.rstrip("\r\n") for line in process.stdout)
        finally:
            _end(process)

    def succeeds(self, *arguments: str) -> bool:
        try:
            self.call(*arguments)
        except HdictlError:
            return False
        return True

    def containers(self, instance: str) -> tuple[Container, ...]:
        ids = self._ids("ps", instance, "--all")
        if not ids:
            return ()
        found: list[dict[str, Any]] = json.loads(self.call("inspect", "--type", "container", *ids))
        return tuple(map(to_container, found))

    def volumes(self, instance: str) -> frozenset[str]:
        return frozenset(self._ids("volume ls", instance))

    def networks(self, instance: str) -> frozenset[str]:
        return frozenset(self._ids("network ls", instance))

    def remove(self, containers: Sequence[str], volumes: Sequence[str], networks: Sequence[str]) -> None:
        """By force, in the one order that works. What is gone already is no failure."""
        for verb, names in (
            (("rm", "--force", "--volumes"), containers),
            (("network", "rm"), networks),
            (("volume", "rm", "--force"), volumes),
        ):
            if names:
                self.call(*verb, *names)

    def _ids(self, what: str, instance: str, *options: str) -> list[str]:
        return self.call(*what.split(), *options, "--quiet", "--filter", f"label={INSTANCE}={instance}").split()

    def _start(
        self, command: Sequence[str], *, stderr: int, extra: Mapping[str, str] | None = None
    ) -> subprocess.Popen[str]:
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=stderr,
            env={**self.environ, **(extra or {})},
            text=True,
            errors="replace",
            start_new_session=True,
        )


def failure(command: Sequence[str], complaint: str) -> HdictlError:
    """The error that a failed command of Docker's stands for."""
    said = complaint.lower()
    last = last_lines(complaint)
    where = " ".join(command[:3])
    if any(words in said for words in _NO_ENGINE):
        return DockerUnavailable(
            "no Docker engine answers",
            where="docker",
            fix="start Docker Desktop, or `sudo systemctl start docker`; DOCKER_HOST names an engine elsewhere",
        )
    if "permission denied" in said and ("docker.sock" in said or "docker daemon socket" in said):
        return DockerUnavailable(
            "you may not talk to the Docker engine",
            where="docker",
            fix="`sudo usermod -aG docker $USER`, then log in again",
        )
    if "no space left on device" in said:
        return DiskFull("the Docker engine has no space left", where=where, fix="`docker system prune`, or make room")
    if any(words in said for words in _PORT_TAKEN):
        return PortInUse(last, where=where, fix="run the command again, or give the cluster another `port`")
    return DockerUnavailable(last, where=where, fix="`docker info` shows how the engine is")


def last_lines(text: str, count: int = 10) -> str:
    lines = [line.rstrip() for line in _COLOUR.sub("", text).splitlines() if line.strip()]
    return "\n".join(lines[-count:]) or "it failed and said nothing"


def _hanging(command: Sequence[str], seconds: float) -> DockerUnavailable:
    return DockerUnavailable(
        f"no answer within {seconds:.0f} s", where=" ".join(command[:3]), fix="restart the Docker engine"
    )


def _end(process: subprocess.Popen[str]) -> None:
    if process.poll() is None:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=10)
        if process.poll() is None:
            process.kill()
            process.wait()
    for stream in (process.stdout, process.stderr):
        if stream is not None:
            stream.close()
