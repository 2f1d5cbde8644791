"""C: the Enterprise Security Package."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hdictl.stack.check.context import Context, is_known
from hdictl.stack.check.identifiers import is_resource_id
from hdictl.stack.check.registry import ERROR, WARNING, Problem, rule
from hdictl.stack.clusters import SecurityProfile
from hdictl.stack.shown import shown
from hdictl.stack.source import Path

_LDAPS = re.compile(r"ldaps://[A-Za-z0-9.-]+:636\Z")
_DIRECTORY = "Microsoft.AAD/domainServices"
_IDENTITY = "Microsoft.ManagedIdentity/userAssignedIdentities"
_ESP = "Microsoft Learn: apache-domain-joined-configure-using-azure-adds"


def _profiles(context: Context) -> Iterator[tuple[str, Path, SecurityProfile]]:
    for key, cluster in context.stack.clusters.items():
        if cluster.security:
            yield key, ("clusters", key, "security"), cluster.security


@rule(
    "C020",
    ERROR,
    "The directory is reached by ldaps:// on port 636",
    why="HDInsight speaks secure LDAP only; Microsoft Entra Domain Services offers it on 636.",
    fix="Write ldaps://<domain>:636.",
    source=_ESP,
)
def ldaps(context: Context) -> Iterator[Problem]:
    for key, path, security in _profiles(context):
        for index, url in enumerate(security.ldaps):
            if is_known(url) and not _LDAPS.match(url):
                yield Problem(
                    f"cluster:{key}",
                    (*path, "ldaps", index),
                    f"`{shown(url)}` is not an address of secure LDAP",
                    "write ldaps://example.onmicrosoft.com:636",
                )


@rule(
    "C021",
    ERROR,
    "Directory and identity of a security profile are ids of such resources",
    why="The service takes the whole resource id, and of the right type; a name or an object id is refused.",
    fix="Take the id that `az resource show --query id` prints.",
    source=_ESP,
)
def resource_ids(context: Context) -> Iterator[Problem]:
    for key, path, security in _profiles(context):
        for field, type, written in (
            ("directory", _DIRECTORY, security.directory),
            ("identity", _IDENTITY, security.identity),
        ):
            if is_known(written) and not is_resource_id(written, type):
                yield Problem(
                    f"cluster:{key}",
                    (*path, field),
                    f"`{shown(written)}` is not the resource id of a {type}",
                    f"write /subscriptions/<guid>/resourceGroups/<group>/providers/{type}/<name>",
                )


@rule(
    "C022",
    WARNING,
    "A Kafka cluster has no Enterprise Security Package without a trial",
    why="Microsoft's documents contradict each other on whether it can be had with Kafka on HDInsight 5.1.",
    fix="Try it with a small cluster first, then waive this rule; or leave `security` out.",
    source="Microsoft Learn: hdinsight-hadoop-provision-linux-clusters; hdinsight-release-notes",
    varies=True,
)
def security_on_kafka(context: Context) -> Iterator[Problem]:
    for key, cluster in context.kafka() if context.target == "azure" else ():
        if cluster.security:
            yield Problem(
                f"cluster:{key}",
                ("clusters", key, "security"),
                f"whether HDInsight {cluster.version} makes a Kafka cluster with the Enterprise Security Package is "
                "not certain",
                f"try it with a small cluster, then waive C022 for cluster:{key}",
            )


@rule(
    "C029",
    WARNING,
    "The VNet of a cluster in a domain asks the domain's DNS servers",
    why="Nodes find the domain by DNS while the cluster is made; Azure's own servers do not know it.",
    fix="Set `dns` of the region to the addresses of the domain controllers, and peer the VNet with theirs.",
    source=_ESP,
)
def domain_dns(context: Context) -> Iterator[Problem]:
    for key, path, _ in _profiles(context):
        region = context.location(context.stack.clusters[key])
        network = context.stack.network.get(region or "")
        if network is not None and not network.dns:
            yield Problem(
                f"cluster:{key}",
                path,
                f"cluster `{key}` joins a domain, and network.{region} names no DNS servers",
                f"set network.{region}.dns to the addresses of the domain controllers",
            )
