"""X13: what goes together on a cluster."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hdictl.arm.lint.clusters import are_roles_listed, role_name, roles
from hdictl.arm.lint.fields import at, mapping
from hdictl.arm.lint.marks import is_known
from hdictl.arm.lint.registry import ERROR, Problem, rule
from hdictl.arm.lint.resource import Resource
from hdictl.arm.lint.template import Template
from hdictl.stack.vm_sizes import vm_size


def _property(cluster: Resource, *path: str) -> Any:
    return at(cluster.body, "properties", *path)


def _says(value: Any, word: str) -> bool:
    return isinstance(value, str) and value.lower() == word


@rule(
    "X130",
    ERROR,
    "Private link goes with an outbound connection",
    why="A cluster that HDInsight reaches from outside has public addresses; the service refuses private link on it.",
    fix="Set `resourceProviderConnection` to Outbound.",
    source="Microsoft Learn: hdinsight-private-link",
)
def private_link(template: Template) -> Iterator[Problem]:
    for cluster in template.clusters:
        connection = _property(cluster, "networkProperties", "resourceProviderConnection")
        is_linked = _says(_property(cluster, "networkProperties", "privateLink"), "enabled")
        if is_linked and is_known(connection) and not _says(connection, "outbound"):
            yield Problem(
                (*cluster.path, "properties", "networkProperties"),
                f"{cluster} has private link and is reached from outside",
                "set `resourceProviderConnection` to Outbound",
            )


@rule(
    "X131",
    ERROR,
    "The REST proxy of Kafka and its management nodes go together",
    why="The proxy runs on two kafkamanagementnode; one without the other is refused.",
    fix="Add the role kafkamanagementnode and `kafkaRestProperties`, or remove both.",
    source="Microsoft Learn: rest-proxy",
)
def rest_proxy(template: Template) -> Iterator[Problem]:
    for cluster in template.clusters:
        has_nodes = any(role_name(role) == "kafkamanagementnode" for _, role in roles(cluster))
        proxy = _property(cluster, "kafkaRestProperties")
        if are_roles_listed(cluster) and has_nodes != (proxy is not None):
            what = "management nodes and no REST proxy" if has_nodes else "a REST proxy and no management nodes"
            yield Problem((*cluster.path, "properties"), f"{cluster} has {what}", "add what is missing")


@rule(
    "X132",
    ERROR,
    "Encryption at host has sizes that support it",
    why="Only some families do (D*a_v4, D*ads_v5, DS*_v2, E*a_v4, E*ads_v5); the service refuses others.",
    fix="Take a size such as Standard_E8a_v4.",
    source="HDInsight billingSpecs: vmSizesWithEncryptionAtHost",
)
def at_host(template: Template) -> Iterator[Problem]:
    for cluster in template.clusters:
        if _property(cluster, "diskEncryptionProperties", "encryptionAtHost") is not True:
            continue
        for path, role in roles(cluster):
            size = vm_size(str(at(role, "hardwareProfile", "vmSize")))
            if size is not None and not size.can_encrypt_at_host and role_name(role) in ("headnode", "workernode"):
                yield Problem(
                    (*path, "hardwareProfile", "vmSize"),
                    f"{cluster}: {size.name} cannot encrypt at host",
                    "take Standard_E8a_v4 or Standard_E8ads_v5",
                )


@rule(
    "X133",
    ERROR,
    "A security profile and the tier Premium go together",
    why="Premium is the Enterprise Security Package, and nothing else is.",
    fix='Set `tier` to "Premium" with `securityProfile`, to "Standard" without.',
    source="Microsoft Learn: hdinsight-create-cluster-esp",
)
def premium(template: Template) -> Iterator[Problem]:
    for cluster in template.clusters:
        tier, profile = _property(cluster, "tier"), _property(cluster, "securityProfile")
        if is_known(tier) and _says(tier, "premium") != (profile is not None):
            yield Problem(
                (*cluster.path, "properties", "tier"),
                f"{cluster}: tier `{tier}` {'with' if profile is not None else 'without'} a security profile",
                f'write "{"Premium" if profile is not None else "Standard"}"',
            )


@rule(
    "X134",
    ERROR,
    "A key of one's own is named by vault, name and version, and read by an identity",
    why="The service takes all of them or none, and reads the key as the cluster's identity.",
    fix="Set `vaultUri`, `keyName`, `keyVersion` and `msiResourceId`.",
    source="azure-cli: --encryption-key-name, --encryption-key-version, --encryption-vault-uri",
)
def key(template: Template) -> Iterator[Problem]:
    names = ("vaultUri", "keyName", "keyVersion", "msiResourceId")
    for cluster in template.clusters:
        found = mapping(_property(cluster, "diskEncryptionProperties"))
        lacking = [name for name in names if name not in found]
        if any(name in found for name in names) and lacking:
            yield Problem(
                (*cluster.path, "properties", "diskEncryptionProperties"),
                f"{cluster}: the key lacks `{'`, `'.join(lacking)}`",
                "name all of them",
            )


@rule(
    "X135",
    ERROR,
    "A gateway has either a password or Entra users",
    why="With neither nobody reaches Ambari; the two exclude each other for the cluster's life.",
    fix="Set restAuthCredential.isEnabled with username and password, or restAuthEntraUsers.",
    source="Microsoft Learn: entra-id-hdinsight",
)
def gateway(template: Template) -> Iterator[Problem]:
    for cluster in template.clusters:
        found = _property(cluster, "clusterDefinition", "configurations", "gateway")
        if found is not None and not isinstance(found, dict):
            continue
        settings = mapping(found)
        has_password = "restAuthCredential.password" in settings
        has_users = "restAuthEntraUsers" in settings
        if has_password == has_users:
            yield Problem(
                (*cluster.path, "properties", "clusterDefinition", "configurations"),
                f"{cluster}: the gateway has {'both password and Entra users' if has_users else 'no way to log in'}",
                "set one of them",
            )
