"""The parts of a cluster that several rules look at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from hdictl.arm.lint.fields import at, mapping, sequence
from hdictl.arm.lint.marks import is_known
from hdictl.arm.lint.resource import Resource
from hdictl.stack.check.versions import KAFKA, SPARK
from hdictl.stack.source import Path

# Kinds of HDInsight 5.1, what their component is called, and its version.
KINDS = {
    "kafka": ("Kafka", KAFKA),
    "spark": ("Spark", SPARK),
    "hadoop": ("Hadoop", "3.3"),
    "hbase": ("HBase", "2.4"),
    "interactivehive": ("InteractiveHive", "3.1"),
}


def roles(cluster: Resource) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    """The roles of nodes that are written out, each with its path."""
    path: Path = (*cluster.path, "properties", "computeProfile", "roles")
    for index, role in enumerate(sequence(at(cluster.body, "properties", "computeProfile", "roles"))):
        if isinstance(role, Mapping):
            yield (*path, index), role


def are_roles_listed(cluster: Resource) -> bool:
    """Are all of them written out, so that one that is missing is missing?"""
    found = at(cluster.body, "properties", "computeProfile", "roles")
    return isinstance(found, list) and all(is_known(at(role, "name")) for role in found)


def role_name(role: Mapping[str, Any]) -> str:
    return str(role.get("name", "")).lower()


def kind(cluster: Resource) -> str | None:
    """`kafka`, `spark` …; None when it is not known, or none that there is."""
    found = at(cluster.body, "properties", "clusterDefinition", "kind")
    return found.lower() if isinstance(found, str) and found.lower() in KINDS else None


def storage_accounts(cluster: Resource) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    path: Path = (*cluster.path, "properties", "storageProfile", "storageaccounts")
    for index, account in enumerate(sequence(at(cluster.body, "properties", "storageProfile", "storageaccounts"))):
        if isinstance(account, Mapping):
            yield (*path, index), account


def vnet_of(cluster: Resource) -> str | None:
    """The id of the VNet that the nodes are in."""
    for _, role in roles(cluster):
        found = at(role, "virtualNetworkProfile", "id")
        if isinstance(found, str):
            return found
    return None


def subnets_of(cluster: Resource) -> Iterator[tuple[Path, str]]:
    """What the roles name as their subnet."""
    for path, role in roles(cluster):
        found = at(role, "virtualNetworkProfile", "subnet")
        if isinstance(found, str):
            yield (*path, "virtualNetworkProfile", "subnet"), found


def identities(cluster: Resource) -> list[str]:
    return [str(id).lower() for id in mapping(at(cluster.body, "identity", "userAssignedIdentities"))]
