"""X09: identities and their roles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hdictl.arm.lint.clusters import identities, storage_accounts
from hdictl.arm.lint.fields import at
from hdictl.arm.lint.ids import parse_id
from hdictl.arm.lint.marks import is_known, is_unknown_whole, readable
from hdictl.arm.lint.registry import ERROR, Problem, rule
from hdictl.arm.lint.resource import Resource
from hdictl.arm.lint.template import Template
from hdictl.stack.source import Path

BLOB_DATA_OWNER = "b7e6dc6d-f1e8-4753-8033-0f276bb0955b"
_GEN2 = "Microsoft Learn: hdinsight-hadoop-use-data-lake-storage-gen2"


@rule(
    "X090",
    ERROR,
    "A cluster on ADLS Gen2 has an identity to reach it with",
    why="A file system is reached by a user-assigned identity alone; without it the cluster cannot be made.",
    fix="Set `msiResourceId` and `resourceId` on the storage account of the cluster.",
    source=_GEN2,
)
def gen2(template: Template) -> Iterator[Problem]:
    for cluster in template.clusters:
        for path, account in storage_accounts(cluster):
            lacking = [name for name in ("msiResourceId", "resourceId") if at(account, name) is None]
            if at(account, "fileSystem") is not None and lacking:
                yield Problem(
                    path, f"{cluster}: ADLS Gen2 without `{'`, `'.join(lacking)}`", "name the identity and the account"
                )


def _used(cluster: Resource) -> Iterator[tuple[Path, Any]]:
    """Every identity that a cluster uses, where it is used."""
    for path, account in storage_accounts(cluster):
        yield (*path, "msiResourceId"), at(account, "msiResourceId")
    for part in ("diskEncryptionProperties", "securityProfile"):
        yield (
            (*cluster.path, "properties", part, "msiResourceId"),
            at(cluster.body, "properties", part, "msiResourceId"),
        )


@rule(
    "X091",
    ERROR,
    "A cluster has every identity that it uses",
    why="One that is named in `msiResourceId` and not in `identity` cannot be used by the cluster, and creation fails.",
    fix="Add it to `identity.userAssignedIdentities`, with type UserAssigned.",
    source=_GEN2,
)
def assigned(template: Template) -> Iterator[Problem]:
    for cluster in template.clusters:
        whole = at(cluster.body, "identity", "userAssignedIdentities")
        if is_unknown_whole(whole) or any(is_unknown_whole(one) for one in identities(cluster)):
            continue
        for path, used in _used(cluster):
            if isinstance(used, str) and not is_unknown_whole(used) and used.lower() not in identities(cluster):
                yield Problem(
                    path, f"{cluster} uses an identity that it does not have", "add it to `identity` of the cluster"
                )


@rule(
    "X092",
    ERROR,
    "The identity may write to the storage before the cluster is made",
    why="HDInsight tries it out at creation: without the role Storage Blob Data Owner it ends with "
    "StoragePermissionsBlockedForMsi or AmbariClusterCreationFailedErrorCode.",
    fix="Assign Storage Blob Data Owner on the account to the identity, and let the cluster depend on that.",
    source=_GEN2,
)
def may_write(template: Template) -> Iterator[Problem]:
    graph = template.graph
    for index, cluster in enumerate(template.declared):
        if cluster.type.lower() != "microsoft.hdinsight/clusters" or not cluster.is_deployed:
            continue
        for path, account in storage_accounts(cluster):
            msi, storage = at(account, "msiResourceId"), at(account, "resourceId")
            if not isinstance(msi, str) or not (graph.owners(msi) and graph.owners(str(storage))):
                continue  # what this template does not make was given its role elsewhere
            granted = [number for number, one in enumerate(template.declared) if _grants(one, str(msi), str(storage))]
            if not granted:
                yield Problem(
                    path,
                    f"{cluster}: nothing gives its identity the role Storage Blob Data Owner",
                    "add a role assignment on the storage account",
                )
            elif not graph.before(index) & set(granted):
                yield Problem(
                    path,
                    f"{cluster} does not wait for the role of its identity",
                    "add the role assignment to `dependsOn` of the cluster",
                )


def _grants(resource: Resource, msi: str, storage: str) -> bool:
    if not resource.type.lower().endswith(("microsoft.authorization/roleassignments", "providers/roleassignments")):
        return False
    role, principal = (
        at(resource.body, "properties", "roleDefinitionId"),
        at(resource.body, "properties", "principalId"),
    )
    scope, account = parse_id(resource.body.get("scope")), parse_id(storage)
    is_on_it = scope is None or account is None or scope.key == account.key
    name_of_role = str(role).rpartition("/")[2].lower()
    is_owner = not is_known(name_of_role) or name_of_role == BLOB_DATA_OWNER
    return is_on_it and is_owner and _speaks_of(principal, msi)


def _speaks_of(principal: Any, msi: str) -> bool:
    """`reference(<identity>).principalId`; a principal that is given from outside may be the one."""
    text, id = readable(principal).lower(), parse_id(msi)
    if text.startswith("parameters("):
        return True
    return id is not None and readable(id.name).lower() in text
