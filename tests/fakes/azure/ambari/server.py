"""One Ambari alone behind HTTPS, for tests that need no cloud."""

from __future__ import annotations

import threading
from collections.abc import Callable

from tests.fakes.azure.ambari.plane import AmbariPlane
from tests.fakes.azure.ambari.world import AmbariWorld
from tests.fakes.azure.certificate import certificate
from tests.fakes.azure.faults import Drop
from tests.fakes.azure.messages import Answer, Request
from tests.fakes.azure.secrets import digest
from tests.fakes.azure.server import Server

Trip = Callable[[Request], Answer | Drop | None]


class AmbariServer:
    """`trip` may answer first, or drop the connection: what goes wrong is up to the test."""

    def __init__(self, world: AmbariWorld, *, user: str, password: str) -> None:
        self.world = world
        self.requests: list[tuple[str, str]] = []
        self.trip: Trip | None = None
        self._user, self._digest = user, digest(password)
        self._plane = AmbariPlane(self._takes)
        self._plane.add(world)
        self._lock = threading.RLock()
        self._server = Server(self._serve)

    @property
    def port(self) -> int:
        return self._server.port

    @property
    def bundle(self) -> str:
        """For REQUESTS_CA_BUNDLE."""
        return str(certificate()[0])

    def __enter__(self) -> AmbariServer:
        self._server.start()
        return self

    def __exit__(self, *reason: object) -> None:
        self._server.stop()

    def _takes(self, cluster: str, user: str, password: str) -> bool:
        return user == self._user and digest(password) == self._digest

    def _serve(self, request: Request) -> tuple[Answer, Drop | None]:
        with self._lock:
            self.requests.append((request.method, request.path))
            tripped = self.trip(request) if self.trip is not None else None
            if isinstance(tripped, Drop):
                return Answer(), tripped
            return tripped or self._plane(request) or Answer(404), None
