"""The state of the fake cloud, and how things in it come to be.

A resource is put, is made over some steps, and is there. Direct requests and template deployments go the same way; each
creation is written down in the ledger, so that a test can see that nothing was made twice.
"""

from __future__ import annotations

import fnmatch
import uuid
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.fakes.azure.clock import Clock
from tests.fakes.azure.messages import Refused, not_found
from tests.fakes.azure.names import SUBSCRIPTION_ID, ResourceId
from tests.fakes.azure.secrets import SecretsSeen, redacted

if TYPE_CHECKING:
    from tests.fakes.azure.deployments.record import DeploymentRecord
    from tests.fakes.azure.kinds import Kind


@dataclass
class Resource:
    id: ResourceId
    body: dict[str, Any]  # as it was sent, secrets sealed; with what the service adds
    api_version: str = ""
    hidden_reads: int = 0  # so many GETs still answer 404
    hidden_lists: int = 0
    is_ready: bool = True  # false while it is being made

    @property
    def properties(self) -> dict[str, Any]:
        found: dict[str, Any] = self.body.setdefault("properties", {})
        return found

    @property
    def state(self) -> str:
        return str(self.properties.get("provisioningState", "Succeeded"))


@dataclass
class Operation:
    """Something long-running. `status` is in HDInsight's words; `error` is set when it failed."""

    id: str
    status: str = "InProgress"
    error: dict[str, Any] | None = None
    result: Any = None

    @property
    def is_over(self) -> bool:
        return self.status != "InProgress"

    def succeed(self, result: Any = None) -> None:
        self.status, self.result = "Succeeded", result

    def fail(self, error: Mapping[str, Any]) -> None:
        self.status, self.error = "Failed", dict(error)


@dataclass(frozen=True)
class LedgerEntry:
    action: str  # create, put (it was there already), delete, resize …
    id: str
    by: str  # the deployment, or "request"
    note: str = ""


@dataclass
class Group:
    name: str
    location: str
    tags: dict[str, str]
    state: str = "Succeeded"


@dataclass
class Breakage:
    """A resource that will fail while it is made."""

    pattern: str
    code: str
    message: str
    times: int


@dataclass
class World:
    clock: Clock
    kinds: Mapping[str, Kind]
    # What Microsoft's specification has against a resource of a template: id, api-version, body.
    check: Callable[[str, str, Mapping[str, Any]], list[str]] = lambda *_: []
    endpoint: str = ""
    groups: dict[str, Group] = field(default_factory=dict)
    resources: dict[str, Resource] = field(default_factory=dict)
    deployments: dict[str, DeploymentRecord] = field(default_factory=dict)
    operations: dict[str, Operation] = field(default_factory=dict)
    ledger: list[LedgerEntry] = field(default_factory=list)
    breakages: list[Breakage] = field(default_factory=list)
    secrets_seen: SecretsSeen = field(default_factory=SecretsSeen)
    hidden_reads: int = 0
    hidden_lists: int = 0
    quota: dict[str, int] = field(default_factory=dict)  # region → cores
    taken_names: set[str] = field(default_factory=set)
    on_created: list[Callable[[Resource], object]] = field(default_factory=list)
    on_resized: list[Callable[[Resource, int], None]] = field(default_factory=list)
    violations: list[str] = field(default_factory=list)

    def move(self) -> None:
        self.clock.move(self._deployments_look)

    def _deployments_look(self) -> None:
        for deployment in list(self.deployments.values()):
            deployment.look()

    def kind(self, id: ResourceId) -> Kind:
        namespace = f"{id.type.split('/')[0].lower()}/*"
        return self.kinds.get(id.type.lower()) or self.kinds.get(namespace) or self.kinds["*"]

    def find(self, id: ResourceId | str) -> Resource | None:
        return self.resources.get(str(id).lower())

    def of_type(self, type: str) -> list[Resource]:
        return [each for each in self.resources.values() if each.id.type.lower() == type.lower()]

    def group(self, name: str) -> Group:
        found = self.groups.get(name.lower())
        if found is None:
            raise Refused(404, "ResourceGroupNotFound", f"Resource group '{name}' could not be found.")
        return found

    def read(self, id: ResourceId) -> Resource:
        """As a client's GET sees it: what is fresh may not be there yet."""
        found = self.find(id)
        if found is None:
            raise not_found(str(id))
        if found.hidden_reads > 0:
            found.hidden_reads -= 1
            raise not_found(str(id))
        return found

    def put(
        self,
        id: ResourceId,
        body: Mapping[str, Any],
        *,
        api_version: str,
        by: str = "request",
        secrets: Iterable[str] = (),
    ) -> Operation:
        """Make a resource, or put it anew. Raises what the service refuses at once. `secrets` are kept as digests,
        wherever they stand."""
        kind = self.kind(id)
        existing = self.find(id)
        if existing is not None and existing.state.lower() == "deleting":
            raise Refused(409, "Conflict", f"'{id.name}' is being deleted; another operation on it is not possible.")
        self._hold_to_contract(id, api_version, body, by)
        kind.admit(self, id, body, existing)
        self._note("put" if existing else "create", id, by)
        operation = self.operation()
        if existing is not None:
            kind.put_again(self, existing, body)
            existing.body = redacted(existing.body, secrets)
            operation.succeed()
            return operation
        made = Resource(id, kind.made(self, id, body), api_version, self.hidden_reads, self.hidden_lists)
        made.body = redacted(made.body, secrets)
        made.is_ready = False
        self.resources[str(id).lower()] = made
        self.clock.start(kind.steps(self, made, operation, self._breakage(id)))
        return operation

    def _hold_to_contract(self, id: ResourceId, api_version: str, body: Mapping[str, Any], by: str) -> None:
        wrong = self.check(str(id), api_version, body) if by != "request" else []
        if wrong:
            self.violations.extend(f"{by}: {each}" for each in wrong)
            raise Refused(400, "InvalidRequestContent", "; ".join(wrong))

    def remove(self, id: ResourceId, *, by: str = "request") -> None:
        for key in [key for key in self.resources if key == str(id).lower() or key.startswith(f"{id}/".lower())]:
            del self.resources[key]
        self._note("delete", id, by)

    def operation(self, id: str | None = None) -> Operation:
        operation = Operation(id or str(uuid.uuid4()))
        self.operations[operation.id.lower()] = operation
        return operation

    def note(self, action: str, id: ResourceId, note: str = "") -> None:
        self._note(action, id, "request", note)

    def _note(self, action: str, id: ResourceId, by: str, note: str = "") -> None:
        self.ledger.append(LedgerEntry(action, str(id), by, note))

    def _breakage(self, id: ResourceId) -> Breakage | None:
        for each in self.breakages:
            if each.times > 0 and fnmatch.fnmatch(str(id).lower(), each.pattern.lower()):
                each.times -= 1
                return each
        return None

    def subscription_path(self) -> str:
        return f"/subscriptions/{SUBSCRIPTION_ID}"
