"""A deployment on its way. Every look at it starts what may start and sees what has ended."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.fakes.azure.deployments.order import GROUP_TYPE, races, refused_as_json
from tests.fakes.azure.deployments.references import References
from tests.fakes.azure.deployments.template import Wanted, Worked
from tests.fakes.azure.messages import Refused
from tests.fakes.azure.names import made_up_guid
from tests.fakes.azure.secrets import misplaced, redacted
from tests.fakes.azure.world import Group, Operation, World

OVER = ("Succeeded", "Failed", "Canceled")


@dataclass
class Part:
    """One resource of the deployment."""

    wanted: Wanted
    state: str = "Waiting"
    operation: Operation | None = None
    error: dict[str, Any] | None = None
    started: str = ""

    @property
    def operation_id(self) -> str:
        return made_up_guid(self.wanted.id, "operation").replace("-", "")[:16].upper()


@dataclass
class DeploymentRecord:
    world: World
    id: str
    name: str
    worked: Worked
    location: str | None = None
    tags: Mapping[str, str] | None = None
    state: str = "Accepted"
    error: dict[str, Any] | None = None
    outputs: dict[str, Any] = field(default_factory=dict)
    parts: list[Part] = field(default_factory=list)
    started: str = ""
    has_run: bool = False  # a first look finds it Accepted

    def begin(self) -> None:
        self.started = _now()
        self.parts = [Part(wanted) for wanted in self.worked.resources]
        self.world.violations.extend(f"{self.name}: {each}" for each in races(list(self.worked.resources)))
        self.world.clock.start([self._run])

    def _run(self) -> None:
        if self.state == "Accepted":
            self.state = "Running"

    @property
    def is_over(self) -> bool:
        return self.state in OVER

    def cancel(self) -> None:
        """What has begun goes on; nothing more is begun."""
        self.state = "Canceled"
        self.error = {"code": "DeploymentCanceled", "message": f"The deployment '{self.name}' was canceled."}

    def look(self) -> None:
        if self.state != "Running":
            return
        for part in self.parts:
            self._see(part)
        done = {part.wanted.id.lower() for part in self.parts if part.state == "Succeeded"}
        for part in self.parts:
            if part.state == "Waiting" and set(part.wanted.depends_on) <= done:
                self._start(part)
        if any(part.state == "Running" for part in self.parts):
            return
        failed = [part for part in self.parts if part.state == "Failed"]
        if failed:
            self._fail(failed)
        elif all(part.state == "Succeeded" for part in self.parts):
            self._tell_outputs()
            self.state = "Succeeded"

    def _tell_outputs(self) -> None:
        outputs = References(self.world, self.worked.place).fill(dict(self.worked.outputs))
        secrets = list(self.worked.secure.values())
        for path in misplaced(outputs, secrets):
            self.world.violations.append(f"{self.name}: a secret stands in the output {path}")
        self.outputs = redacted(outputs, secrets)

    def _see(self, part: Part) -> None:
        if part.state != "Running" or part.operation is None or not part.operation.is_over:
            return
        part.state = part.operation.status
        if part.operation.error is not None:
            part.error = {
                "code": "ResourceDeploymentFailure",
                "target": part.wanted.id,
                "message": "The resource write operation failed to complete successfully, because it reached terminal "
                "provisioning state 'Failed'.",
                "details": [part.operation.error],
            }

    def _start(self, part: Part) -> None:
        part.started = _now()
        part.state = "Running"
        try:
            body = References(self.world, self.worked.place).fill(part.wanted.body)
            for path in misplaced(body, self.worked.secure.values()):
                self.world.violations.append(f"{part.wanted.id}: a secret stands in {path}, which is not meant for one")
            part.operation = self._put(part.wanted, body)
        except Refused as refused:
            # What a provider refuses at once is wrapped as text in ARM's own error.
            part.state = "Failed"
            part.error = {
                "code": _by_status(refused.status),
                "message": refused_as_json(refused),
                "target": part.wanted.id,
            }

    def _put(self, wanted: Wanted, body: Mapping[str, Any]) -> Operation:
        if wanted.type.lower() == GROUP_TYPE:
            return _make_group(self.world, wanted, body)
        id = wanted.resource_id
        if id.group:
            self.world.group(id.group)
        if id.parent is not None and self.world.find(id.parent) is None and not _is_implied(id.parent.type):
            raise Refused(
                404,
                "ParentResourceNotFound",
                f"Failed to perform 'write' on resource(s) of type '{id.type}', because the parent resource "
                f"'{id.parent}' could not be found.",
            )
        secrets = self.worked.secure.values()
        return self.world.put(id, body, api_version=wanted.api_version, by=self.name, secrets=secrets)

    def _fail(self, failed: list[Part]) -> None:
        self.state = "Failed"
        self.error = {
            "code": "DeploymentFailed",
            "target": self.id,
            "message": "At least one resource deployment operation failed. Please list deployment operations for "
            "details. Please see https://aka.ms/arm-deployment-operations for usage details.",
            "details": [part.error for part in failed],
        }


def _make_group(world: World, wanted: Wanted, body: Mapping[str, Any]) -> Operation:
    world.groups.setdefault(wanted.name.lower(), Group(wanted.name, str(body["location"]), {})).tags = dict(
        body.get("tags") or {}
    )
    operation = world.operation()
    operation.succeed()
    return operation


def _is_implied(type: str) -> bool:
    """Parents that come with their own parent."""
    return type.lower() == "microsoft.storage/storageaccounts/blobservices"


def _by_status(status: int) -> str:
    return {400: "BadRequest", 403: "Forbidden", 404: "NotFound", 409: "Conflict"}.get(status, "InternalServerError")


def _now() -> str:
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%f0Z")
