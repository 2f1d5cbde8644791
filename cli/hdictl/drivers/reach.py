"""How this machine reaches a cluster on HDInsight: its gateway, and its brokers, directly or by an SSH tunnel."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from hdictl.arm.clusters import entra_users
from hdictl.drivers.ambari.client import AmbariClient
from hdictl.drivers.ambari.client import connect as ambari_connect
from hdictl.drivers.azure.data_lake import data_lake
from hdictl.drivers.azure.secrets import SecretText, secret_value
from hdictl.drivers.livy.connect import connect as livy_connect
from hdictl.drivers.livy.jobs import LivyJobs
from hdictl.drivers.livy.staging import SparkCluster
from hdictl.drivers.ssh_client import SshLogin
from hdictl.drivers.ssh_key import private_key_file
from hdictl.drivers.ssh_tunnel import tunnel
from hdictl.errors import NotRunning, TargetUnsupported
from hdictl.plan.cloud import CloudCluster, present
from hdictl.ports.cloud import CloudReader
from hdictl.ports.kafka import Endpoint
from hdictl.stack.model import Stack
from hdictl.stack.place import Secret, SshSecret
from hdictl.stack.resource_names import Names

_KAFKA_PORT = 9092
_SSH_PORT = 22
_SPARK = {"3.3": "3.3.1"}  # of HDInsight 5.1; the jars of a job fit one version


@contextmanager
def ambari_of(stack: Stack, key: str, cloud: CloudReader) -> Iterator[AmbariClient]:
    cluster, living = stack.clusters[key], running(stack, key, cloud)
    if cluster.entra_users:
        raise TargetUnsupported(
            f"the gateway of `{key}` takes Entra users only, and Ambari is asked with user and password",
            where=f"cluster `{key}`",
            fix="name its brokers under `bootstrap`; Ambari itself opens in a browser",
        )
    host, port = living.endpoints.get("HTTPS", (f"{living.name}.azurehdinsight.net", 443))
    with ambari_connect(living.name, host, port, cluster.gateway_user, _gateway_password(stack, key)) as ambari:
        yield ambari


@contextmanager
def livy_jobs(stack: Stack, key: str, cloud: CloudReader) -> Iterator[LivyJobs]:
    """Jobs on a Spark cluster, through its gateway; their folders are in the cluster's own file system."""
    cluster, living = stack.clusters[key], running(stack, key, cloud)
    if cluster.entra_users:
        raise TargetUnsupported(
            f"the gateway of `{key}` takes Entra users only, and Livy is asked with user and password",
            where=f"cluster `{key}`",
            fix="submit its jobs from a node of its network, to http://headnode:8998",
        )
    names = Names(stack)
    account, file_system = names.storage(stack.location_of(key) or ""), names.file_system(key)
    host, port = living.endpoints.get("HTTPS", (f"{living.name}.azurehdinsight.net", 443))
    where = f"Livy of `{living.name}`"
    password = _gateway_password(stack, key)
    with livy_connect(f"https://{host}:{port}/livy", cluster.gateway_user, password, where) as client:
        yield LivyJobs(
            client,
            lambda job: data_lake(account, file_system, f"hdictl/jobs/{job}"),
            SparkCluster(_SPARK[stack.spark_clusters[key].spark], stack.stack, where),
        )


def gateway_settings(stack: Stack, key: str) -> dict[str, Any]:
    """What the gateway of a cluster is told, in the service's words."""
    cluster = stack.clusters[key]
    if cluster.entra_users:
        return {"restAuthEntraUsers": entra_users(cluster)}
    return {
        "restAuthCredential.isEnabled": True,
        "restAuthCredential.username": cluster.gateway_user,
        "restAuthCredential.password": _gateway_password(stack, key),
    }


def _gateway_password(stack: Stack, key: str) -> SecretText:
    return secret_value(stack.secrets.gateway or Secret(), f"gateway password of {key}")


def existing(stack: Stack, key: str, cloud: CloudReader) -> CloudCluster:
    name = stack.azure_name(key)
    return present(name, cloud.cluster(name))


def running(stack: Stack, key: str, cloud: CloudReader) -> CloudCluster:
    living = existing(stack, key, cloud)
    if living.is_failed:
        why = "; ".join(f"{code}: {message}" for code, message in living.errors)
        raise NotRunning(
            f"cluster `{living.name}` is in state {living.state} {why}".rstrip(),
            fix="see hdictl status --target azure",
        )
    return living


def reach(stack: Stack, key: str, cloud: CloudReader, held: ExitStack, folder: Path) -> Endpoint:
    """The brokers by their addresses, which need no name server on this side. A tunnel lives as long as `held`.

    `folder` is that of the stack file, which key files are named from.
    """
    cluster = stack.kafka_clusters[key]
    with ambari_of(stack, key, cloud) as ambari:
        addresses, port = ambari.addresses(), _port(ambari.config("kafka-broker").properties.get("listeners", ""))
        brokers = [addresses[host] for host in ambari.brokers() if host in addresses]
    proxy = cluster.proxy
    if proxy is None and cluster.access == "ssh":
        proxy = held.enter_context(tunnel(*ssh_login(stack, running(stack, key, cloud), folder)))
    return Endpoint(key, ",".join(f"{ip}:{port}" for ip in brokers), cluster_id=cluster.cluster_id, proxy=proxy)


def _port(listeners: str) -> int:
    """Of the first listener: `PLAINTEXT://localhost:9092,…`"""
    found = re.search(r":(\d+)\s*(?:,|$)", listeners)
    return int(found[1]) if found else _KAFKA_PORT


def ssh_login(stack: Stack, living: CloudCluster, folder: Path) -> SshLogin:
    """At the head node, by what the stack says about SSH."""
    ssh = stack.secrets.ssh or SshSecret()
    host, port = living.endpoints.get("SSH", (f"{living.name}-ssh.azurehdinsight.net", _SSH_PORT))
    password: SecretText | None = None
    if ssh.password is not None:
        password = secret_value(ssh.password, f"SSH password of {living.name}")
    return SshLogin(host, port, ssh.user, private_key_file(stack, folder), password)
