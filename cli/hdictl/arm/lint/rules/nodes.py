"""X11: roles of nodes: which, how many, of what size."""

from __future__ import annotations

from collections.abc import Iterator

from hdictl.arm.lint.clusters import are_roles_listed, kind, role_name, roles
from hdictl.arm.lint.fields import at, sequence
from hdictl.arm.lint.marks import is_known
from hdictl.arm.lint.registry import ERROR, WARNING, Problem, rule
from hdictl.arm.lint.template import Template
from hdictl.stack.shown import shown
from hdictl.stack.suggest import did_you_mean
from hdictl.stack.vm_sizes import VM_SIZES, Role, vm_size

FIXED = {"headnode": 2, "zookeepernode": 3, "kafkamanagementnode": 2}
_ROLES = ("headnode", "workernode", "zookeepernode", "kafkamanagementnode", "edgenode")
_SIZE_ROLES = {"headnode": Role.HEAD, "workernode": Role.WORKER, "zookeepernode": Role.ZOOKEEPER}
_BILLING_SPECS = "HDInsight billingSpecs (East US)"
_STARTED = "Microsoft Learn: apache-kafka-get-started"


@rule(
    "X110",
    ERROR,
    "A cluster has the roles of its kind, each once",
    why="Every cluster has head nodes and workers, Kafka also ZooKeeper nodes; management nodes belong to Kafka alone. "
    "The service refuses the document (InvalidDocumentErrorCode).",
    fix="Add the role that is missing; remove the one that is too many.",
    source=_BILLING_SPECS,
)
def complete(template: Template) -> Iterator[Problem]:
    for cluster in template.clusters:
        if not are_roles_listed(cluster):
            continue
        is_kafka = kind(cluster) == "kafka"
        names = [role_name(role) for _, role in roles(cluster)]
        wanted = ("headnode", "workernode", *(("zookeepernode",) if is_kafka else ()))
        for lacking in [name for name in wanted if name not in names]:
            yield Problem(
                (*cluster.path, "properties", "computeProfile"), f"{cluster} has no role `{lacking}`", f"add {lacking}"
            )
        for path, role in roles(cluster):
            name = role_name(role)
            if name not in _ROLES or (name == "kafkamanagementnode" and not is_kafka and kind(cluster)):
                near = did_you_mean(name, _ROLES)
                yield Problem((*path, "name"), f"{cluster}: no role `{shown(name)}` on this kind{near}", "remove it")
            elif names.count(name) > 1:
                yield Problem((*path, "name"), f"{cluster} has the role `{name}` twice", "remove one")


@rule(
    "X111",
    WARNING,
    "ZooKeeper nodes are written out",
    why="A cluster without the role gets three Standard_A2_v2, and nothing in the template says so.",
    fix="Add the role zookeepernode with 3 nodes.",
    source="Requests recorded by azure-cli",
)
def zookeeper(template: Template) -> Iterator[Problem]:
    for cluster in template.clusters:
        names = [role_name(role) for _, role in roles(cluster)]
        if are_roles_listed(cluster) and kind(cluster) in ("spark", "hbase") and "zookeepernode" not in names:
            yield Problem(
                (*cluster.path, "properties", "computeProfile"),
                f"{cluster} gets ZooKeeper nodes of the smallest size",
                "add the role zookeepernode",
            )


@rule(
    "X112",
    ERROR,
    "Roles have the number of nodes that they can have",
    why="Head nodes are 2, ZooKeeper nodes 3, Kafka's management nodes 2; workers are at least 1. The service refuses "
    "anything else.",
    fix="Write that number.",
    source=_STARTED,
)
def counts(template: Template) -> Iterator[Problem]:
    for cluster in template.clusters:
        for path, role in roles(cluster):
            name, count = role_name(role), role.get("targetInstanceCount")
            if name not in (*FIXED, "workernode") or not is_known(count):
                continue
            if name in FIXED and count != FIXED[name]:
                wanted = str(FIXED[name])
            elif name == "workernode" and not (isinstance(count, int) and count >= 1):
                wanted = "at least 1"
            else:
                continue
            yield Problem(
                (*path, "targetInstanceCount"),
                f"{cluster}: {name} is {wanted}, not `{shown(count)}`",
                f"write {wanted}",
            )


@rule(
    "X113",
    WARNING,
    "Kafka has at least three workers",
    why="With fewer than three brokers a partition cannot have three replicas, and no broker may fail.",
    fix="Write 3 or more.",
    source=_STARTED,
)
def brokers(template: Template) -> Iterator[Problem]:
    for cluster in template.clusters:
        for path, role in roles(cluster):
            count = role.get("targetInstanceCount")
            if (
                kind(cluster) == "kafka"
                and role_name(role) == "workernode"
                and isinstance(count, int)
                and 0 < count < 3
            ):
                yield Problem((*path, "targetInstanceCount"), f"{cluster} has {count} brokers", "write 3 or more")


@rule(
    "X114",
    ERROR,
    "VM sizes are ones that HDInsight offers for the role",
    why="The service refuses another size (InvalidDocumentErrorCode). F sizes are for workers only, Standard_A2_v2 for "
    "ZooKeeper only.",
    fix="Take the suggested size.",
    source=_BILLING_SPECS,
)
def sizes(template: Template) -> Iterator[Problem]:
    for cluster in template.clusters:
        for path, role in roles(cluster):
            size = at(role, "hardwareProfile", "vmSize")
            if not is_known(size):
                continue
            where = (*path, "hardwareProfile", "vmSize")
            found, wanted = vm_size(str(size)), _SIZE_ROLES.get(role_name(role))
            if size is None:
                yield Problem(path, f"{cluster}: {role_name(role)} has no size", "set `hardwareProfile.vmSize`")
            elif found is None:
                near = did_you_mean(str(size), VM_SIZES)
                yield Problem(
                    where,
                    f"{cluster}: `{shown(size)}` is no size of HDInsight{near}",
                    "take one such as Standard_E4_v3",
                )
            elif wanted is not None and wanted not in found.roles:
                yield Problem(
                    where,
                    f"{cluster}: {found.name} is not offered for {role_name(role)}",
                    "take Standard_E4_v3 or larger",
                )


@rule(
    "X115",
    ERROR,
    "Brokers have data disks, and no more than their size takes",
    why="Kafka keeps its log on them and cannot have them added later; other kinds have none. A size takes two a core.",
    fix="Set `dataDisksGroups` to [{disksPerNode: n}] on the workers of Kafka.",
    source=f"{_BILLING_SPECS}: maxDataDiskCount",
)
def disks(template: Template) -> Iterator[Problem]:
    for cluster in template.clusters:
        for path, role in roles(cluster):
            groups = role.get("dataDisksGroups")
            is_broker = kind(cluster) == "kafka" and role_name(role) == "workernode"
            if is_broker and groups is None:
                yield Problem(path, f"{cluster}: its brokers have no data disks", "set `dataDisksGroups`")
            if groups and kind(cluster) not in ("kafka", "hbase", None):
                yield Problem((*path, "dataDisksGroups"), f"{cluster}: only Kafka has data disks", "remove it")
            size = vm_size(str(at(role, "hardwareProfile", "vmSize")))
            for index, group in enumerate(sequence(groups)):
                count = at(group, "disksPerNode")
                if not isinstance(count, int) and is_known(count):
                    count = 0
                if isinstance(count, int) and not 1 <= count <= (size.max_disks if size else count):
                    limit = f"1–{size.max_disks}" if size else "at least 1"
                    yield Problem(
                        (*path, "dataDisksGroups", index),
                        f"{cluster}: {count} disks a node on {size.name if size else 'this size'}",
                        f"write {limit}",
                    )


@rule(
    "X116",
    ERROR,
    "Autoscale is on workers, of a kind that has it, with limits that make sense",
    why="Kafka has no autoscale, as its data does not move by itself. Capacity needs min ≤ max.",
    fix="Remove `autoscale`, or mend its limits.",
    source="Microsoft Learn: hdinsight-autoscale-clusters",
)
def autoscale(template: Template) -> Iterator[Problem]:
    for cluster in template.clusters:
        for path, role in roles(cluster):
            if role.get("autoscale") is None:
                continue
            where = (*path, "autoscale")
            if kind(cluster) == "kafka":
                yield Problem(where, f"{cluster}: Kafka has no autoscale", "remove it")
            elif role_name(role) != "workernode":
                yield Problem(where, f"{cluster}: {role_name(role)} has no autoscale", "move it to workernode")
            least, most = (at(role, "autoscale", "capacity", f"{one}InstanceCount") for one in ("min", "max"))
            if isinstance(least, int) and isinstance(most, int) and least > most:
                yield Problem(where, f"{cluster}: autoscale from {least} to {most}", "write min ≤ max")
