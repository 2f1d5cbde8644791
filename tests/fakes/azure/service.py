"""How a request is served: tripped up or not, authorized, held against the specification, answered, written down."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from tests.fakes.azure import data_lake
from tests.fakes.azure import identity as sign_in
from tests.fakes.azure.contract.swagger import contract
from tests.fakes.azure.faults import Drop, Faults, wait_for
from tests.fakes.azure.identity import Identity
from tests.fakes.azure.messages import Answer, Refused, Request
from tests.fakes.azure.routes import Routes
from tests.fakes.azure.secrets import redacted
from tests.fakes.azure.world import World

DataPlane = Callable[[Request], Answer | None]

_ROUTED = ("/subscriptions", "/providers", "/vaults", data_lake.PATH, sign_in.PATH)


@dataclass(frozen=True)
class Logged:
    """A request that came, with its secrets sealed."""

    method: str
    path: str
    query: Mapping[str, str]
    body: Any
    status: int


class Service:
    def __init__(self, world: World, identity: Identity, routes: Routes, lock: threading.RLock) -> None:
        self._world = world
        self._identity = identity
        self._routes = routes
        self._lock = lock
        self.faults = Faults()
        self.data_plane: list[DataPlane] = []
        self.requests: list[Logged] = []
        self.page_size = 4  # of every list; Azure's are longer, and so are its lists
        self.contract = contract()  # None where Microsoft's specification is not at hand
        world.check = self._resource_trouble

    def serve(self, request: Request) -> tuple[Answer, Drop | None]:
        with self._lock:
            fault = self.faults.take(request)
        wait_for(fault)
        if fault is not None and fault.drop is Drop.BEFORE:
            return Answer(), Drop.BEFORE
        with self._lock:
            answer = fault.answer if fault is not None else None
            if answer is None:
                answer = self._answer(request)
                self._hold_answer_to_contract(request, answer)
            self._log(request, answer)
        return answer, fault.drop if fault is not None else None

    def _answer(self, request: Request) -> Answer:
        try:
            self._world.move()
            if not request.path.lower().startswith(_ROUTED):
                return self._from_data_plane(request)
            if request.path.lower().startswith(("/subscriptions", "/providers")):
                self._identity.authorize(request)
                self._hold_to_contract(request)
            found = self._routes.find(request)
            if found is None:
                raise Refused(404, "InvalidResourceType", f"There is no {request.method} {request.path} here.")
            handler, captured = found
            return self._paged(request, handler(captured))
        except Refused as refused:
            return refused.answer
        except Exception as mistake:  # a mistake in the fake must fail the test, not look like Azure being down
            self._world.violations.append(f"{request.method} {request.path}: the fake itself failed: {mistake!r}")
            return Refused(400, "FakeFailed", repr(mistake)).answer

    def _paged(self, request: Request, answer: Answer) -> Answer:
        """Long lists come in pages; who reads only the first sees only a part."""
        listed = answer.body.get("value") if isinstance(answer.body, dict) else None
        if not isinstance(listed, list) or request.path.lower().endswith("/usages"):
            return answer
        start = int(request.query.get("$skiptoken", 0))
        page = {**answer.body, "value": listed[start : start + self.page_size]}
        if start + self.page_size < len(listed):
            query = urlencode({**request.query, "$skiptoken": start + self.page_size})
            page["nextLink"] = f"{self._world.endpoint}{request.path}?{query}"
        return Answer(answer.status, page, answer.headers)

    def _from_data_plane(self, request: Request) -> Answer:
        for handler in self.data_plane:
            answer = handler(request)
            if answer is not None:
                return answer
        return Answer(404, {"message": f"Nothing serves {request.path}."})

    def _hold_to_contract(self, request: Request) -> None:
        wrong = self.contract.check(request) if self.contract is not None else []
        if wrong:
            self._world.violations.extend(f"{request.method} {request.path}: {each}" for each in wrong)
            raise Refused(400, "InvalidRequestContent", "; ".join(wrong))

    def _hold_answer_to_contract(self, request: Request, answer: Answer) -> None:
        """A fake that answers what Azure never would proves nothing."""
        if self.contract is not None and answer.status < 300 and request.path.lower().startswith("/subscriptions"):
            for each in self.contract.check_response(request, answer.status, answer.body):
                self._world.violations.append(f"{request.method} {request.path}: the fake's own answer: {each}")

    def _resource_trouble(self, id: str, api_version: str, body: Mapping[str, Any]) -> list[str]:
        return self.contract.check_resource(id, api_version, body) if self.contract is not None else []

    def _log(self, request: Request, answer: Answer) -> None:
        body = redacted(request.body, self._secret_values(request))
        self.requests.append(Logged(request.method, request.path, dict(request.query), body, answer.status))

    def _secret_values(self, request: Request) -> list[str]:
        """Values of a deployment's secure parameters: only its template says which those are."""
        properties = request.body.get("properties") if isinstance(request.body, Mapping) else None
        template = properties.get("template") if isinstance(properties, Mapping) else None
        if not isinstance(properties, Mapping) or not isinstance(template, Mapping):
            return []
        declared = template.get("parameters") or {}
        secure = [name for name, each in declared.items() if str(each.get("type", "")).lower().startswith("secure")]
        given = properties.get("parameters") or {}
        return [str(given[name]["value"]) for name in secure if "value" in (given.get(name) or {})]
