"""What HDInsight refuses when a cluster is asked for. `findings` is the list; creation raises its first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from hdictl.stack.vm_sizes import Role, vm_size
from tests.fakes.azure.hdinsight import key_rules, network_rules, storage_rules
from tests.fakes.azure.messages import Refused
from tests.fakes.azure.names import ResourceId, region

if TYPE_CHECKING:
    from tests.fakes.azure.world import World

Finding = tuple[str, str]  # code, message

_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{1,57})[A-Za-z0-9]")
_ROLES = {"headnode": Role.HEAD, "workernode": Role.WORKER, "zookeepernode": Role.ZOOKEEPER}
_COUNTS = {"headnode": 2, "zookeepernode": 3, "kafkamanagementnode": 2}
_DOCUMENT = "DeploymentDocument 'CsmDocument_2_0' failed the validation. Error: "


def admit(world: World, id: ResourceId, body: Mapping[str, Any]) -> None:
    for code, message in findings(world, id, body):
        raise Refused(409 if code == "UserClusterNameNotAvailable" else 400, code, message)


def findings(world: World, id: ResourceId, body: Mapping[str, Any]) -> Iterator[Finding]:
    yield from _name(world, id)
    properties = body.get("properties") or {}
    definition = properties.get("clusterDefinition") or {}
    roles = (properties.get("computeProfile") or {}).get("roles") or []
    if not definition or not roles:
        yield "BadRequest", "The request payload is invalid."
        return
    yield from _version(properties, definition)
    for role in roles:
        yield from _role(role, str(definition.get("kind", "")).lower())
    yield from _gateway(definition)
    yield from _quota(world, body, roles)
    yield from network_rules.findings(world, id, properties, roles)
    yield from storage_rules.findings(world, id, body)
    yield from key_rules.findings(world, body)


def _name(world: World, id: ResourceId) -> Iterator[Finding]:
    if not _NAME.fullmatch(id.name) or id.name.lower() == "apps":
        yield "BadRequest", f"The cluster name '{id.name}' is not valid."
    if is_taken(world, id.name):
        yield "UserClusterNameNotAvailable", f"Cluster name '{id.name}' is unavailable"


def is_taken(world: World, name: str) -> bool:
    """Names are unique in the world."""
    clusters = world.of_type("Microsoft.HDInsight/clusters")
    return name.lower() in world.taken_names or any(each.id.name.lower() == name.lower() for each in clusters)


def _version(properties: Mapping[str, Any], definition: Mapping[str, Any]) -> Iterator[Finding]:
    version = properties.get("clusterVersion")
    if version != "5.1":  # 4.0 and 5.0 were retired on 31 March 2025
        yield "BadRequest", f"Version capability not available for version '{version}' and Subscription ID"
    for component, number in (definition.get("componentVersion") or {}).items():
        if not re.fullmatch(r"\d+\.\d+", str(number)):
            yield "BadRequest", f"The request payload is invalid. {component} version '{number}' is not supported."
    if str(definition.get("kind", "")).lower() not in ("kafka", "spark", "hadoop", "hbase", "interactivehive"):
        yield "BadRequest", f"The cluster kind '{definition.get('kind')}' is not supported."


def _role(role: Mapping[str, Any], kind: str) -> Iterator[Finding]:
    name = str(role.get("name", "")).lower()
    count = role.get("targetInstanceCount")
    if _COUNTS.get(name, count) != count:
        yield "InvalidDocumentErrorCode", f"{_DOCUMENT}'{name}' must have {_COUNTS[name]} instances, not {count}."
    wanted = str((role.get("hardwareProfile") or {}).get("vmSize"))
    size = vm_size(wanted)
    if size is None or (name in _ROLES and _ROLES[name] not in size.roles):
        yield "InvalidDocumentErrorCode", f"{_DOCUMENT}VM size '{wanted}' is not supported for the role '{name}'."
        return
    if name == "workernode" and kind == "kafka":
        disks = sum(int(group.get("disksPerNode", 0)) for group in role.get("dataDisksGroups") or ())
        if not 1 <= disks <= size.max_disks:
            allowed = f"between 1 and {size.max_disks} data disks"
            yield "InvalidDocumentErrorCode", f"{_DOCUMENT}'{wanted}' takes {allowed} a node, not {disks}."
    elif role.get("dataDisksGroups"):
        yield "InvalidDocumentErrorCode", f"{_DOCUMENT}data disks are not supported for '{name}' of '{kind}'."
    if role.get("autoscale") and (kind == "kafka" or name != "workernode"):
        yield "BadRequest", f"Autoscale is not supported for '{name}' of '{kind}' clusters."


def _gateway(definition: Mapping[str, Any]) -> Iterator[Finding]:
    gateway = (definition.get("configurations") or {}).get("gateway") or {}
    if str(gateway.get("restAuthCredential.isEnabled")).lower() == "false":
        if not gateway.get("restAuthEntraUsers"):
            yield "BadRequest", "The gateway needs a user and a password, or Entra users."
        return
    yield from password_findings(str(gateway.get("restAuthCredential.password") or ""))


def password_findings(password: str) -> Iterator[Finding]:
    """At least 10 characters of four sorts; none of ' " \\ ] . (parameters of the quickstart hdinsight-kafka)."""
    sorts = (r"\d", r"[A-Z]", r"[a-z]", r"[^A-Za-z0-9]")
    if len(password) < 10 or not all(re.search(sort, password) for sort in sorts) or re.search(r"['\"\\\].]", password):
        yield "BadRequest", "The password of the cluster login does not meet the complexity requirements."


def _quota(world: World, body: Mapping[str, Any], roles: list[Mapping[str, Any]]) -> Iterator[Finding]:
    from tests.fakes.azure.hdinsight.cluster import cores_used, role_cores

    where = region(str(body.get("location")))
    needed = role_cores(roles)
    free = quota(world, where) - cores_used(world, where)
    if needed > free:
        yield quota_finding(needed, free)


def quota(world: World, location: str) -> int:
    return world.quota.get(location, 3000)


def quota_finding(needed: int, free: int) -> Finding:
    return (
        "BadRequest",
        f"The maximum node exceeded the available cores in this region: {needed} cores are requested, "
        f"{free} are available. Please request a quota increase.",
    )
