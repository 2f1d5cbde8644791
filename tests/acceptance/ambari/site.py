"""A stack with one Kafka cluster that runs in the fake cloud, with an Ambari behind its gateway."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.fakes.azure import FakeCloud
from tests.fakes.azure.ambari import AmbariWorld, adopt, attach
from tests.fakes.azure.hdinsight.cluster import grow_hosts
from tests.fakes.azure.names import SUBSCRIPTION_ID
from tests.workspace import Outcome, Workspace

GROUP = "rg-clickstream"
PUBLIC_KEY = Path(__file__).parents[2] / "invariants" / "stacks" / "keys" / "ops_rsa.pub"
CANARY = "Canary-Pass-7731!"


def role(name: str, count: int) -> dict[str, Any]:
    profile = {"linuxOperatingSystemProfile": {"username": "sshuser"}}
    size = {"vmSize": "Standard_E4_v3"}
    return {"name": name, "targetInstanceCount": count, "hardwareProfile": size, "osProfile": profile}


def cluster_body() -> dict[str, Any]:
    gateway = {
        "restAuthCredential.isEnabled": True,
        "restAuthCredential.username": "admin",
        "restAuthCredential.password": CANARY,
    }
    definition = {"kind": "kafka", "componentVersion": {"Kafka": "3.2"}, "configurations": {"gateway": gateway}}
    roles = [role("headnode", 2), role("workernode", 3), role("zookeepernode", 3)]
    properties = {"clusterVersion": "5.1", "clusterDefinition": definition, "computeProfile": {"roles": roles}}
    return {"location": "westeurope", "tags": {"hdictl-stack": "clickstream"}, "properties": properties}


class Site(Workspace):
    """A workspace whose stack has one Kafka cluster, which runs in the fake cloud."""

    cloud: FakeCloud
    world: AmbariWorld

    def declare(self, **cluster: Any) -> None:
        self.write(
            {
                "stack": "clickstream",
                "azure": {"subscription": SUBSCRIPTION_ID, "resource_group": GROUP, "location": "westeurope"},
                "secrets": {"gateway": {"env": "GATEWAY_PASSWORD"}, "ssh": {"public_key_file": str(PUBLIC_KEY)}},
                "network": {"westeurope": {"address_space": "10.20.0.0/16", "subnets": {"ingest": "10.20.1.0/24"}}},
                "clusters": {"ingest": {"kind": "kafka", "workers": {"count": 3}, **cluster}},
            }
        )

    def ambari(self, *arguments: str, **how: Any) -> Outcome:
        outcome = self.run("ambari", *arguments, **how)
        assert CANARY not in outcome.out + outcome.err
        return outcome


@contextmanager
def open_site(folder: Path) -> Iterator[Site]:
    """Whatever is done there, the gateway's password is in no output, no file and nowhere in the cloud."""
    with FakeCloud(pace=0.02) as cloud:
        site = Site(folder, "azure", {**cloud.environ(), "GATEWAY_PASSWORD": CANARY})
        cloud.group(GROUP)
        made = cloud.resource(cloud.id(GROUP, "Microsoft.HDInsight/clusters", "ingest-clickstream"), cluster_body())
        made.properties["clusterState"] = "Running"
        grow_hosts(made)
        site.cloud = cloud
        site.world = adopt(attach(cloud), made)
        site.declare(bootstrap=["10.20.1.15:9092"])
        yield site
        assert cloud.violations == []
        assert CANARY not in cloud.dump()
        kept = [file for file in folder.rglob("*") if file.is_file()]
        assert not [file for file in kept if CANARY.encode() in file.read_bytes()]
