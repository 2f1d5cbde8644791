"""How containers, volumes and networks say whose they are: the engine is the only record of what runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

INSTANCE: Final = "hdictl.instance"
CLUSTER: Final = "hdictl.cluster"
NODE: Final = "hdictl.node"
FAULT_DOMAIN: Final = "hdictl.fd"
UPDATE_DOMAIN: Final = "hdictl.ud"
PORT: Final = "hdictl.port"

ZOOKEEPER: Final = "zookeeper"
_ASKED_TO_STOP: Final = (0, 143)  # Java after SIGTERM: somebody's `docker stop`, or the engine going down


@dataclass(frozen=True)
class Container:
    """A container of ours as the engine describes it."""

    id: str
    name: str
    cluster: str
    node: str  # "zookeeper", or the broker id as text
    state: str  # the engine's word: created, running, restarting, exited …
    exit_code: int
    started: float | None
    fd: int | None = None
    ud: int | None = None
    port: int | None = None  # on this machine's loopback

    @property
    def is_broker(self) -> bool:
        return self.node != ZOOKEEPER

    @property
    def is_running(self) -> bool:
        return self.state == "running"

    @property
    def ended_as_asked(self) -> bool:
        return self.exit_code in _ASKED_TO_STOP


def to_container(inspected: Mapping[str, Any]) -> Container:
    """From one element of what `docker inspect` prints."""
    labels: Mapping[str, str] = inspected["Config"]["Labels"]
    state = inspected["State"]
    return Container(
        id=inspected["Id"],
        name=inspected["Name"].lstrip("/"),
        cluster=labels[CLUSTER],
        node=labels[NODE],
        state=state["Status"],
        exit_code=state["ExitCode"],
        started=_seconds(state["StartedAt"]),
        fd=_number(labels.get(FAULT_DOMAIN)),
        ud=_number(labels.get(UPDATE_DOMAIN)),
        port=_number(labels.get(PORT)),
    )


def _number(text: str | None) -> int | None:
    return None if text is None else int(text)


def _seconds(stamp: str) -> float | None:
    """The engine writes nanoseconds, which Python cannot read, and year 1 for never."""
    if stamp.startswith("0001-"):
        return None
    return datetime.fromisoformat(f"{stamp[:19]}+00:00").timestamp()
