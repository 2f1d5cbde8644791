"""What the local target decides before it starts anything."""

from __future__ import annotations

import pytest

from hdictl.drivers.free_ports import PortBook
from hdictl.drivers.java.find import Java
from hdictl.drivers.local import layout as local_layout
from hdictl.drivers.local.class_archive import archive_file
from hdictl.drivers.local.kafka_jvm import KafkaRuntime, broker_heap
from hdictl.drivers.local.processes import Identity
from hdictl.drivers.local.record import ZOOKEEPER, InstanceRecord, RecordFile
from hdictl.errors import RecordDamaged
from hdictl.ports.machine import BrokerSpec, KafkaSpec


def spec(brokers, **more):
    return KafkaSpec("ingest", tuple(BrokerSpec(1001 + n, n % 3, n) for n in range(brokers)), **more)


@pytest.fixture
def lay_out(tmp_path):
    shop = tmp_path / "shop"
    shop.mkdir()
    book = PortBook(tmp_path)
    return lambda wanted, known=None, living=(): local_layout.with_ports(wanted, known, living, book, shop)


def test_every_node_gets_a_port_of_its_own(lay_out):
    cluster = lay_out(spec(3))
    assert list(cluster.nodes) == [ZOOKEEPER, "1001", "1002", "1003"]
    assert len({node.port for node in cluster.nodes.values()}) == 4
    assert [(node.fd, node.ud) for node in cluster.brokers] == [(0, 0), (1, 1), (2, 2)]


def test_ids_are_in_order_beyond_four_digits(lay_out):
    wanted = KafkaSpec("ingest", (BrokerSpec(10001, 0, 0), BrokerSpec(1002, 0, 0)))
    assert list(lay_out(wanted).nodes) == [ZOOKEEPER, "1002", "10001"]


def test_ports_stay_where_they_were(lay_out):
    first = lay_out(spec(2))
    second = lay_out(spec(3), first)
    assert {name: second.nodes[name].port for name in first.nodes} == {
        name: node.port for name, node in first.nodes.items()
    }


def test_a_fixed_port_counts_up_from_the_first_broker(lay_out):
    base = lay_out(spec(1)).nodes["1001"].port + 50
    assert [broker.port for broker in lay_out(spec(3, port=base)).brokers] == [base, base + 1, base + 2]


def test_brokers_beyond_the_stack_stay_part_of_the_cluster(lay_out):
    known = lay_out(spec(4))
    assert [broker.id for broker in local_layout.whole(spec(3), known).brokers] == [1001, 1002, 1003, 1004]


def test_settings_listen_on_loopback_only(lay_out, tmp_path):
    wanted = spec(1, config={"log.retention.hours": "5"})
    cluster = lay_out(wanted)
    record = RecordFile(tmp_path / "shop")
    for node in cluster.nodes.values():
        local_layout.write_settings(wanted, cluster, node, record.place("ingest", node.name))
    broker = record.place("ingest", "1001").settings.read_text()
    assert f"listeners=PLAINTEXT://127.0.0.1:{cluster.nodes['1001'].port}\n" in broker
    assert f"zookeeper.connect=127.0.0.1:{cluster.zookeeper_port}\n" in broker
    assert "log.retention.hours=5\n" in broker
    assert "clientPortAddress=127.0.0.1\n" in record.place("ingest", ZOOKEEPER).settings.read_text()


def test_a_folder_may_have_any_name(lay_out, tmp_path):
    wanted = spec(1)
    cluster = lay_out(wanted)
    place = RecordFile(tmp_path / "é 🦉").place("ingest", "1001")
    local_layout.write_settings(wanted, cluster, cluster.nodes["1001"], place)
    # The escapes that Java's Properties reads back, the owl as two of them.
    assert "/\\u00e9 \\ud83e\\udd89/ingest/1001/data\n" in place.settings.read_bytes().decode("ascii")


def test_the_heap_grows_with_what_the_stack_will_put_on_a_broker():
    assert broker_heap(spec(3)) == broker_heap(spec(3, partitions=18000)) == 768
    assert broker_heap(spec(3, partitions=60000)) > 2000


def test_a_command_carries_the_marker_and_ends_with_the_settings(lay_out, tmp_path):
    java = Java(tmp_path / "java", tmp_path, "17.0.9", "PATH")
    java.executable.write_text("")
    jar = tmp_path / "kafka.jar"
    jar.write_text("")
    archive = archive_file(java, [jar], tmp_path)
    runtime = KafkaRuntime(java, (jar,), archive)
    record = RecordFile(tmp_path / "shop")
    place = record.place("ingest", "1001")
    identity = Identity("shop", "ingest", "1001", place.settings)
    command = runtime.command(lay_out(spec(1)).nodes["1001"], place, identity)
    assert identity.fits(command)
    assert "-Dhdictl.instance=shop/ingest/1001" in command
    assert f"-XX:DumpLoadedClassList={place.loaded_classes}" in command

    archive.parent.mkdir()
    archive.write_text("")
    command = runtime.command(lay_out(spec(1)).nodes["1001"], place, identity)
    assert f"-XX:SharedArchiveFile={archive}" in command

    jar.write_text("another")
    assert archive_file(java, [jar], tmp_path) != archive


def test_the_record_survives_the_file_and_says_when_it_did_not(lay_out, tmp_path):
    file = RecordFile(tmp_path / "shop")
    assert file.read() == InstanceRecord()
    record = InstanceRecord().with_cluster("ingest", lay_out(spec(3)))
    file.write(record)
    assert file.read() == record
    (tmp_path / "shop" / "instance.json").write_text('{"format": 1, "clusters": {"ingest": 7}}')
    with pytest.raises(RecordDamaged) as failure:
        file.read()
    assert "down --keep-data" in failure.value.fix
