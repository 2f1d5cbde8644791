"""Compose: `docker compose` where it is there, else the older `docker-compose`. Both read the same file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from hdictl.drivers.docker.engine import Engine
from hdictl.errors import DockerUnavailable

# Brokers that the stack no longer names keep running (Kafka does not scale in): no need to warn of them.
_ENVIRONMENT: Final = {"COMPOSE_IGNORE_ORPHANS": "1", "COMPOSE_INTERACTIVE_NO_CLI": "1"}


def compose_command(engine: Engine) -> tuple[str, ...]:
    if engine.succeeds("compose", "version"):
        return ("docker", "compose")
    if engine.find("docker-compose"):
        return ("docker-compose",)
    raise DockerUnavailable(
        "neither `docker compose` nor `docker-compose` is there",
        where="docker",
        fix="install the compose plugin (docker-compose-plugin, or docker-compose on Debian)",
    )


def compose_up(engine: Engine, file: Path, project: str, services: Sequence[str]) -> None:
    """Start these services, and no others: what runs is left alone whatever the file says about it now."""
    command = [*compose_command(engine), "-p", project, "-f", str(file)]
    engine.run([*command, "up", "--detach", "--no-deps", *services], extra=_ENVIRONMENT)
