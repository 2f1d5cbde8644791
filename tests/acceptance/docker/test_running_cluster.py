"""What a stack in containers looks like from outside: labels, ports, users, files."""

from __future__ import annotations

import json

import pytest

from hdictl import assets
from hdictl.drivers.docker.compose import compose_command
from hdictl.drivers.docker.image import BASE_VARIABLE, ensure_image, image_tag
from hdictl.drivers.kafka.admin import connect
from hdictl.errors import UsageError
from hdictl.ports.kafka import NewTopic
from hdictl.ports.machine import ClusterStatus, NodeState, NodeStatus
from hdictl.ports.progress import Silent


def _status(stack) -> ClusterStatus:
    (status,) = stack.platform.status()
    return status


def _node(stack, name: str) -> NodeStatus:
    return next(node for node in _status(stack).nodes if node.name == name)


def _inspect(stack, name: str):
    return json.loads(stack.engine.call("inspect", _node(stack, name).process))[0]


def test_status_tells_all_nodes_with_domains_and_memory(running):
    status = _status(running)

    assert [(node.name, node.state, node.fd, node.ud) for node in status.nodes] == [
        ("zookeeper", NodeState.RUNNING, None, None),
        ("1001", NodeState.RUNNING, 0, 0),
        ("1002", NodeState.RUNNING, 1, 1),
    ]
    assert all(node.memory and node.memory > 20 << 20 for node in status.nodes)
    assert status.bootstrap == ",".join(node.address for node in status.nodes if node.address)


def test_clients_reach_every_broker_where_it_says_it_is(running):
    from confluent_kafka.admin import AdminClient

    endpoint = running.platform.endpoints()["ingest"]
    client = AdminClient({"bootstrap.servers": endpoint.bootstrap})
    cluster = client.describe_cluster().result()

    assert cluster.cluster_id == endpoint.cluster_id
    assert {f"{node.host}:{node.port}" for node in cluster.nodes} == set(endpoint.bootstrap.split(","))
    assert {node.id: node.rack for node in cluster.nodes} == {1001: "/fd0", 1002: "/fd1"}
    assert endpoint.domains == {1001: (0, 0), 1002: (1, 1)}
    free = running.platform.free_bytes("ingest")
    assert free[1001] == free[1002] > 0


def test_an_acknowledged_record_comes_back(running):
    from confluent_kafka import Consumer, Producer

    endpoint = running.platform.endpoints()["ingest"]
    bootstrap = endpoint.bootstrap
    with connect(endpoint) as kafka:
        kafka.create_topics([NewTopic("t", ((1001, 1002),) * 3, {})])
        kafka.settle({"t": 3})
    producer = Producer({"bootstrap.servers": bootstrap, "acks": "all"})
    producer.produce("t", b"hello", partition=0)
    assert producer.flush(30) == 0

    consumer = Consumer({"bootstrap.servers": bootstrap, "group.id": "g", "auto.offset.reset": "earliest"})
    consumer.subscribe(["t"])
    message = consumer.poll(30)
    consumer.close()
    assert message is not None
    assert message.value() == b"hello"


def test_ports_are_published_on_loopback_only(running):
    published = [
        binding["HostIp"]
        for name in ("zookeeper", "1001", "1002")
        for bindings in _inspect(running, name)["NetworkSettings"]["Ports"].values()
        for binding in bindings or []
    ]

    assert published == ["127.0.0.1", "127.0.0.1"]


def test_nothing_in_a_container_runs_as_root(running):
    broker = _node(running, "1001").process

    assert running.engine.call("exec", broker, "id", "-u").strip() == "10001"
    assert _inspect(running, "1001")["HostConfig"]["CapDrop"] == ["ALL"]


def test_up_again_leaves_running_containers_alone(running):
    before = {node.name: (node.process, node.started) for node in _status(running).nodes}

    running.up(brokers=2)

    assert {node.name: (node.process, node.started) for node in _status(running).nodes} == before


def test_fewer_brokers_in_the_stack_stop_none(running):
    running.up(brokers=1)

    assert [node.name for node in _status(running).nodes] == ["zookeeper", "1001", "1002"]
    assert _status(running).is_running


def test_the_log_of_a_node(running):
    lines = list(running.platform.logs("ingest", "1001", lines=400, follow=False))

    assert any("started (kafka.server.KafkaServer)" in line for line in lines)
    follower = running.platform.logs("ingest", "1001", lines=1, follow=True)
    assert next(follower)
    follower.close()


def test_a_node_that_does_not_exist(running):
    with pytest.raises(UsageError) as caught:
        running.platform.kill_broker("ingest", 1009)

    assert caught.value.fix == "there are: zookeeper, 1001, 1002"


def test_the_image_is_built_once(running):
    tag = ensure_image(running.engine, "3.2.0", Silent())
    built = running.engine.call("image", "inspect", "--format", "{{.Id}}", tag)

    assert tag == image_tag("3.2.0", running.engine.environ.get(BASE_VARIABLE, ""))
    assert ensure_image(running.engine, "3.2.0", Silent()) == tag
    assert running.engine.call("image", "inspect", "--format", "{{.Id}}", tag) == built


def test_compose_accepts_the_template_and_the_stacks_own_file(running):
    for file in (assets.template("docker", "compose.yaml"), running.folder / "compose.yaml"):
        running.engine.run([*compose_command(running.engine), "-f", str(file), "config", "--quiet"])
