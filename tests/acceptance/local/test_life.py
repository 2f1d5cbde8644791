"""A cluster's life on this machine: up, again, down, with its data and without."""

from __future__ import annotations

from confluent_kafka import Consumer, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, ConfigResource, NewTopic

from hdictl.ports.machine import NodeState


def test_up_makes_a_cluster_like_hdinsights(kafka3):
    assert kafka3.is_running
    assert [node.name for node in kafka3.nodes] == ["zookeeper", "1001", "1002", "1003"]
    admin = _admin(kafka3.bootstrap)
    metadata = admin.list_topics(timeout=120)
    assert metadata.cluster_id == kafka3.cluster_id
    assert sorted(metadata.brokers) == [1001, 1002, 1003]
    asked = ConfigResource(ConfigResource.Type.BROKER, "1002")
    settings = admin.describe_configs([asked])[asked].result()
    assert settings["auto.create.topics.enable"].value == "false"
    assert settings["default.replication.factor"].value == "3"
    assert settings["min.insync.replicas"].value == "2"
    assert settings["broker.rack"].value == "/fd1"


def test_an_idle_cluster_is_small(kafka3):
    assert sum(node.memory for node in kafka3.nodes) < 600 << 20


def test_up_again_changes_nothing(stack):
    stack.up()
    first = stack.nodes()
    stack.up()
    assert stack.nodes() == first
    assert {state for state, _ in first.values()} == {"running"}


def test_a_fresh_look_finds_what_another_command_started(stack, new_stack):
    stack.up()
    again = new_stack(stack.name)
    assert again.nodes() == stack.nodes()
    endpoint = again.platform.endpoints()["ingest"]
    assert endpoint.domains == {1001: (0, 0)}
    assert again.platform.free_bytes("ingest")[1001] > 0
    assert endpoint.cluster_id == _admin(endpoint.bootstrap).list_topics(timeout=120).cluster_id


def test_down_leaves_no_process_and_no_folder(stack):
    stack.up()
    assert stack.down() == 2
    assert stack.processes() == {}
    assert not stack.folder.exists()
    assert stack.platform.status() == ()
    assert stack.platform.endpoints() == {}
    assert stack.down() == 0


def test_data_kept_by_down_is_there_after_up(stack):
    stack.up()
    cluster_id = stack.platform.status()[0].cluster_id
    bootstrap = stack.platform.endpoints()["ingest"].bootstrap
    _create(bootstrap, "orders")
    producer = Producer({"bootstrap.servers": bootstrap, "acks": "all"})
    producer.produce("orders", b"42", partition=0)
    assert producer.flush(10) == 0

    assert stack.down(keep_data=True) == 2
    assert stack.processes() == {}
    assert {state for state, _ in stack.nodes().values()} == {NodeState.STOPPED.value}

    stack.up()
    assert stack.platform.status()[0].cluster_id == cluster_id
    assert stack.platform.endpoints()["ingest"].bootstrap == bootstrap
    consumer = Consumer({"bootstrap.servers": bootstrap, "group.id": "test"})
    consumer.assign([TopicPartition("orders", 0, 0)])
    message = consumer.poll(20)
    consumer.close()
    assert message is not None
    assert message.value() == b"42"


def test_scaling_adds_brokers_and_never_takes_one(stack):
    stack.up(brokers=3)
    before = stack.nodes()
    stack.up(brokers=4)
    after = stack.nodes()
    assert {name: after[name] for name in before} == before
    assert after["1004"][0] == "running"
    assert stack.platform.endpoints()["ingest"].domains[1004] == (0, 3)

    stack.up(brokers=3)
    assert stack.nodes() == after


def test_two_stacks_with_two_clusters_each_do_not_meet(new_stack):
    shop, bank = new_stack("shop-1"), new_stack("bank-2")
    for each in (shop, bank):
        each.up(cluster="ingest")
        each.up(cluster="mirror")
    statuses = [status for each in (shop, bank) for status in each.platform.status()]
    assert len({status.cluster_id for status in statuses}) == 4
    assert len({node.address for status in statuses for node in status.nodes}) == 8
    shop.down()
    assert {state for state, _ in bank.nodes().values()} == {"running"}


def _create(bootstrap: str, topic: str) -> None:
    admin = _admin(bootstrap)
    admin.create_topics([NewTopic(topic, 1, 1)])[topic].result()


def _admin(bootstrap: str) -> AdminClient:
    return AdminClient({"bootstrap.servers": bootstrap, "log_level": 0})
