"""Topics of a stack on Azure: planned before there is a cluster, made on real brokers, spread over new ones."""

from __future__ import annotations

import json
from typing import Any

from tests.acceptance.azure.stacks import settled, stack
from tests.fakes.azure import FakeCloud
from tests.fakes.azure.ambari import attach
from tests.fakes.azure.real_brokers import RealBrokers
from tests.workspace import Workspace


def kafka_only(brokers: int = 3, **topics: dict[str, Any]) -> dict[str, Any]:
    described = stack(ingest={"workers": {"count": brokers, "size": "Standard_E8_v3", "disks": 2}})
    del described["clusters"]["jobs"]
    return {**described, "topics": {"defaults": {"cluster": "ingest", "partitions": 4}, **topics}}


def planned(workspace: Workspace) -> dict[str, str]:
    """Address → action."""
    changes = workspace.run("plan", "--json").failed(3).json["plan"]["changes"]
    return {change["address"]: change["action"] for change in changes}


def brokers_of(workspace: Workspace, topic: str) -> set[int]:
    described = workspace.run("topics", "describe", topic, "--json").ok().json["topic"]
    return {broker for replicas in described["assignment"] for broker in replicas}


def test_topics_from_nothing_to_a_grown_cluster(azure_workspace: Workspace, cloud: FakeCloud, tmp_path_factory):
    workspace = settled(azure_workspace, cloud, kafka_only(views={"config": {"retention.ms": "3d"}}))
    with RealBrokers(cloud, attach(cloud), tmp_path_factory.mktemp("brokers")):
        actions = planned(workspace)
        assert actions["cluster:ingest"] == actions["topic:ingest/views"] == "create"
        workspace.run("apply", "--yes").ok()
        workspace.run("plan").ok()
        assert brokers_of(workspace, "views") == {1001, 1002, 1003}

        lines = "".join(json.dumps({"key": f"k{n}", "value": {"n": n}}) + "\n" for n in range(3))
        workspace.run("topics", "produce", "views", stdin=lines).ok()
        tailed = workspace.run("topics", "tail", "views", "--from-beginning", "-n", "3").ok().out
        assert sorted(json.loads(line)["value"]["n"] for line in tailed.splitlines()) == [0, 1, 2]

        grown = workspace.run("scale", "ingest", "4", "--yes", "--json").ok().json
        assert grown["new_brokers"] == [1004]
        # Until the stack says so as well, it asks for a broker to be given back.
        workspace.run("plan").failed(1, "cluster:ingest", "workers.count: 4 → 3", "Kafka never scales in")

        workspace.write(kafka_only(4, views={"config": {"retention.ms": "3d"}}, clicks={}))
        assert planned(workspace) == {"topic:ingest/clicks": "create"}
        workspace.run("apply", "--yes").ok()
        workspace.run("plan").ok()
        assert 1004 in brokers_of(workspace, "clicks")
        assert 1004 not in brokers_of(workspace, "views")  # what was there is moved by nobody
        listed = workspace.run("topics", "list", "--json").ok().json
        assert [topic["name"] for topic in listed["topics"]] == ["clicks", "views"]
    assert cloud.duplicates() == []


def test_kafka_out_of_reach_is_told_with_the_way_around_it(azure_workspace: Workspace, cloud: FakeCloud):
    workspace = settled(azure_workspace, cloud, kafka_only(views={}))
    workspace.run("plan", "--skip=topics").failed(3, "topics were not looked at (1 in the stack)")
    workspace.run("apply", "--yes", "--skip=topics").ok()
    # Nobody serves Ambari behind this cluster's gateway.
    workspace.run("plan").failed(1, "E540", "--skip topics")
    workspace.run("apply", "--yes").failed(1, "E540", "--skip topics")
    workspace.run("plan", "--skip=topics").ok()


def test_brokers_that_do_not_answer_are_told_with_the_way_around_them(azure_workspace: Workspace, cloud: FakeCloud):
    workspace = settled(azure_workspace, cloud, kafka_only(views={}))
    ambari = attach(cloud)
    workspace.run("apply", "--yes", "--skip=topics").ok()
    world = ambari.of("ingest-clicks")
    world.hosts.update(dict.fromkeys(world.brokers, "127.0.0.1"))
    world.write("kafka-broker", "nobody-there", {"listeners": "PLAINTEXT://localhost:1"}, {})
    workspace.run("plan").failed(1, "E300", "127.0.0.1:1", "--skip topics")
