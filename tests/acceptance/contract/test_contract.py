"""One contract, every target of this machine: the same commands have the same outcome."""

from __future__ import annotations

import json
import os
from collections import Counter

import pytest

from hdictl.drivers.docker.engine import Engine
from hdictl.errors import DockerUnavailable
from tests.workspace import Workspace, kafka_stack

TOPICS = {"defaults": {"partitions": 6}, "views": {"config": {"retention.ms": "1d"}}, "tops": {"partitions": 3}}


@pytest.fixture(params=["local", pytest.param("docker", marks=pytest.mark.docker)])
def on_target(request, running) -> Workspace:
    if request.param == "docker":
        _require_engine()
    return running(request.param)


def _require_engine() -> None:
    try:
        Engine().require()
    except DockerUnavailable as error:
        if os.environ.get("HDICTL_REQUIRE_DOCKER") == "1":
            pytest.fail(f"HDICTL_REQUIRE_DOCKER is set, but {error}", pytrace=False)
        pytest.skip(f"the docker half of the contract needs an engine: {error.what}")


def status(workspace: Workspace) -> dict:
    outcome = workspace.run("status", "--json")
    assert outcome.code in (0, 4), outcome
    (cluster,) = outcome.json["clusters"]
    return cluster


def states(workspace: Workspace) -> dict[str, str]:
    return {node["name"]: node["state"] for node in status(workspace)["nodes"]}


def records(count: int) -> str:
    return "".join(json.dumps({"key": f"k{n}", "value": {"n": n}}) + "\n" for n in range(count))


def test_the_life_of_a_stack(on_target):
    """Up, use, break, mend, grow, rest, wake, end: one cluster, as starting them is what takes the time."""
    stack = on_target
    stack.write(kafka_stack(TOPICS))

    # up: clusters run, topics are there, placed over domains; again: nothing happens.
    first = stack.run("up", "--json").ok().json["clusters"][0]
    assert states(stack) == {"zookeeper": "running", "1001": "running", "1002": "running", "1003": "running"}
    assert {(n["name"], n["fd"], n["ud"]) for n in first["nodes"] if n["name"] != "zookeeper"} == {
        ("1001", 0, 0),
        ("1002", 1, 1),
        ("1003", 2, 2),
    }
    stack.run("plan").ok()
    described = stack.run("topics", "describe", "views", "--json").ok().json
    assert {broker["fd"] for broker in described["brokers"]} == {0, 1, 2}
    leaders = Counter(replicas[0] for replicas in described["topic"]["assignment"])
    assert sorted(leaders.values()) == [2, 2, 2]
    again = stack.run("up", "--json").ok().json["clusters"][0]
    assert [n["process"] for n in again["nodes"]] == [n["process"] for n in first["nodes"]]

    # records go in and come out.
    assert "30 records" in stack.run("topics", "produce", "views", stdin=records(30)).ok().out
    read = stack.run("topics", "tail", "views", "--from-beginning").ok().out.splitlines()
    assert sorted(json.loads(line)["value"]["n"] for line in read) == list(range(30))

    # a broker dies: it shows, the topic still works, and it comes back on its address.
    address = {n["name"]: n["address"] for n in first["nodes"]}["1002"]
    stack.run("local", "kill-broker", "ingest", "1002").ok()
    broken = stack.run("status", "--json").failed(4)
    assert {n["name"]: n["state"] for n in broken.json["clusters"][0]["nodes"]}["1002"] != "running"
    stack.run("topics", "produce", "views", stdin=records(5)).ok()
    stack.run("local", "restart-broker", "ingest", "1002").ok()
    assert {n["name"]: n["address"] for n in status(stack)["nodes"]}["1002"] == address

    # grow: the new broker is there, and a new topic uses it.
    stack.run("scale", "ingest", "4").ok()
    assert states(stack)["1004"] == "running"
    stack.run("scale", "ingest", "3").failed(2, "Kafka cannot scale in")
    stack.write(kafka_stack({**TOPICS, "wide": {"partitions": 12}}))
    stack.run("apply").ok()
    wide = stack.run("topics", "describe", "wide", "--json").ok().json["topic"]["assignment"]
    assert any(1004 in replicas for replicas in wide)

    # logs of each kind of node.
    for node in ("zookeeper", "1001", "1004"):
        assert len(stack.run("logs", "ingest", node, "-n", "5").ok().out.splitlines()) == 5
    stack.run("logs", "ingest", "1009").failed(2, "1009")

    # rest and wake: the same cluster with the same records.
    stack.run("down", "--keep-data").ok()
    assert "running" not in states(stack).values()
    woken = stack.run("up", "--json").ok().json["clusters"][0]
    assert woken["cluster_id"] == first["cluster_id"]
    read = stack.run("topics", "tail", "views", "--from-beginning").ok().out.splitlines()
    assert len(read) == 35
    stack.run("plan").ok()

    # end: nothing is left, and once more is fine.
    stack.run("down").ok()
    assert stack.run("status", "--json").ok().json["clusters"] == []
    stack.run("down").ok()
    stack.run("plan").failed(1, "not running", "hdictl up")


def test_two_stacks_do_not_collide(on_target, running):
    """The same stack name in two folders, each with a fixed number of brokers, side by side."""
    one, two = on_target, running(on_target.target)
    for stack, topic in ((one, "mine"), (two, "yours")):
        stack.write(kafka_stack({"defaults": {"replication": 1}, topic: {}}, brokers=1, waivers=_one_broker()))
        stack.run("up").ok()
    assert status(one)["cluster_id"] != status(two)["cluster_id"]
    assert [topic["name"] for topic in one.run("topics", "list", "--json").ok().json["topics"]] == ["mine"]
    one.run("down").ok()
    assert set(states(two).values()) == {"running"}
    assert [topic["name"] for topic in two.run("topics", "list", "--json").ok().json["topics"]] == ["yours"]


def _one_broker() -> dict:
    return {
        rule.lower(): {"rule": rule, "reason": "one broker is enough for this test"}
        for rule in ("C001", "T003", "T004")
    }
