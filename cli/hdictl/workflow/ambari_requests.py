"""Waiting for what Ambari was asked to do."""

from __future__ import annotations

import time
from dataclasses import dataclass

from hdictl.errors import AmbariFailed
from hdictl.ports.ambari import Ambari, AmbariReader, Component, Request


@dataclass(frozen=True)
class Pace:
    """In seconds: how often something is looked at, and how long it may take."""

    pause: float = 2.0
    request: float = 1800.0  # a stop or start by Ambari
    leave: float = 120.0  # until Kafka knows that a broker is gone
    rejoin: float = 3600.0  # until it is back and has what it missed


def await_request(ambari: AmbariReader, id: int | None, pace: Pace) -> None:
    """None: there was nothing to do."""
    if id is None:
        return
    deadline = time.monotonic() + pace.request
    while not (request := ambari.request(id)).is_over:
        if time.monotonic() > deadline:
            raise _failed(request, f"is {request.status} after {pace.request:.0f} s")
        time.sleep(pace.pause)
    if not request.is_good:
        raise _failed(request, f"ended as {request.status}")


def await_rest(ambari: Ambari, component: Component, pace: Pace) -> Component:
    """The component once it neither starts nor stops."""
    deadline = time.monotonic() + pace.request
    while True:
        hosts = {host.name: host for host in ambari.hosts()}
        now = hosts[component.host].component(component.name) or component
        if now.state not in ("STARTING", "STOPPING") or time.monotonic() > deadline:
            return now
        time.sleep(pace.pause)


def _failed(request: Request, what: str) -> AmbariFailed:
    said = f":\n{request.failure}" if request.failure else ""
    return AmbariFailed(
        f"Ambari's request {request.id} {what}{said}",
        fix=f"see request {request.id} under Ambari's background operations, and mend what it says",
    )
