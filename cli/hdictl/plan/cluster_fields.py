"""An HDInsight cluster as flat fields, the same ones whether it was rendered or seen.

What the service returns is not what it was sent: 5.1 comes back as 5.1.3000.0, sizes in lower case, the region by its
display name, secrets not at all, roles that nobody asked for. Both sides go through here before they are compared, so
that only real differences are left.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hdictl.plan.cloud import is_open
from hdictl.stack.locations import canonical
from hdictl.stack.vm_sizes import vm_size

_ROLES = {
    "head": "headnode",
    "workers": "workernode",
    "zookeeper": "zookeepernode",
    "management": "kafkamanagementnode",
}


def cluster_fields(body: Mapping[str, Any]) -> dict[str, Any]:
    """Fields by the names that the stack file has for them. What only the deployment knows is left out."""
    properties = body.get("properties") or {}
    definition = properties.get("clusterDefinition") or {}
    kind = str(definition.get("kind") or "").lower()
    fields = {
        "location": canonical(str(body.get("location") or "")),
        "zone": next(iter(body.get("zones") or ()), None),
        "tags": dict(body.get("tags") or {}),
        "version": _major_minor(properties.get("clusterVersion")),
        "kind": kind,
        "component": _component(definition, kind),
        "tier": str(properties.get("tier") or "standard").lower(),
        "tls": properties.get("minSupportedTlsVersion"),
        **_nodes(properties),
        **_storage(properties),
        **_encryption(properties),
        **_network(properties),
        **_services(properties, definition),
    }
    return {name: value for name, value in fields.items() if not is_open(value)}


def _nodes(properties: Mapping[str, Any]) -> dict[str, Any]:
    roles = {
        str(role.get("name")).lower(): role for role in (properties.get("computeProfile") or {}).get("roles") or ()
    }
    fields: dict[str, Any] = {f"{name}.size": _size(roles.get(role)) for name, role in _ROLES.items()}
    worker = roles.get("workernode") or {}
    groups = worker.get("dataDisksGroups") or [{}]
    subnet = (worker.get("virtualNetworkProfile") or {}).get("subnet")
    return {
        **fields,
        "workers.count": worker.get("targetInstanceCount"),
        "workers.disks": groups[0].get("disksPerNode"),
        "subnet": str(subnet).lower() if subnet else None,
        "ssh.user": ((worker.get("osProfile") or {}).get("linuxOperatingSystemProfile") or {}).get("username"),
        "autoscale": autoscale_fields(worker.get("autoscale")),
    }


def _size(role: Mapping[str, Any] | None) -> str | None:
    """As Azure writes it, whatever the case it came in."""
    name = ((role or {}).get("hardwareProfile") or {}).get("vmSize")
    if not name:
        return None
    known = vm_size(str(name))
    return known.name if known is not None else str(name).lower()


def autoscale_fields(autoscale: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Load-based: min and max. By schedule: the time zone and its entries, in a fixed order."""
    if not autoscale:
        return None
    recurrence = autoscale.get("recurrence")
    if recurrence:
        entries = [
            {
                "days": sorted(entry.get("days") or ()),
                "at": (entry.get("timeAndCapacity") or {}).get("time"),
                "workers": (entry.get("timeAndCapacity") or {}).get("minInstanceCount"),
            }
            for entry in recurrence.get("schedule") or ()
        ]
        return {"timezone": recurrence.get("timeZone"), "schedule": sorted(entries, key=str)}
    capacity = autoscale.get("capacity") or {}
    if not capacity:
        return None
    return {"min": capacity.get("minInstanceCount"), "max": capacity.get("maxInstanceCount")}


def _storage(properties: Mapping[str, Any]) -> dict[str, Any]:
    accounts = (properties.get("storageProfile") or {}).get("storageaccounts") or ()
    default = next((account for account in accounts if account.get("isDefault")), None)
    if default is None:
        return {"storage": None}
    account = str(default.get("name") or "").lower().partition(".")[0]
    return {"storage": f"{account}/{default.get('fileSystem') or default.get('container') or ''}"}


def _encryption(properties: Mapping[str, Any]) -> dict[str, Any]:
    disks = properties.get("diskEncryptionProperties") or {}
    transit = properties.get("encryptionInTransitProperties") or {}
    vault, key = str(disks.get("vaultUri") or "").rstrip("/").lower(), disks.get("keyName")
    return {
        "encryption.key": f"{vault}/keys/{key}" if key else None,
        "encryption.key.version": disks.get("keyVersion") or None,
        "encryption.at_host": bool(disks.get("encryptionAtHost")),
        "encryption.in_transit": bool(transit.get("isEncryptionInTransitEnabled")),
    }


def _network(properties: Mapping[str, Any]) -> dict[str, Any]:
    network = properties.get("networkProperties") or {}
    return {
        "network.connection": str(network.get("resourceProviderConnection") or "inbound").lower(),
        "network.private_link": str(network.get("privateLink") or "disabled").lower() == "enabled",
        "network.dependencies": (str(network.get("outboundDependenciesManagedType") or "").lower() or None),
    }


def _services(properties: Mapping[str, Any], definition: Mapping[str, Any]) -> dict[str, Any]:
    rest = (properties.get("kafkaRestProperties") or {}).get("clientGroupInfo") or {}
    gateway = (definition.get("configurations") or {}).get("gateway") or {}
    enabled = gateway.get("restAuthCredential.isEnabled")
    return {
        "rest_proxy": rest.get("groupId"),
        "security": (properties.get("securityProfile") or {}).get("domain"),
        "gateway": None if enabled is None else "password" if str(enabled).lower() == "true" else "entra",
    }


def _component(definition: Mapping[str, Any], kind: str) -> str | None:
    versions = {str(name).lower(): version for name, version in (definition.get("componentVersion") or {}).items()}
    return _major_minor(versions.get(kind))


def _major_minor(version: Any) -> str | None:
    """5.1.3000.0 → 5.1: the longer form is the service's, and changes with every image."""
    return ".".join(str(version).split(".")[:2]) if version else None
