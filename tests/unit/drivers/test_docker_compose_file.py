import yaml

from hdictl import assets
from hdictl.drivers.docker.compose_file import ComposeFile, project_name, to_yaml
from hdictl.ports.machine import BrokerSpec, KafkaSpec

TEMPLATE = yaml.safe_load(assets.template("docker", "compose.yaml").read_text())
INGEST = KafkaSpec("ingest", (BrokerSpec(1001, fd=0, ud=0), BrokerSpec(1002, fd=1, ud=3)))
NORTH = KafkaSpec("north", (BrokerSpec(1001, fd=0, ud=0),), config={"ssl.keystore.password": "pa$word"})
PORTS = {("ingest", 1001): 16001, ("ingest", 1002): 16002, ("north", 1001): 16003}


def _content(*clusters: KafkaSpec):
    return ComposeFile(TEMPLATE, "Click.stream-1f", {"3.2.0": "hdictl-kafka:3.2.0-abc"}, PORTS).content(clusters)


def _settings(service) -> dict[str, str]:
    return dict(line.split("=", 1) for line in service["environment"]["SETTINGS"].splitlines())


def test_the_template_has_what_is_repeated_and_no_version():
    assert set(TEMPLATE["services"]) == {"zookeeper", "broker"}
    assert "version" not in TEMPLATE


def test_every_cluster_has_its_zookeeper_and_a_service_for_each_broker():
    services = _content(INGEST, NORTH)["services"]

    assert list(services) == ["ingest-zookeeper", "ingest-1001", "ingest-1002", "north-zookeeper", "north-1001"]
    assert services["north-1001"]["depends_on"] == ["north-zookeeper"]
    assert _settings(services["north-1001"])["zookeeper.connect"] == "north-zookeeper:2181"


def test_labels_say_all_that_status_needs():
    broker = _content(INGEST)["services"]["ingest-1002"]

    assert broker["labels"] == {
        "hdictl.instance": "Click.stream-1f",
        "hdictl.cluster": "ingest",
        "hdictl.node": "1002",
        "hdictl.fd": "1",
        "hdictl.ud": "3",
        "hdictl.port": "16002",
    }


def test_volumes_and_network_are_found_by_the_same_label():
    content = _content(INGEST)

    owned = [*content["volumes"].values(), *content["networks"].values()]
    assert len(owned) == 4
    assert all(thing["labels"] == {"hdictl.instance": "Click.stream-1f"} for thing in owned)


def test_a_broker_is_published_on_loopback_and_advertised_where_it_is_published():
    broker = _content(INGEST)["services"]["ingest-1002"]

    assert broker["ports"] == ["127.0.0.1:16002:19092"]
    advertised = _settings(broker)["advertised.listeners"]
    assert advertised == "INTERNAL://ingest-1002:9092,EXTERNAL://127.0.0.1:16002"


def test_zookeeper_is_not_published():
    assert "ports" not in _content(INGEST)["services"]["ingest-zookeeper"]


def test_nodes_keep_what_the_template_says_of_all_of_them():
    for service in _content(INGEST, NORTH)["services"].values():
        assert service["restart"] == "no"
        assert service["cap_drop"] == ["ALL"]
        assert service["image"] == "hdictl-kafka:3.2.0-abc"


def test_a_dollar_in_a_setting_is_no_variable_of_composes():
    broker = _content(NORTH)["services"]["north-1001"]

    assert _settings(broker)["ssl.keystore.password"] == "pa$$word"


def test_the_file_reads_back_as_the_same_data_with_settings_as_lines():
    content = _content(INGEST, NORTH)
    text = to_yaml(content)

    assert yaml.safe_load(text) == content
    assert "\n        broker.id=1001\n" in text


def test_a_project_name_is_one_that_compose_takes():
    assert project_name("Click.stream-1f") == "hdictl-click-stream-1f"


def test_more_replicas_mean_more_heap():
    crowded = KafkaSpec("ingest", INGEST.brokers, partitions=60_000)

    def heap(spec: KafkaSpec) -> int:
        options = _content(spec)["services"]["ingest-1001"]["environment"]["JAVA_OPTIONS"]
        return int(options.removeprefix("-Xmx").removesuffix("m"))

    assert heap(crowded) > heap(INGEST)
