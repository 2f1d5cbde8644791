"""A cluster in the fake cloud grows, real brokers join, and the partitions are moved to them."""

from __future__ import annotations

from tests.acceptance.azure.stacks import settled, stack
from tests.acceptance.azure.test_topics import brokers_of, kafka_only
from tests.fakes.azure import FakeCloud
from tests.fakes.azure.ambari import attach
from tests.fakes.azure.real_brokers import RealBrokers
from tests.workspace import Workspace


def test_scale_moves_partitions_to_the_new_brokers(azure_workspace: Workspace, cloud: FakeCloud, tmp_path_factory):
    workspace = settled(azure_workspace, cloud, kafka_only(views={"partitions": 12}))
    with RealBrokers(cloud, attach(cloud), tmp_path_factory.mktemp("brokers")):
        workspace.run("apply", "--yes").ok()
        told = workspace.run("scale", "ingest", "4", "--yes", "--rebalance").ok()
        assert "new broker 1004 holds nothing until partitions are moved there" in told.out
        # Only a node knows the domains, and nobody said how to ask one: the racks that Kafka knows take their place.
        assert "no SSH login is named" in told.err
        assert 1004 in brokers_of(workspace, "views")
        workspace.run("rebalance", "verify").ok()
        workspace.write(kafka_only(4, views={"partitions": 12}))
        workspace.run("plan").ok()
    assert cloud.duplicates() == []


def test_only_kafka_is_rebalanced(azure_workspace: Workspace, cloud: FakeCloud):
    workspace = settled(azure_workspace, cloud, stack())
    workspace.run("apply", "--yes", "--skip=topics").ok()
    asked = len(cloud.requests)
    workspace.run("scale", "jobs", "5", "--rebalance", "--yes").failed(2, "there is no Kafka cluster `jobs`")
    assert len(cloud.requests) == asked
