"""Answers that promise more: long-running operations in both styles."""

from __future__ import annotations

from typing import Any

from tests.fakes.azure.messages import Answer, Refused, Request
from tests.fakes.azure.world import Operation, World


class Promises:
    """Azure-AsyncOperation and Location, as HDInsight sends both."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.retry_after: str | None = None  # the real service asks for 15 to 60 seconds

    def accepted(self, request: Request, operation: Operation, under: str, status: int = 202) -> Answer:
        """`under` is the path below which the operation can be asked for."""
        version = f"?api-version={request.api_version}"
        headers = {
            "Azure-AsyncOperation": f"{self._world.endpoint}{under}/azureasyncoperations/{operation.id}{version}",
            "Location": f"{self._world.endpoint}{under}/operationresults/{operation.id}{version}",
        }
        return Answer(status, None, headers | self._pause())

    def status(self, request: Request) -> Answer:
        operation = self._find(request["operation"])
        body: dict[str, Any] = {"status": operation.status}
        if operation.error is not None:
            body["error"] = operation.error
        return Answer(200, body, {} if operation.is_over else self._pause())

    def result(self, request: Request) -> Answer:
        operation = self._find(request["operation"])
        if not operation.is_over:
            location = f"{self._world.endpoint}{request.path}?api-version={request.api_version}"
            return Answer(202, None, {"Location": location} | self._pause())
        if operation.error is not None:
            raise Refused(409, operation.error["code"], operation.error["message"])
        return Answer(200, operation.result) if operation.result is not None else Answer(204)

    def _pause(self) -> dict[str, str]:
        return {} if self.retry_after is None else {"Retry-After": self.retry_after}

    def _find(self, id: str) -> Operation:
        operation = self._world.operations.get(id.lower())
        if operation is None:
            raise Refused(404, "NotFound", f"The operation '{id}' was not found.")
        return operation
