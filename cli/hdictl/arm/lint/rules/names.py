"""X05: names, and what must not be shared."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from hdictl.arm.lint.clusters import storage_accounts, vnet_of
from hdictl.arm.lint.marks import is_known
from hdictl.arm.lint.registry import ERROR, Problem, rule
from hdictl.arm.lint.template import Template
from hdictl.stack.shown import shown

_CLUSTER = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{1,57}[A-Za-z0-9]")
_STORAGE = re.compile(r"[a-z0-9]{3,24}")
_PROVISION = "Microsoft Learn: hdinsight-hadoop-provision-linux-clusters"
_RULES_OF_NAMES = "Microsoft Learn: resource-name-rules"


@rule(
    "X050",
    ERROR,
    "No two resources have one type and one name",
    why="Azure refuses the template: the resource is defined multiple times.",
    fix="Rename one, or remove it.",
    source="Microsoft Learn: error-invalid-template",
)
def unique(template: Template) -> Iterator[Problem]:
    deployed = [one for one in template.resources if one.condition is True and one.name]
    # An extension may have one name on many resources.
    ordered = sorted(deployed, key=lambda one: (*one.key, str(one.body.get("scope", "")).lower()))
    for _, same in groupby(ordered, key=lambda one: (*one.key, str(one.body.get("scope", "")).lower())):
        first, *others = sorted(same, key=lambda one: one.path)
        for other in others:
            yield Problem((*other.path, "name"), f"{first} is there twice", "rename one, or remove it")


@rule(
    "X051",
    ERROR,
    "The first six characters of cluster names are unique in a VNet",
    why="Host names of nodes are wn0-<first six>…, so `stream-kafka` and `stream-spark` in one VNet get the same ones "
    "and the second cluster fails.",
    fix="Put what differs first: kafka-stream, spark-stream.",
    source=_PROVISION,
)
def first_six(template: Template) -> Iterator[Problem]:
    seen: dict[tuple[str, str], str] = {}
    for cluster in template.clusters:
        vnet = vnet_of(cluster)
        six = cluster.name[:6].lower()
        if vnet is None or not is_known(six):
            continue
        other = seen.setdefault((vnet.lower(), six), cluster.name)
        if other.lower() != cluster.name.lower():
            yield Problem(
                (*cluster.path, "name"),
                f"clusters `{other}` and `{cluster.name}` are in one VNet and both begin with `{six}`",
                "put what differs first",
            )


@rule(
    "X052",
    ERROR,
    "Storage accounts are named in 3–24 lower-case letters and digits",
    why="The name is a part of an address and unique in the world; Azure refuses anything else.",
    fix="Leave out capitals, hyphens and dots, and shorten it.",
    source=_RULES_OF_NAMES,
)
def storage(template: Template) -> Iterator[Problem]:
    for account in template.of_type("Microsoft.Storage/storageAccounts"):
        if is_known(account.name) and account.name and not _STORAGE.fullmatch(account.name):
            yield Problem(
                (*account.path, "name"),
                f"`{shown(account.name)}` is no name of a storage account",
                "write 3–24 lower-case letters and digits",
            )


@rule(
    "X053",
    ERROR,
    "Clusters are named in 3–59 letters, digits and hyphens",
    why="The name becomes <name>.azurehdinsight.net; the service refuses anything else, and keeps `apps` for itself.",
    fix="Shorten or mend the name.",
    source=_PROVISION,
)
def cluster(template: Template) -> Iterator[Problem]:
    for one in template.clusters:
        if is_known(one.name) and one.name and (not _CLUSTER.fullmatch(one.name) or one.name.lower() == "apps"):
            yield Problem(
                (*one.path, "name"),
                f"`{shown(one.name)}` is no name of a cluster",
                "write 3–59 letters, digits and hyphens, neither first nor last a hyphen",
            )


@rule(
    "X054",
    ERROR,
    "Every cluster has a file system of its own",
    why="Clusters that share a file system or container overwrite each other's files; the service does not notice.",
    fix="Give each cluster its own `fileSystem` or `container`.",
    source="Microsoft Learn: hdinsight-hadoop-provision-linux-clusters, storage",
)
def file_systems(template: Template) -> Iterator[Problem]:
    seen: dict[tuple[str, str], str] = {}
    for one in template.clusters:
        for path, account in storage_accounts(one):
            inside = account.get("fileSystem") or account.get("container")
            if account.get("isDefault") is not True or not inside:
                continue
            host = str(account.get("name", "")).partition(".")[0].lower()
            other = seen.setdefault((host, str(inside).lower()), one.name)
            if other.lower() != one.name.lower():
                yield Problem(
                    path, f"clusters `{other}` and `{one.name}` share the file system `{inside}`", "give each its own"
                )
