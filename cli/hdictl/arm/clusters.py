"""Clusters: what the stack says of one, as the values of the module that makes it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from hdictl.arm.keys import other_group, vault_of
from hdictl.arm.modules import Call
from hdictl.arm.secure import GATEWAY, SSH, domain_parameter, parameter
from hdictl.arm.storages import storage_of
from hdictl.errors import UsageError
from hdictl.stack.clusters import AnyCluster, Cluster, Encryption, KafkaCluster, SecurityProfile, SparkCluster
from hdictl.stack.model import Stack
from hdictl.stack.place import SshSecret
from hdictl.stack.resource_names import Names
from hdictl.stack.vm_sizes import DEFAULT_HEAD, DEFAULT_ZOOKEEPER

NO_SECRET = ""  # for a secure parameter that the module does not look at


def cluster_calls(stack: Stack, names: Names, clusters: Iterable[str], public_key: str | None) -> Iterator[Call]:
    for key in sorted(clusters):
        cluster = stack.clusters[key]
        region = region_of(stack, key)
        after = storage_of(names, region, key)
        if cluster.encryption.key is not None:
            after += vault_of(cluster.encryption.key)
        values = {
            **_place(stack, names, key, region),
            **_nodes(cluster),
            **_gateway(cluster),
            **_login(stack.secrets.ssh, public_key),
            **_scripts(cluster),
            **_network(cluster),
            **_encryption(stack, cluster.encryption),
            **_domain(key, cluster.security),
            **(_kafka(cluster) if isinstance(cluster, KafkaCluster) else _spark(cluster)),
        }
        yield Call(cluster.kind, values, after)


def region_of(stack: Stack, key: str) -> str:
    """A cluster's region, which has a network with a subnet for it."""
    region = stack.location_of(key) or ""
    if region not in stack.network or stack.subnet_of(key) not in stack.network[region].subnets:
        raise UsageError(
            f"the region {region} has no subnet `{stack.subnet_of(key)}` for cluster `{key}`",
            where=f"network.{region}",
            fix=f"add `{region}: {{address_space: …, subnets: {{{stack.subnet_of(key)}: …}}}}` under network",
        )
    return region


def _place(stack: Stack, names: Names, key: str, region: str) -> dict[str, Any]:
    cluster = stack.clusters[key]
    return {
        "name": stack.azure_name(key),
        "location": region,
        "tags": names.tags(key),
        "clusterVersion": cluster.version,
        "zone": cluster.zone or "",
        "vnet": names.vnet(region),
        "subnet": stack.subnet_of(key),
        "identity": names.identity(region),
        "storageAccount": names.storage(region),
        "fileSystem": names.file_system(key),
    }


def _nodes(cluster: AnyCluster) -> dict[str, Any]:
    return {
        "headSize": cluster.head.size if cluster.head else DEFAULT_HEAD[cluster.kind],
        "zookeeperSize": cluster.zookeeper.size if cluster.zookeeper else DEFAULT_ZOOKEEPER[cluster.kind],
        "workerSize": cluster.workers.size,
        "workers": cluster.workers.count,
    }


def _kafka(cluster: KafkaCluster) -> dict[str, Any]:
    proxy = cluster.rest_proxy
    values: dict[str, Any] = {"kafkaVersion": cluster.kafka, "disksPerWorker": cluster.workers.disks}
    if proxy is not None:
        proxied = {"restProxyGroup": proxy.group, "restProxyGroupId": proxy.group_id, "restProxySize": proxy.size}
        values.update(proxied)
    return values


def _spark(cluster: SparkCluster) -> dict[str, Any]:
    autoscale = cluster.autoscale
    if autoscale is None:
        return {"sparkVersion": cluster.spark}
    return {
        "sparkVersion": cluster.spark,
        "autoscaleMinimum": autoscale.min,
        "autoscaleMaximum": autoscale.max,
        "autoscaleTimeZone": autoscale.timezone,
        "autoscaleSchedule": [
            {"days": entry.days, "time": entry.at, "workers": entry.workers}
            for _, entry in sorted(autoscale.schedule.items())
        ],
    }


def _gateway(cluster: Cluster) -> dict[str, Any]:
    if not cluster.entra_users:
        return {"gatewayUser": cluster.gateway_user, "gatewayPassword": parameter(GATEWAY)}
    return {"entraUsers": entra_users(cluster), "gatewayPassword": NO_SECRET}


def entra_users(cluster: Cluster) -> list[dict[str, str]]:
    """Who may come in at a gateway without a password, in the service's words."""
    return [
        {"objectId": user.object_id, "displayName": name, "upn": user.upn}
        for name, user in sorted(cluster.entra_users.items())
    ]


def _login(ssh: SshSecret | None, public_key: str | None) -> dict[str, Any]:
    ssh = ssh or SshSecret()
    if ssh.public_key_file is None:
        return {"sshUser": ssh.user, "sshPassword": parameter(SSH)}
    if public_key is None:
        raise UsageError(
            "the public key was not read",
            where="secrets.ssh.public_key_file",
            fix=f"see that {ssh.public_key_file} is there",
        )
    return {"sshUser": ssh.user, "sshPublicKey": public_key.strip(), "sshPassword": NO_SECRET}


def _scripts(cluster: Cluster) -> dict[str, Any]:
    """In the stack's order: it is the order in which they run."""
    return {
        f"{role}Scripts": [
            {"name": name, "uri": script.uri, "parameters": script.parameters}
            for name, script in cluster.scripts.items()
            if role in script.on
        ]
        for role in ("head", "worker", "zookeeper")
    }


def _network(cluster: Cluster) -> dict[str, Any]:
    return {
        "minimumTls": cluster.tls,
        "connection": cluster.network.connection.capitalize(),
        "privateLink": cluster.network.private_link,
        "outboundDependencies": (cluster.network.dependencies or "").capitalize(),
    }


def _encryption(stack: Stack, encryption: Encryption) -> dict[str, Any]:
    values: dict[str, Any] = {
        "encryptionInTransit": encryption.in_transit,
        "encryptionAtHost": encryption.at_host,
    }
    key = encryption.key
    if key is not None:
        values["keyVault"] = key.keyvault
        values["keyVaultGroup"] = other_group(stack, key.resource_group) or ""
        values["keyName"] = key.name
        values["keyVersion"] = key.version or ""
    return values


def _domain(key: str, security: SecurityProfile | None) -> Mapping[str, Any]:
    if security is None:
        return {"domainPassword": NO_SECRET}
    return {
        "domain": security.domain,
        "domainDirectory": security.directory,
        "domainAddresses": security.ldaps,
        "domainUser": security.user,
        "domainPassword": parameter(domain_parameter(key)),
        "domainGroups": security.groups,
        "domainUnit": security.organizational_unit or "",
        "domainIdentity": security.identity,
    }
