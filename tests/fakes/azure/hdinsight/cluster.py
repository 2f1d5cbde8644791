"""A cluster: what the service takes, how it comes to be, and how it looks when it is read back.

Quirks of what is read back are those of the recorded answers in azure-cli's tests: `clusterVersion` has four parts, the
display form of the region comes back, sizes are lower-case, secrets are gone, the ZooKeeper role is
there although it was left out.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from hdictl.stack.vm_sizes import vm_size
from tests.fakes.azure.clock import Step
from tests.fakes.azure.hdinsight.admission import admit
from tests.fakes.azure.kinds import Kind
from tests.fakes.azure.messages import Refused
from tests.fakes.azure.names import TENANT_ID, ResourceId, display_location, made_up_guid, region
from tests.fakes.azure.secrets import without_secrets

if TYPE_CHECKING:
    from tests.fakes.azure.world import Breakage, Operation, Resource, World

TYPE = "Microsoft.HDInsight/clusters"
STATES = ("Accepted", "ClusterStorageProvisioned", "AzureVMConfiguration", "HDInsightConfiguration", "Running")


class ClusterKind(Kind):
    def admit(self, world: World, id: ResourceId, body: Mapping[str, Any], existing: Resource | None) -> None:
        if existing is None:
            admit(world, id, body)
        elif existing.state == "InProgress":
            message = f"Another operation on the cluster '{id.name}' is in progress."
            raise Refused(409, "Conflict", message)
        elif existing.state == "Failed":
            message = f"The cluster '{id.name}' is in state 'Error' and has to be deleted first."
            raise Refused(409, "Conflict", message)

    def made(self, world: World, id: ResourceId, body: Mapping[str, Any]) -> dict[str, Any]:
        made = super().made(world, id, body)
        _remember_secrets(world, id, made)
        properties = made["properties"]
        gateway = properties["clusterDefinition"].get("configurations", {}).get("gateway", {})
        roles = properties["computeProfile"]["roles"]
        if not any(role["name"].lower() == "zookeepernode" for role in roles):
            roles.append(_implicit_zookeeper(roles[0]))
        for role in roles:
            if role["name"].lower() == "kafkamanagementnode":
                _os_profile(role)["username"] = "kmuser" + made_up_guid(str(id))[:6]  # the service renames it [rec]
        properties |= {
            "provisioningState": "InProgress",
            "clusterState": STATES[0],
            "clusterId": made_up_guid(str(id), "cluster").replace("-", ""),
            "createdDate": "2026-11-16T06:00:00.000",
            "errors": [],
            # Not told to anybody: what the gateway takes.
            "_gateway": {
                **{key: gateway.get(f"restAuthCredential.{key}") for key in ("isEnabled", "username", "password")},
                # A template has them as text.
                "entraUsers": json.loads(gateway.get("restAuthEntraUsers", "[]")),
            },
            "_hosts": [],
        }
        if made.get("identity", {}).get("userAssignedIdentities"):
            made["identity"]["userAssignedIdentities"] = {
                each: {
                    "principalId": made_up_guid(each, "principal"),
                    "clientId": made_up_guid(each, "client"),
                }
                for each in made["identity"]["userAssignedIdentities"]
            }
        if "SystemAssigned" in str(made.get("identity", {}).get("type", "")):
            made["identity"] |= {"principalId": made_up_guid(str(id), "principal"), "tenantId": TENANT_ID}
        return made

    def put_again(self, world: World, existing: Resource, body: Mapping[str, Any]) -> None:
        """A template that is deployed again changes nothing on a cluster, and says nothing
        (terraform-provider-azurerm #2030)."""

    def steps(
        self, world: World, resource: Resource, operation: Operation, breakage: Breakage | None
    ) -> Iterable[Step]:
        def enter(state: str) -> Step:
            def step() -> None:
                resource.properties["clusterState"] = state

            return step

        def fail() -> None:
            assert breakage is not None
            error = {"code": breakage.code, "message": breakage.message}
            resource.properties.update({"clusterState": "Error", "provisioningState": "Failed", "errors": [error]})
            operation.fail(error)

        def run() -> None:
            grow_hosts(resource)
            resource.properties.update({"clusterState": "Running", "provisioningState": "Succeeded"})
            resource.is_ready = True
            for created in world.on_created:
                created(resource)
            operation.succeed()

        return [*map(enter, STATES[1:-1]), fail if breakage is not None else run]

    def shown(self, world: World, resource: Resource) -> dict[str, Any]:
        shown = super().shown(world, resource)
        shown["location"] = display_location(str(shown.get("location", "")))
        shown["etag"] = made_up_guid(str(resource.id), resource.state)
        properties = {key: value for key, value in shown["properties"].items() if not key.startswith("_")}
        version = str(properties.get("clusterVersion"))
        properties["clusterVersion"] = f"{version}.3000.0" if version.count(".") == 1 else version
        properties["clusterHdpVersion"] = "5.1.5.6"
        definition = properties["clusterDefinition"]
        kind = str(definition["kind"]).upper()
        # `configurations` never come back; a blueprint does.
        properties["clusterDefinition"] = {
            "blueprint": f"https://blueprints.azurehdinsight.net/{kind.lower()}-5.1.3000.0.2606012120.json",
            "kind": kind,
            "componentVersion": definition.get("componentVersion"),
        }
        properties["computeProfile"] = {"roles": [_shown_role(role) for role in properties["computeProfile"]["roles"]]}
        properties["quotaInfo"] = {"coresUsed": cores(resource)}
        if resource.state != "InProgress":
            properties["connectivityEndpoints"] = _endpoints(world, resource)
        return {**shown, "properties": without_secrets(properties)}


def grow_hosts(cluster: Resource) -> None:
    """Nodes as the roles ask for. Numbers of workers are not contiguous: `wn3` with three workers was recorded."""
    hosts: list[str] = cluster.properties["_hosts"]
    short = cluster.id.name[:6].lower()
    domain = f"{made_up_guid(str(cluster.id), 'domain').replace('-', '')[:26]}.bx.internal.cloudapp.net"
    prefixes = {"headnode": "hn", "workernode": "wn", "zookeepernode": "zk", "kafkamanagementnode": "km"}
    for role in cluster.properties["computeProfile"]["roles"]:
        prefix = prefixes.get(role["name"].lower(), "en")
        mine = [host for host in hosts if host.startswith(prefix)]
        wanted = int(role["targetInstanceCount"])
        gap = 1 if prefix == "wn" else 0
        for number in range(len(mine), wanted):
            hosts.append(f"{prefix}{number + (gap if number >= 2 else 0)}-{short}.{domain}")
        for host in mine[wanted:]:
            hosts.remove(host)


def role_of(cluster: Resource, name: str) -> dict[str, Any]:
    for role in cluster.properties["computeProfile"]["roles"]:
        if role["name"].lower() == name.lower():
            found: dict[str, Any] = role
            return found
    raise Refused(404, "RoleNotFound", f"The role '{name}' of the cluster '{cluster.id.name}' was not found.")


def kind_of(cluster: Resource) -> str:
    return str(cluster.properties["clusterDefinition"]["kind"]).lower()


def cores(cluster: Resource) -> int:
    """ZooKeeper is not counted [rec]: 20 = 2×4 + 3×4 with three ZooKeeper nodes beside."""
    return role_cores(cluster.properties["computeProfile"]["roles"])


def role_cores(roles: Iterable[Mapping[str, Any]]) -> int:
    total = 0
    for role in roles:
        if role["name"].lower() != "zookeepernode":
            size = vm_size(role["hardwareProfile"]["vmSize"])
            total += (size.cores if size else 0) * int(role["targetInstanceCount"])
    return total


def cores_used(world: World, location: str) -> int:
    return sum(cores(each) for each in world.of_type(TYPE) if region(str(each.body.get("location"))) == location)


def _implicit_zookeeper(like: Mapping[str, Any]) -> dict[str, Any]:
    return {
        **{key: copy.deepcopy(like[key]) for key in ("osProfile", "virtualNetworkProfile") if key in like},
        "name": "zookeepernode",
        "targetInstanceCount": 3,
        "hardwareProfile": {"vmSize": "standard_a2_v2"},
    }


def _os_profile(role: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = role.setdefault("osProfile", {}).setdefault("linuxOperatingSystemProfile", {})
    return found


def _shown_role(role: Mapping[str, Any]) -> dict[str, Any]:
    shown = copy.deepcopy(dict(role))
    size = vm_size(shown["hardwareProfile"]["vmSize"])
    shown["hardwareProfile"]["vmSize"] = shown["hardwareProfile"]["vmSize"].lower()
    for disks in shown.get("dataDisksGroups") or ():
        premium = size is not None and ("ads_v5" in size.name or "_DS" in size.name)
        disks |= {"diskSizeGB": 1023, "storageAccountType": "Premium_LRS" if premium else "Standard_LRS"}
    shown.setdefault("encryptDataDisks", False)
    return shown


def _endpoints(world: World, cluster: Resource) -> list[dict[str, Any]]:
    """Everything leads to the fake itself, where a data-plane handler answers; SSH to a real server if one is named."""
    port = int(world.endpoint.rpartition(":")[2])
    ssh = cluster.properties.get("_ssh_port", port)
    listed: list[dict[str, Any]] = [
        {"name": "SSH", "protocol": "TCP", "location": "localhost", "port": ssh},
        {"name": "HTTPS", "protocol": "TCP", "location": "localhost", "port": port},
    ]
    if any("virtualNetworkProfile" in role for role in cluster.properties["computeProfile"]["roles"]):
        internal = {"name": "HTTPS-INTERNAL", "protocol": "TCP", "location": "localhost", "port": port}
        listed.append({**internal, "privateIPAddress": "10.20.1.15"})
    if "kafkaRestProperties" in cluster.properties:
        rest = {"name": "KafkaRestProxyPublicEndpoint", "protocol": "TCP", "location": "localhost", "port": port}
        listed.append(rest)
    return listed


def _remember_secrets(world: World, id: ResourceId, body: Mapping[str, Any]) -> None:
    definition = body["properties"]["clusterDefinition"]
    password = definition.get("configurations", {}).get("gateway", {}).get("restAuthCredential.password")
    if password:
        world.secrets_seen.remember(id.name, password)
    for role in body["properties"]["computeProfile"]["roles"]:
        ssh = role.get("osProfile", {}).get("linuxOperatingSystemProfile", {}).get("password")
        if ssh:
            world.secrets_seen.remember(f"{id.name}/ssh", ssh)
    domain = body["properties"].get("securityProfile", {}).get("domainUserPassword")
    if domain:
        world.secrets_seen.remember(f"{id.name}/domain", domain)
