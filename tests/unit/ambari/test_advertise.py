"""IP advertising: the edits, and the shell that runs on the node."""

from __future__ import annotations

import subprocess

import pytest

from hdictl.errors import PlanRefused
from hdictl.ports.ambari import Configuration
from hdictl.workflow.brokers_advertise import advertise_edits

CONTENT = "#!/bin/bash\nexport JAVA_HOME={{java64_home}}\n"


def configurations(content=CONTENT, listeners="PLAINTEXT://localhost:9092"):
    return Configuration("kafka-env", "1", {"content": content}), Configuration(
        "kafka-broker", "1", {"listeners": listeners}
    )


def applied(environment, broker, **how):
    after = {environment.type: environment, broker.type: broker}
    for edit in advertise_edits(environment, broker, **how):
        after[edit.seen.type] = Configuration(edit.seen.type, "2", edit.after)
    return after["kafka-env"], after["kafka-broker"]


def test_our_lines_are_added_between_marks_and_the_rest_stays():
    environment, broker = applied(*configurations(), on=True)
    content = environment.properties["content"]
    assert content.startswith(CONTENT)
    assert content.count("# begin hdictl advertise-ip") == content.count("# end hdictl advertise-ip") == 1
    assert broker.properties["listeners"] == "PLAINTEXT://0.0.0.0:9092"


def test_ambari_does_not_take_our_lines_for_its_own_template():
    environment, _ = applied(*configurations(content=""), on=True)
    for mark in ("{{", "{%", "{#"):
        assert mark not in environment.properties["content"]


def test_a_second_time_changes_nothing():
    once = applied(*configurations(), on=True)
    assert [edit.effective for edit in advertise_edits(*once, on=True)] == [{}, {}]


def test_older_lines_of_ours_are_replaced():
    old = f"{CONTENT}\n# begin hdictl advertise-ip\nolder\n# end hdictl advertise-ip\n"
    environment, _ = applied(*configurations(content=old), on=True)
    assert "older" not in environment.properties["content"]
    assert environment.properties == applied(*configurations(), on=True)[0].properties


def test_off_takes_our_lines_out_again():
    environment, _ = applied(*applied(*configurations(), on=True), on=False)
    assert environment.properties["content"].strip() == CONTENT.strip()
    assert [edit.effective for edit in advertise_edits(*configurations(), on=False)] == [{}]


@pytest.mark.parametrize("listeners", ["SASL_SSL://localhost:9092", "PLAINTEXT://localhost:9092,SSL://localhost:9093"])
def test_refused_where_clients_check_names(listeners):
    with pytest.raises(PlanRefused, match="one PLAINTEXT listener"):
        advertise_edits(*configurations(listeners=listeners), on=True)


def test_refused_where_somebody_has_done_it_by_hand():
    by_hand = f'{CONTENT}echo "advertised.listeners=PLAINTEXT://$IP:9092" >> server.properties\n'
    with pytest.raises(PlanRefused, match=r"line 3 of `content` sets advertised\.listeners already"):
        advertise_edits(*configurations(content=by_hand), on=True)


@pytest.mark.parametrize(
    ("addresses", "advertised"),
    [
        ("10.20.1.15", "advertised.listeners=PLAINTEXT://10.20.1.15:9093"),
        ("127.0.1.1 fe80::1 10.20.1.15", "advertised.listeners=PLAINTEXT://10.20.1.15:9093"),
        ("127.0.1.1", "advertised.listeners=PLAINTEXT://old-name:9093"),  # nothing better is known
    ],
)
@pytest.mark.parametrize("ending", ["\n", ""])
def test_the_node_writes_its_address_once(tmp_path, addresses, advertised, ending):
    properties = tmp_path / "server.properties"
    lines = [
        "# advertised.listeners: see below",
        "listeners=PLAINTEXT://0.0.0.0:9093",
        "advertised.listeners=PLAINTEXT://old-name:9093",
        "min.insync.replicas=2",
    ]
    properties.write_text("\n".join(lines) + ending)
    environment, _ = applied(*configurations(content=""), on=True)
    script = environment.properties["content"].replace(
        "/usr/hdp/current/kafka-broker/conf/server.properties", str(properties)
    )
    script = f"hostname() {{ echo {addresses}; }}\nset -eu\n{script}\necho went on\n"
    for _ in range(2):
        done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
        assert done.stdout == "went on\n"
    written = properties.read_text().splitlines()
    assert [line for line in written if line.startswith("advertised")] == [advertised]
    assert {"listeners=PLAINTEXT://0.0.0.0:9093", "min.insync.replicas=2"} <= set(written)


def test_a_node_without_a_broker_is_left_alone():
    environment, _ = applied(*configurations(content=""), on=True)
    script = f"set -eu\n{environment.properties['content']}\necho went on\n"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("went on\n", "")
