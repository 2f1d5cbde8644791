"""How each field of an HDInsight cluster behaves when it changes: one table, a reason and a source a row.

A template that is deployed again does not change a cluster, so nothing here is left to that: either there is an API for
it, or it takes a new cluster.
"""

from __future__ import annotations

from hdictl.plan.change import Action
from hdictl.plan.rules import Behaviour, FieldRule

_PROVISION = "Microsoft Learn: hdinsight-hadoop-provision-linux-clusters"
_BESIDE = "make a new cluster beside this one, mirror the topics and move the clients"


def _fixed(reason: str, source: str = _PROVISION) -> FieldRule:
    return FieldRule(Behaviour.REPLACES, reason, source, action=Action.REPLACE, is_irreversible=True)


def _never(reason: str, source: str, fix: str = f"keep it as it is, or {_BESIDE}") -> FieldRule:
    return FieldRule(Behaviour.REFUSED, reason, source, action=Action.REPLACE, refusal_fix=fix)


def _api(reason: str, source: str) -> FieldRule:
    return FieldRule(Behaviour.IN_PLACE, reason, source)


CLUSTER_RULES: dict[str, FieldRule] = {
    "workers.count": FieldRule(
        Behaviour.GROWS_ONLY,
        reason="workers are added by a resize; Kafka never gives one back",
        source="HDInsight REST: roles/workernode/resize; InvalidKafkaScaleDownRequestErrorCode",
        refusal_fix=f"keep the larger number, or {_BESIDE}",
        warning="the service cannot take brokers away again; new ones hold nothing until partitions are moved to them",
        is_irreversible=True,
    ),
    "autoscale": _api("autoscale has an API of its own", "HDInsight REST: roles/workernode/autoscale"),
    "tags": _api("tags are patched", "HDInsight REST: PATCH clusters"),
    "encryption.key.version": _api(
        "another version of the same key is a rotation", "HDInsight REST: rotatediskencryptionkey"
    ),
    "monitoring": _api("the Azure Monitor Agent is switched by an extension", "HDInsight REST: azureMonitorAgent"),
    "workers.size": _fixed("the size of nodes is fixed at creation", "azure-docs issue 28019"),
    "head.size": _fixed("the size of nodes is fixed at creation", "azure-docs issue 28019"),
    "zookeeper.size": _fixed("the size of nodes is fixed at creation", "azure-docs issue 28019"),
    "management.size": _fixed("the size of nodes is fixed at creation", "azure-docs issue 28019"),
    "location": _fixed("a cluster cannot move to another region"),
    "version": _fixed("there is no upgrade in place", "Microsoft Learn: kafka-faq"),
    "kind": _fixed("what a cluster runs is fixed at creation"),
    "component": _fixed("there is no upgrade in place", "Microsoft Learn: kafka-faq"),
    "tier": _fixed("the Enterprise Security Package is chosen at creation"),
    "subnet": _fixed("a cluster cannot move to another subnet"),
    "storage": _fixed("the default storage is fixed at creation"),
    "ssh.user": _fixed("the SSH user is fixed at creation"),
    "zone": _fixed("the availability zone is fixed at creation"),
    "tls": _fixed("the lowest TLS version is set at creation"),
    "rest_proxy": _fixed("the REST proxy is chosen at creation"),
    "security": _fixed("the domain is joined at creation"),
    "gateway": _fixed("Entra or password is chosen once, for the life of the cluster"),
    "network.connection": _fixed("the connection to HDInsight is chosen at creation"),
    "network.private_link": _fixed("private link is chosen at creation"),
    "network.dependencies": _fixed("who keeps dependencies reachable is chosen at creation"),
    "encryption.in_transit": _fixed("encryption in transit is chosen at creation"),
    "encryption.at_host": _fixed("encryption at host is chosen at creation"),
    "workers.disks": _never("disks cannot be added or taken away later", "Microsoft Learn: kafka-faq"),
    "encryption.key": _never(
        "a key of one's own is chosen at creation; only its version can change", "Microsoft Learn: disk-encryption"
    ),
}

# The service does not return these, or not in the API version that clusters are read with: absence says nothing.
OFTEN_HIDDEN = frozenset(
    {"gateway", "ssh.user", "tls", "storage", "subnet", "encryption.key.version", "network.dependencies"}
)
