"""The fake cloud as a test holds it."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import asdict
from types import TracebackType
from typing import Any

from tests.fakes.azure import identity as sign_in
from tests.fakes.azure.certificate import certificate
from tests.fakes.azure.clock import Clock
from tests.fakes.azure.data_lake import PATH as LAKES_PATH
from tests.fakes.azure.data_lake import DataLakes
from tests.fakes.azure.deployments.api import Deployments
from tests.fakes.azure.faults import Drop, Fault
from tests.fakes.azure.generic import Generic
from tests.fakes.azure.groups import Groups
from tests.fakes.azure.hdinsight.actions import Actions
from tests.fakes.azure.hdinsight.cluster import TYPE as CLUSTER_TYPE
from tests.fakes.azure.hdinsight.clusters import Clusters
from tests.fakes.azure.hdinsight.extensions import Extensions
from tests.fakes.azure.hdinsight.locations import Locations
from tests.fakes.azure.hdinsight.scripts import Scripts
from tests.fakes.azure.identity import Identity
from tests.fakes.azure.names import SUBSCRIPTION_ID, TENANT_ID, ResourceId, parse_id, region
from tests.fakes.azure.network import Network
from tests.fakes.azure.providers import Providers
from tests.fakes.azure.registry import KINDS
from tests.fakes.azure.replies import Promises
from tests.fakes.azure.routes import Routes
from tests.fakes.azure.secrets import digest, redacted
from tests.fakes.azure.server import Server
from tests.fakes.azure.service import DataPlane, Logged, Service
from tests.fakes.azure.vault import Vaults
from tests.fakes.azure.workspaces import Workspaces
from tests.fakes.azure.world import Breakage, Group, LedgerEntry, Resource, World


class FakeCloud:
    def __init__(self, *, pace: float = 0.05) -> None:
        self.world = World(Clock(pace), KINDS)
        self.identity = Identity()
        self.promises = Promises(self.world)
        self.vaults = Vaults(self.world, self.identity)
        self.lakes = DataLakes(self.world, self.identity)
        self._actions = Actions(self.world, self.promises)
        self.scripts = Scripts(self.world, self.promises)
        self.locations = Locations(self.world)
        self._lock = threading.RLock()
        self._service = Service(self.world, self.identity, self._registered(), self._lock)
        self._server = Server(self._service.serve)
        self.world.endpoint = f"https://localhost:{self._server.port}"

    def __enter__(self) -> FakeCloud:
        self._server.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.stop()

    def environ(self) -> dict[str, str]:
        """The environment of a process that is to live in this cloud."""
        bundle = str(certificate()[0])
        return {
            "HDICTL_AZURE_ENDPOINT": self.endpoint,
            "HDICTL_AZURE_VAULT_ENDPOINT": f"{self.endpoint}/vaults/{{vault}}",
            "HDICTL_AZURE_STORAGE_ENDPOINT": f"{self.endpoint}{LAKES_PATH}/{{account}}",
            "HDICTL_AZURE_POLL_SECONDS": "0.05",
            "REQUESTS_CA_BUNDLE": bundle,
            "SSL_CERT_FILE": bundle,
            "IDENTITY_ENDPOINT": f"{self.endpoint}{sign_in.PATH}",
            "IDENTITY_HEADER": sign_in.HEADER,
            "AZURE_TOKEN_CREDENTIALS": "ManagedIdentityCredential",
            "AZURE_SUBSCRIPTION_ID": SUBSCRIPTION_ID,
            "AZURE_TENANT_ID": TENANT_ID,
            "NO_PROXY": "localhost,127.0.0.1",
        }

    @property
    def endpoint(self) -> str:
        return self.world.endpoint

    @property
    def pace(self) -> float:
        """Seconds that each step takes, of everything that takes a while."""
        return self.world.clock.pace

    @pace.setter
    def pace(self, seconds: float) -> None:
        with self._lock:
            self.world.clock.pace = seconds

    # What is there before a test begins

    def group(self, name: str, location: str = "westeurope", tags: Mapping[str, str] | None = None) -> None:
        self.world.groups[name.lower()] = Group(name, location, dict(tags or {}))

    def resource(self, id: str, body: Mapping[str, Any] | None = None) -> Resource:
        """Something that somebody else made; not in the ledger."""
        parsed = parse_id(id)
        if parsed.group and parsed.group.lower() not in self.world.groups:
            self.group(parsed.group)
        made = Resource(parsed, redacted(self.world.kind(parsed).made(self.world, parsed, body or {})))
        if "provisioningState" in made.properties:
            made.properties["provisioningState"] = "Succeeded"
        self.world.resources[str(parsed).lower()] = made
        return made

    def secret(self, vault: str, name: str, value: str, *, group: str = "rg-vaults") -> str:
        """A secret in a vault, which is made when it is missing. The vault's id."""
        id = self.id(group, "Microsoft.KeyVault/vaults", vault)
        if self.world.find(id) is None:
            self.resource(id, {"location": "westeurope", "properties": {"enabledForTemplateDeployment": True}})
        self.vaults.store(vault, name, value)
        return id

    def id(self, group: str, type: str, *names: str) -> str:
        return str(ResourceId(f"/subscriptions/{SUBSCRIPTION_ID}/resourceGroups/{group}", type, names))

    def quota(self, location: str, cores: int) -> None:
        self.world.quota[region(location)] = cores

    def take_name(self, cluster: str) -> None:
        """Somebody else in the world has a cluster of this name."""
        self.world.taken_names.add(cluster.lower())

    def serve(self, handler: DataPlane) -> None:
        """Answers paths that are not ARM's: Ambari, Livy. None leaves it to the next one."""
        self._service.data_plane.append(handler)

    def on_created(self, tell: Callable[[Resource], object]) -> None:
        """Called when a cluster comes to run."""
        self.world.on_created.append(tell)

    def on_resize(self, tell: Callable[[Resource, int], None]) -> None:
        """Called when new workers have joined: the place to start real brokers."""
        self.world.on_resized.append(tell)

    # What goes wrong

    def fail(
        self,
        method: str,
        pattern: str,
        status: int | None = None,
        code: str = "InternalServerError",
        message: str = "The server was told to fail.",
        *,
        times: int = 1,
        after: int = 0,
        retry_after: str | None = None,
        drop: Drop | str | None = None,
    ) -> Fault:
        """The next `times` requests whose path fits (fnmatch, any case) get this answer, or a broken connection."""
        broken = Drop(drop) if drop is not None else None
        return self._service.faults.add(
            Fault(method, pattern, times, after, status, code, message, retry_after, broken)
        )

    def slow(self, method: str, pattern: str, seconds: float, *, times: int = 1) -> Fault:
        return self._service.faults.add(Fault(method, pattern, times, seconds=seconds))

    def throttle(
        self, method: str = "*", pattern: str = "/subscriptions/*", *, times: int = 1, after: str = "0"
    ) -> Fault:
        message = "The request is being throttled as the limit has been reached for operation type."
        return self.fail(method, pattern, 429, "OperationNotAllowed", message, times=times, retry_after=after)

    def heal(self) -> None:
        """No more faults."""
        self._service.faults.clear()

    def break_cluster(self, name: str, code: str, message: str, *, times: int = 1) -> None:
        """Creation gets as far as HDInsightConfiguration, then the cluster is in Error."""
        self.break_resource(f"*/{CLUSTER_TYPE}/{name}", code, message, times=times)

    def break_resource(self, pattern: str, code: str, message: str, *, times: int = 1) -> None:
        """The creation of a resource whose id fits fails, after it was accepted."""
        self.world.breakages.append(Breakage(pattern, code, message, times))

    def break_resize(self, cluster: str, code: str, message: str) -> None:
        self._actions.resize_failures[cluster.lower()] = (code, message)

    def break_script(self, uri: str, output: str) -> None:
        """A script action from this address fails on its nodes, and this is what they wrote."""
        self.scripts.failing[uri] = output

    def script_prints(self, uri: str, output: str) -> None:
        """A script action from this address ends well, and this is what each of its nodes wrote."""
        self.scripts.printing[uri] = output

    def deny(self, *actions: str) -> None:
        """The caller lacks these: `Microsoft.HDInsight/clusters/read`, `*/whatIf/action`."""
        self.identity.denied.extend(actions)

    def lag(self, *, reads: int = 0, lists: int = 0) -> None:
        """What is made from now on is not found by its first GETs and lists."""
        self.world.hidden_reads, self.world.hidden_lists = reads, lists

    def freeze(self) -> None:
        with self._lock:
            self.world.clock.freeze()

    def thaw(self) -> None:
        with self._lock:
            self.world.clock.thaw()

    # What happened

    @property
    def requests(self) -> list[Logged]:
        return self._service.requests

    @property
    def violations(self) -> list[str]:
        """What Microsoft's specification does not allow, and secrets in the wrong place."""
        return self.world.violations

    @property
    def ledger(self) -> list[LedgerEntry]:
        return self.world.ledger

    def created(self, type: str = "") -> list[str]:
        """Ids of what was made, in the order in which it was begun; of one type, names."""
        made = [entry.id for entry in self.ledger if entry.action == "create"]
        if not type:
            return made
        return [parse_id(id).full_name for id in made if parse_id(id).type.lower() == type.lower()]

    def duplicates(self) -> list[str]:
        """What was made more than once with no deletion between, and clusters that were put again."""
        living: set[str] = set()
        double = []
        for entry in self.ledger:
            id = entry.id.lower()
            is_cluster = parse_id(entry.id).type.lower() == CLUSTER_TYPE.lower()
            if (entry.action == "create" and id in living) or (entry.action == "put" and is_cluster):
                double.append(entry.id)
            living.discard(id) if entry.action in ("delete", "failed") else living.add(id)
        return double

    def cluster(self, name: str) -> Resource | None:
        with self._lock:
            self.world.move()
            return next((each for each in self.world.of_type(CLUSTER_TYPE) if each.id.name == name), None)

    def deployment_states(self) -> dict[str, str]:
        with self._lock:
            self.world.move()
            return {each.name: each.state for each in self.world.deployments.values()}

    def saw_secret(self, who: str) -> str | None:
        """SHA-256 of the secret that came for a parameter or a cluster (`name`, `name/ssh`, `name/domain`)."""
        return self.world.secrets_seen.of(who)

    def gateway_takes(self, cluster: str, user: str, password: str) -> bool:
        """Whether this user and password open a cluster's gateway."""
        found = self.cluster(cluster)
        if found is None:
            return False
        gateway = found.properties["_gateway"]
        return gateway["username"] == user and self.saw_secret(cluster) == digest(password)

    def dump(self) -> str:
        """Everything that the fake remembers, as text. Secrets that a test put into a vault are not in it."""
        with self._lock:
            known = {
                "groups": [asdict(each) for each in self.world.groups.values()],
                "resources": {id: each.body for id, each in self.world.resources.items()},
                "deployments": {
                    id: [each.state, each.error, each.outputs, dict(each.worked.parameters)]
                    for id, each in self.world.deployments.items()
                },
                "operations": [asdict(each) for each in self.world.operations.values()],
                "ledger": [asdict(each) for each in self.ledger],
                "violations": self.violations,
                "requests": [asdict(each) for each in self.requests],
                "files": self.lakes.texts(),
            }
        return json.dumps(known, indent=1, default=str)

    def _registered(self) -> Routes:
        routes = Routes()
        routes.add("GET", sign_in.PATH, self.identity.token)
        parts = (
            self.vaults,
            self.lakes,
            Clusters(self.world, self.promises),
            self._actions,
            self.scripts,
            Extensions(self.world, self.promises),
            self.locations,
            Workspaces(self.world),
            Deployments(self.world, self.promises, self.vaults),
            Network(self.world),
            Groups(self.world),
            Providers(),
            Generic(self.world, self.promises),
        )
        for part in parts:
            part.register(routes)
        return routes
