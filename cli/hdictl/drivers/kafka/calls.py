"""Requests to the controller, to single brokers and to all of them, through kafka-python's own connections.

Its admin client sends one request after the other, gives up at the first broker that is away, and remembers a
controller that died. Whoever moves partitions must do without all three.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from hdictl.drivers.kafka.admin import reason
from hdictl.errors import KafkaUnreachable
from hdictl.ports.kafka import Endpoint

_PATIENCE_SECONDS = 40.0  # for a new controller: ZooKeeper notices a dead one after 18 seconds
_PAUSE_SECONDS = 0.3
_NOT_CONTROLLER = 41


class BrokerCalls:
    def __init__(self, client: Any, endpoint: Endpoint, patience: float = _PATIENCE_SECONDS) -> None:
        self._client = client
        self._manager = client._manager
        self._endpoint = endpoint
        self._patience = patience

    def overview(self) -> Any:
        """Cluster id, controller and living brokers, as whichever broker answers knows them."""
        return self._again(lambda: self._manager.run(self._look_around))

    def controller(self, request: Callable[[], Any]) -> Any:
        """Asks the controller; another one while it changes. A request is made anew each time: it keeps its state."""

        async def ask() -> Any:
            overview = await self._look_around()
            if overview.controller_id not in {broker.node_id for broker in overview.brokers}:
                raise _not_controller()
            answer = await self._send(request(), overview.controller_id)
            if getattr(answer, "error_code", 0) == _NOT_CONTROLLER:
                raise _not_controller()
            return answer

        return self._again(lambda: self._manager.run(ask))

    def anyone(self, request: Callable[[], Any]) -> Any:
        async def ask() -> Any:
            return await self._send(request(), None)

        return self._again(lambda: self._manager.run(ask))

    def each(self, requests: Mapping[int, Any]) -> tuple[dict[int, Any], dict[int, str]]:
        """A request to each broker, all at once: answers, and why there is none. Nobody is asked twice."""
        from kafka.errors import KafkaError

        async def ask() -> tuple[dict[int, Any], dict[int, str]]:
            living = {broker.node_id for broker in (await self._look_around()).brokers}
            sent = {broker: self._send(request, broker) for broker, request in requests.items() if broker in living}
            answers: dict[int, Any] = {}
            silent = {broker: "it is away" for broker in requests if broker not in living}
            for broker, future in sent.items():
                try:
                    answers[broker] = await future
                except (KafkaError, OSError) as error:
                    silent[broker] = reason(error)
            return answers, silent

        answered: tuple[dict[int, Any], dict[int, str]] = self._again(lambda: self._manager.run(ask))
        return answered

    async def _look_around(self) -> Any:
        from kafka.protocol.metadata import MetadataRequest

        overview = await self._send(MetadataRequest(topics=[], allow_auto_topic_creation=False), None)
        # The client looks for new brokers every five minutes: one that came back would stay unknown to it.
        self._manager.cluster.update_metadata(overview)
        return overview

    def _send(self, request: Any, broker: int | None) -> Any:
        """A future. The client waits ever longer before it tries a broker again; whoever calls this waits already."""
        from kafka.errors import KafkaError
        from kafka.future import Future

        if broker is None:
            # The least loaded one: connections to brokers that died are not chosen while they back off.
            return self._manager.send(request)
        self._manager.reset_backoff(broker)
        try:
            return self._manager.send(request, node_id=broker)
        except KafkaError as error:
            return Future().failure(error)

    def _again(self, call: Callable[[], Any]) -> Any:
        """Until it is answered: brokers come and go, and so does the controller."""
        from kafka.errors import KafkaError

        deadline = time.monotonic() + self._patience
        while True:
            try:
                return call()
            except (KafkaError, OSError) as error:
                if time.monotonic() > deadline:
                    raise KafkaUnreachable(
                        reason(error), where=f"cluster `{self._endpoint.cluster}`", fix="see the brokers: hdictl status"
                    ) from error
            time.sleep(_PAUSE_SECONDS)


def _not_controller() -> Exception:
    from kafka.errors import NotControllerError

    error: Exception = NotControllerError("the cluster has no controller at the moment")
    return error
