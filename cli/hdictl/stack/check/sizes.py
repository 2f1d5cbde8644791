"""C: VM sizes of nodes."""

from __future__ import annotations

from collections.abc import Iterator

from hdictl.stack.check.context import Context, is_known
from hdictl.stack.check.registry import ERROR, WARNING, Problem, rule
from hdictl.stack.clusters import AnyCluster, KafkaCluster
from hdictl.stack.shown import shown
from hdictl.stack.source import Path
from hdictl.stack.suggest import did_you_mean
from hdictl.stack.vm_sizes import DEFAULT_HEAD, DEFAULT_ZOOKEEPER, Role, sizes_for, vm_size

_BILLING_SPECS = "HDInsight billingSpecs (East US)"


def _sizes(key: str, cluster: AnyCluster) -> Iterator[tuple[Role, Path, str]]:
    """Every size that the stack names for a cluster."""
    if cluster.head:
        yield Role.HEAD, ("clusters", key, "head", "size"), cluster.head.size
    if cluster.zookeeper:
        yield Role.ZOOKEEPER, ("clusters", key, "zookeeper", "size"), cluster.zookeeper.size
    yield Role.WORKER, ("clusters", key, "workers", "size"), cluster.workers.size
    if isinstance(cluster, KafkaCluster) and cluster.rest_proxy:
        yield Role.MANAGEMENT, ("clusters", key, "rest_proxy", "size"), cluster.rest_proxy.size


def _all_sizes(context: Context) -> Iterator[tuple[str, Role, Path, str]]:
    for key, cluster in context.stack.clusters.items():
        for role, path, size in _sizes(key, cluster):
            if is_known(size):
                yield key, role, path, size


@rule(
    "C002",
    ERROR,
    "Every VM size is one that HDInsight offers",
    why="A size that the service does not know fails the deployment (InvalidDocumentErrorCode); the "
    "original A series was retired in August 2024.",
    fix="Take the suggested size; one that is newer than this list can be waived.",
    source=_BILLING_SPECS,
)
def known_size(context: Context) -> Iterator[Problem]:
    for key, role, path, size in _all_sizes(context):
        if vm_size(size) is None:
            yield Problem(
                f"cluster:{key}",
                path,
                f"`{shown(size)}` is not a VM size of HDInsight{did_you_mean(size, sizes_for(role))}",
                "take one such as Standard_E4_v3, Standard_E8_v3 or Standard_D13_v2",
            )


@rule(
    "C003",
    ERROR,
    "Every VM size is offered for the role it has",
    why="HDInsight offers sizes by role: F sizes for workers only, Standard_A2_v2 for ZooKeeper only.",
    fix="Take a size that is offered for that role.",
    source=_BILLING_SPECS,
)
def size_for_role(context: Context) -> Iterator[Problem]:
    for key, role, path, size in _all_sizes(context):
        found = vm_size(size)
        if found and role not in found.roles:
            offered = " and ".join(sorted(other.value for other in found.roles))
            yield Problem(
                f"cluster:{key}",
                path,
                f"{found.name} is offered for {offered} nodes, not for {role.value} nodes",
                "take one such as Standard_E4_v3 or Standard_E8_v3",
            )


@rule(
    "C004",
    WARNING,
    "VM sizes are spelt as Azure spells them",
    why="Azure does not mind case, people who search for a size do.",
    fix="Take the suggested spelling.",
    source=_BILLING_SPECS,
)
def size_spelling(context: Context) -> Iterator[Problem]:
    for key, _, path, size in _all_sizes(context):
        found = vm_size(size)
        if found and found.name != size:
            yield Problem(f"cluster:{key}", path, f"`{size}` is spelt `{found.name}`", f"write {found.name}")


@rule(
    "C009",
    ERROR,
    "Encryption at host has sizes that support it, for every role",
    why="Only some families do (D*a_v4, D*ads_v5, DS*_v2, E*a_v4, E*ads_v5); the defaults Standard_E4_v3, "
    "Standard_E8_v3 and, for ZooKeeper, Standard_A4_v2 and Standard_A2_v2 do not.",
    fix="Take a size such as Standard_E8a_v4 for every role, or leave `at_host` out.",
    source=f"{_BILLING_SPECS}: vmSizesWithEncryptionAtHost",
)
def at_host(context: Context) -> Iterator[Problem]:
    for key, cluster in context.stack.clusters.items():
        if not cluster.encryption.at_host:
            continue
        named = {Role.HEAD: DEFAULT_HEAD[cluster.kind], Role.ZOOKEEPER: DEFAULT_ZOOKEEPER[cluster.kind]}
        named |= {role: size for role, _, size in _sizes(key, cluster)}
        found = {role: vm_size(name) for role, name in named.items()}
        lacking = [
            f"{size.name} ({role.value})" for role, size in found.items() if size and not size.can_encrypt_at_host
        ]
        if lacking:
            yield Problem(
                f"cluster:{key}",
                ("clusters", key, "encryption", "at_host"),
                f"{', '.join(lacking)} cannot encrypt at host",
                "take sizes such as Standard_E4a_v4 or Standard_E8ads_v5 for head, workers, ZooKeeper and management",
            )
