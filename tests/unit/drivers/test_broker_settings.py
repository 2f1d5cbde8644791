from hdictl.drivers.kafka.broker_settings import broker_settings, to_properties, zookeeper_settings
from hdictl.ports.machine import BrokerSpec, KafkaSpec


def _cluster(brokers: int, **config: str) -> KafkaSpec:
    return KafkaSpec("ingest", tuple(BrokerSpec(1001 + n, fd=n % 3, ud=n % 5) for n in range(brokers)), config=config)


def _settings(spec: KafkaSpec, listeners: str = "PLAINTEXT://127.0.0.1:9092") -> dict[str, str]:
    return broker_settings(
        spec, spec.brokers[-1], zookeeper="zk:2181", listeners=listeners, advertised=listeners, log_dir="/data"
    )


def test_a_broker_looks_like_one_of_hdinsight():
    settings = _settings(_cluster(4))

    assert settings["broker.id"] == "1004"
    assert settings["broker.rack"] == "/fd0"
    assert settings["auto.create.topics.enable"] == "false"
    assert settings["default.replication.factor"] == "3"
    assert settings["min.insync.replicas"] == "2"
    assert int(settings["reserved.broker.max.id"]) >= 1004  # otherwise Kafka refuses the id


def test_a_cluster_of_one_can_still_be_written_to():
    settings = _settings(_cluster(1))

    assert settings["default.replication.factor"] == "1"
    assert settings["min.insync.replicas"] == "1"
    assert settings["offsets.topic.replication.factor"] == "1"
    assert settings["transaction.state.log.min.isr"] == "1"


def test_what_the_stack_says_wins():
    spec = _cluster(3, **{"min.insync.replicas": "1", "log.retention.hours": "2"})

    assert _settings(spec)["min.insync.replicas"] == "1"
    assert _settings(spec)["log.retention.hours"] == "2"


def test_brokers_talk_among_themselves_over_the_first_listener():
    settings = _settings(_cluster(3), "INTERNAL://0.0.0.0:9092,EXTERNAL://0.0.0.0:19092")

    assert settings["inter.broker.listener.name"] == "INTERNAL"
    assert settings["listener.security.protocol.map"] == "INTERNAL:PLAINTEXT,EXTERNAL:PLAINTEXT"


def test_properties_keep_backslashes_line_ends_and_leading_spaces():
    text = to_properties({"plain": "a=b", "path": "C:\\logs", "lines": "a\nb", "spaced": "  x"})

    assert text == "plain=a=b\npath=C:\\\\logs\nlines=a\\nb\nspaced=\\  x\n"


def test_zookeeper_opens_no_port_but_its_own():
    settings = zookeeper_settings(port=2181, data_dir="/data")

    assert settings["clientPort"] == "2181"
    assert settings["admin.enableServer"] == "false"
