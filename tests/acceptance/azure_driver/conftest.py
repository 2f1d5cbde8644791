"""The real SDK, over TLS, against the fake cloud."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from hdictl.drivers.azure.connect import connect
from hdictl.drivers.azure.settings import settings
from hdictl.ports.cloud import Cloud
from hdictl.stack.model import Stack
from tests.fakes.azure import FakeCloud
from tests.fakes.azure.hdinsight.cluster import grow_hosts
from tests.fakes.azure.names import SUBSCRIPTION_ID

GROUP = "rg-clickstream"
CLUSTER = "Microsoft.HDInsight/clusters"


def stack(subscription: str = SUBSCRIPTION_ID) -> Stack:
    azure = {"subscription": subscription, "resource_group": GROUP, "location": "westeurope"}
    return Stack.model_validate({"stack": "clickstream", "azure": azure})


def role(name: str, count: int, **more: Any) -> dict[str, Any]:
    profile = {"linuxOperatingSystemProfile": {"username": "sshuser"}}
    size = {"vmSize": "Standard_E4_v3"}
    return {"name": name, "targetInstanceCount": count, "hardwareProfile": size, "osProfile": profile, **more}


def cluster_body(kind: str = "kafka", workers: int = 4, **properties: Any) -> dict[str, Any]:
    roles = [role("headnode", 2), role("workernode", workers), role("zookeepernode", 3)]
    version = {"kafka": {"Kafka": "3.2"}, "spark": {"Spark": "3.3"}}[kind]
    gateway = {"restAuthCredential.isEnabled": True, "restAuthCredential.username": "admin"}
    definition = {"kind": kind, "componentVersion": version, "configurations": {"gateway": gateway}}
    return {
        "location": "westeurope",
        "tags": {"hdictl-stack": "clickstream"},
        "properties": {
            "clusterVersion": "5.1",
            "osType": "Linux",
            "tier": "Standard",
            "clusterDefinition": definition,
            "computeProfile": {"roles": roles},
            **properties,
        },
    }


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeCloud]:
    with FakeCloud(pace=0.02) as cloud:
        for name, value in cloud.environ().items():
            monkeypatch.setenv(name, value)
        yield cloud
        assert cloud.violations == []


@pytest.fixture
def group(fake: FakeCloud) -> FakeCloud:
    """A cloud in which the stack's group is there."""
    fake.group(GROUP, tags={"team": "data"})
    return fake


@pytest.fixture
def cloud(fake: FakeCloud) -> Iterator[Cloud]:
    """Impatient: a test waits for nothing that it does not ask for."""
    with connect(stack(), replace(settings(), backoff_seconds=0.001, retries=3)) as connected:
        yield connected


@pytest.fixture
def ingest(group: FakeCloud) -> FakeCloud:
    """A cloud in which a Kafka cluster runs."""
    return with_cluster(group, "ingest", cluster_body())


def with_cluster(fake: FakeCloud, name: str, body: dict[str, Any]) -> FakeCloud:
    made = fake.resource(fake.id(GROUP, CLUSTER, name), body)
    made.properties["clusterState"] = "Running"
    grow_hosts(made)
    return fake
