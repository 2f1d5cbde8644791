"""The client against Ambari's quirks: what it reads, what it writes, and how failures are named."""

from __future__ import annotations

import traceback

import pytest

from hdictl.drivers.ambari.client import connect
from hdictl.drivers.azure.secrets import SecretText
from hdictl.errors import AmbariFailed
from hdictl.ports.ambari import KAFKA_BROKER, ZOOKEEPER_SERVER, ConfigEdit
from tests.fakes.azure.ambari import AmbariServer, AmbariWorld
from tests.fakes.azure.faults import Drop
from tests.fakes.azure.messages import Answer
from tests.fakes.azure.secrets import digest

PASSWORD = "Canary-pass-7731"
WORKERS = [f"wn{number}-ingest.ab12cd.bx.internal.cloudapp.net" for number in (0, 1, 3)]


def test_what_runs_where(client):
    assert client.cluster == "Ingest-Demo"
    assert list(client.brokers()) == WORKERS
    assert client.addresses()[WORKERS[0]] == "10.20.1.15"
    hosts = {host.name: host for host in client.hosts()}
    assert len(hosts) == 8
    assert [name[:3] for name, host in hosts.items() if host.component(ZOOKEEPER_SERVER)] == ["zk0", "zk2", "zk3"]
    broker = hosts[WORKERS[1]].component(KAFKA_BROKER)
    assert (broker.state, broker.is_stale, broker.in_maintenance, broker.service) == ("STARTED", False, False, "KAFKA")


def test_a_password_may_have_any_letters(monkeypatch):
    with AmbariServer(AmbariWorld("Ingest-Demo"), user="admin", password="Pässwort-Ω-7") as server:
        monkeypatch.setenv("REQUESTS_CA_BUNDLE", server.bundle)
        with connect("ingest-demo", "localhost", server.port, "admin", SecretText("Pässwort-Ω-7")) as client:
            assert len(client.brokers()) == 3


def test_certificates_are_not_where_they_are_said_to_be(client, monkeypatch):
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", "/nowhere/certificates.pem")
    with pytest.raises(AmbariFailed, match="REQUESTS_CA_BUNDLE"):
        client.brokers()


def test_a_write_carries_the_whole_set_and_what_is_said_about_it(client, server):
    before = client.config("kafka-broker")
    edit = ConfigEdit(before, {"num.io.threads": "16", "listeners": None})
    (written,) = client.write_configs([edit])

    now = client.config("kafka-broker")
    assert (now.tag, now.properties["num.io.threads"]) == (written.tag, "16")
    assert now.tag != before.tag
    assert "listeners" not in now.properties
    assert now.properties["min.insync.replicas"] == "2"
    assert now.attributes == {"final": {"min.insync.replicas": "true"}}
    # The password went there and back as a reference, and is still the same.
    assert now.properties["ssl.keystore.password"] == "SECRET:kafka-broker:2:ssl.keystore.password"
    assert server.world.secrets[now.properties["ssl.keystore.password"]] == digest("changeit")
    assert {part.host for part in client.stale()} == set(WORKERS)
    assert {part.service for part in client.stale()} == {"KAFKA"}


def test_nothing_is_written_when_nothing_changes(client, server):
    seen = client.config("kafka-broker")
    assert client.write_configs([ConfigEdit(seen, {"num.io.threads": "8", "no.such.key": None})]) == ()
    assert not [request for request in server.requests if request[0] == "PUT"]


def test_two_types_are_written_in_one_request(client, server):
    edits = [ConfigEdit(client.config(type), {"x": "1"}) for type in ("kafka-env", "kafka-broker")]
    assert len({each.tag for each in client.write_configs(edits)}) == 1
    assert [request[0] for request in server.requests].count("PUT") == 1


def test_somebody_elses_change_is_not_written_over(client, server):
    seen = client.config("kafka-broker")
    server.world.write("kafka-broker", "version2", {**seen.properties, "num.io.threads": "99"}, {})
    with pytest.raises(AmbariFailed, match="somebody changed `kafka-broker` meanwhile") as failure:
        client.write_configs([ConfigEdit(seen, {"listeners": "x"})])
    assert "nothing was written" in failure.value.fix
    assert client.config("kafka-broker").tag == "version2"


def test_a_write_that_was_overtaken_is_noticed(client, server):
    seen = client.config("kafka-broker")

    def overtake(request):
        tags = server.world.desired()
        if request.method == "GET" and tags["kafka-broker"] not in ("version1", "version9"):
            server.world.write("kafka-broker", "version9", seen.properties, {})

    server.trip = overtake
    with pytest.raises(AmbariFailed, match="yet version9 is in force"):
        client.write_configs([ConfigEdit(seen, {"listeners": "x"})])


def test_a_broker_in_maintenance_is_restarted_all_the_same(client, server):
    broker = next(host for host in client.hosts() if host.name == WORKERS[0]).component(KAFKA_BROKER)
    client.maintain(broker, on=True)
    stopping = client.stop(broker)
    assert stopping is not None
    assert [client.request(stopping).status for _ in range(2)] == ["IN_PROGRESS", "COMPLETED"]
    assert server.world.part(WORKERS[0], KAFKA_BROKER).state == "INSTALLED"
    assert client.stop(broker) is None  # it is so already
    starting = client.start(broker)
    while not client.request(starting).is_over:
        pass
    client.maintain(broker, on=False)
    assert server.world.history == [
        f"{word} {WORKERS[0]}" for word in ("maintenance on", "stop", "start", "maintenance off")
    ]


def test_a_request_that_failed_brings_the_end_of_what_the_task_said(client, server):
    broker = next(host for host in client.hosts() if host.name == WORKERS[0]).component(KAFKA_BROKER)
    server.world.failures[WORKERS[0], "INSTALLED"] = "\n".join(["Traceback", *"abcdef", "Fail: no such process"])
    id = client.stop(broker)
    while not (request := client.request(id)).is_over:
        pass
    assert not request.is_good
    assert request.failure.splitlines() == ["c", "d", "e", "f", "Fail: no such process"]


def test_an_unknown_type_is_named_with_what_was_meant(client):
    with pytest.raises(AmbariFailed, match=r"no configuration `kafka-brokr`.*kafka-broker"):
        client.config("kafka-brokr")


@pytest.mark.parametrize(
    ("answer", "said", "step"),
    [
        (Answer(403, {"message": "You do not have permissions"}), "may not do this (You do not have", "gateway_user"),
        (Answer(404, {"message": "no such thing"}), "does not know this (no such thing)", "case-sensitive"),
        (Answer(302, None, {"Location": "https://login.example/"}), "answered with 302", "try again"),
        (Answer(409, {"message": "busy"}), "answered with 409 (busy)", "try again"),
        (Answer(200, "<html>sign in</html>"), "a page came back instead of JSON", "in a browser"),
    ],
)
def test_each_refusal_has_a_name_and_a_next_step(client, server, answer, said, step):
    server.trip = lambda request: answer
    with pytest.raises(AmbariFailed) as failure:
        client.config_types()
    assert said in failure.value.what
    assert step in failure.value.fix
    assert f"localhost:{server.port}" in failure.value.where


def test_a_wrong_password_is_said_and_never_shown(server):
    wrong = "-".join(["Wrong", "canary", "5"])  # a traceback shows the lines of this test
    with (
        pytest.raises(AmbariFailed, match="gateway user or password is wrong") as failure,
        connect("Ingest-Demo", "localhost", server.port, "admin", SecretText(wrong)),
    ):
        pass
    shown = "".join(traceback.format_exception(failure.value))
    assert wrong not in shown
    assert "secrets.gateway" in failure.value.fix


def test_another_clusters_gateway_is_noticed(server):
    with (
        pytest.raises(AmbariFailed, match="it runs `Ingest-Demo`, not `jobs-demo`"),
        connect("jobs-demo", "localhost", server.port, "admin", SecretText(PASSWORD)),
    ):
        pass


def test_reads_are_tried_again_and_writes_are_not(client, server):
    left = [Answer(503), Drop.BEFORE, Answer(502)]
    server.trip = lambda request: left.pop() if left else None
    assert "kafka-broker" in client.config_types()

    seen = client.config("kafka-broker")
    writes = []

    def lose_the_answer(request):
        if request.method == "PUT":
            writes.append(request.path)
            return Drop.AFTER
        return None

    server.trip = lose_the_answer
    with pytest.raises(AmbariFailed, match="does not answer"):
        client.write_configs([ConfigEdit(seen, {"x": "1"})])
    assert len(writes) == 1


def test_an_untrusted_certificate(server, monkeypatch):
    monkeypatch.delenv("REQUESTS_CA_BUNDLE")
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    monkeypatch.delenv("CURL_CA_BUNDLE", raising=False)
    with (
        pytest.raises(AmbariFailed, match="certificate is not trusted") as failure,
        connect("Ingest-Demo", "localhost", server.port, "admin", SecretText(PASSWORD)),
    ):
        pass
    assert "REQUESTS_CA_BUNDLE" in failure.value.fix
