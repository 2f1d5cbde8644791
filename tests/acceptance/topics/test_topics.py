"""Topics on a living cluster, through the command line, reached by `bootstrap` as a cluster on Azure is."""

from __future__ import annotations

import json
import threading

import pytest
import yaml

from hdictl.drivers.kafka import admin as kafka_admin
from hdictl.drivers.kafka.records import KafkaRecords
from hdictl.errors import KafkaRejected
from hdictl.plan.observed import ObservedTopic
from hdictl.ports.kafka import Endpoint, NewTopic
from hdictl.stack.topic_config import TOPIC_SETTINGS, to_canonical, to_readable
from tests.workspace import Workspace


class Living:
    """The session's cluster, with a workspace whose stack names its brokers."""

    def __init__(self, workspace: Workspace, bootstrap: str) -> None:
        self.workspace = workspace
        self.workspace.target = "azure"
        self.bootstrap = bootstrap

    def stack(self, topics: dict, **more: object) -> None:
        cluster = {"kind": "kafka", "bootstrap": self.bootstrap.split(","), **more.pop("cluster", {})}  # type: ignore[dict-item]
        self.workspace.write({"stack": "living", "clusters": {"ingest": cluster}, "topics": topics, **more})

    def run(self, *arguments: str, **options: str):
        return self.workspace.run(*arguments, **options)

    def observed(self) -> dict[str, ObservedTopic]:
        with kafka_admin.connect(Endpoint("ingest", self.bootstrap)) as admin:
            return dict(admin.observe().topics)


@pytest.fixture
def living(workspace, kafka3):
    yield (found := Living(workspace, kafka3.bootstrap))
    with kafka_admin.connect(Endpoint("ingest", kafka3.bootstrap)) as admin:
        made = list(admin.observe().topics)
        if made:
            admin.delete_topics(made)
            admin.settle(dict.fromkeys(made, 0))
    assert not found.observed()


def test_settings_are_set_changed_unset_and_never_drift(living):
    living.stack(
        {"t": {"config": {"retention.ms": "2d", "cleanup.policy": ["delete", "compact"], "preallocate": True}}}
    )
    living.run("apply").ok()
    assert living.observed()["t"].config == {
        "retention.ms": "172800000",
        "cleanup.policy": "compact,delete",
        "preallocate": "true",
    }
    living.run("plan").ok()
    # The same things spelled otherwise are the same things.
    living.stack(
        {"t": {"config": {"retention.ms": 172800000, "cleanup.policy": "compact, delete", "preallocate": "true"}}}
    )
    living.run("plan").ok()
    living.stack({"t": {"config": {"retention.ms": "3d", "segment.bytes": "16MiB"}}})
    planned = living.run("plan", "--json").failed(3).json["plan"]["changes"][0]["fields"]
    assert {field["field"]: (field["before"], field["after"]) for field in planned} == {
        "config.cleanup.policy": ("compact,delete", None),
        "config.preallocate": ("true", None),
        "config.retention.ms": ("172800000", "259200000"),
        "config.segment.bytes": (None, "16777216"),
    }
    living.run("apply").ok()
    assert living.observed()["t"].config == {"retention.ms": "259200000", "segment.bytes": "16777216"}


def test_partitions_grow_when_agreed_and_never_shrink(living):
    living.stack({"t": {"partitions": 3}})
    living.run("apply").ok()
    before = living.observed()["t"].assignment
    living.stack({"t": {"partitions": 8}})
    living.run("apply").failed(1, "cannot be taken back", "keys move", "--yes")
    assert living.observed()["t"].assignment == before
    living.run("apply", "--yes").ok()
    after = living.observed()["t"].assignment
    assert after[:3] == before
    assert [len(set(replicas)) for replicas in after] == [3] * 8
    living.stack({"t": {"partitions": 5}})
    living.run("plan").failed(1, "cannot shrink from 8 to 5")
    living.run("apply", "--yes").failed(1, "nothing was touched", "cannot shrink")


def test_more_replicas_than_living_brokers_are_refused(living):
    living.stack({"good": {}, "t": {"replication": 4}}, cluster={"workers": {"count": 4}})
    living.run("apply").failed(1, "replication 4 needs 4 brokers; 3 are alive", "hdictl scale ingest 4")
    assert not living.observed()


def test_replication_change_is_planned_and_left_to_a_rebalance(living):
    waiver = {rule.lower(): {"rule": rule, "reason": "it is raised below"} for rule in ("T003", "T004")}
    living.stack({"t": {"replication": 2}}, waivers=waiver)
    living.run("apply").ok()
    living.stack({"t": {"replication": 3}})
    living.run("plan").failed(3, "replication: 2 → 3", "planned only")
    living.run("apply").failed(3, "1 planned, not made", "hdictl rebalance run --cluster ingest --replication t=3")
    assert {len(replicas) for replicas in living.observed()["t"].assignment} == {2}
    living.run("rebalance", "run", "--cluster", "ingest", "--replication", "t=3", "--yes").ok()
    assert {len(replicas) for replicas in living.observed()["t"].assignment} == {3}
    living.run("plan").ok()


def test_a_topic_goes_only_when_named_and_asked_for(living):
    living.stack({"old": {}, "kept": {}})
    living.run("apply").ok()
    living.stack({"kept": {}})
    living.run("plan").ok()  # not in the stack any more is not a reason to delete
    living.stack({"kept": {}}, deleted={"old": {"reason": "nobody reads it"}})
    living.run("apply").ok()
    assert set(living.observed()) == {"old", "kept"}
    living.run("apply", "--delete-topics").failed(1, "delete topic:ingest/old", "--yes")
    living.run("apply", "--delete-topics", "--yes").ok()
    assert set(living.observed()) == {"kept"}


def test_a_saved_plan_is_applied_as_it_is_or_not_at_all(living):
    living.stack({"a": {}, "b": {}})
    living.run("plan", "--out", "plan.json").failed(3)
    saved = json.loads((living.workspace.folder / "plan.json").read_text())
    living.run("apply", "plan.json").ok()
    made = {name: [list(replicas) for replicas in topic.assignment] for name, topic in living.observed().items()}
    assert made == {change["address"].split("/")[1]: change["after"]["assignment"] for change in saved["changes"]}
    living.run("apply", "plan.json").failed(1, "the plan is stale", "topic:ingest/a needs no change any more")
    (living.workspace.folder / "plan.json").write_text("{}")
    living.run("apply", "plan.json").failed(1, "is not a plan")


def test_a_strangers_cluster_is_never_touched(living):
    living.stack({"t": {}}, cluster={"cluster_id": "AAAAAAAAAAAAAAAAAAAAAA"})
    living.run("apply").failed(1, "the stack belongs to AAAAAAAAAAAAAAAAAAAAAA")
    assert not living.observed()


def test_an_imported_stack_has_an_empty_plan(living):
    topics = {
        "plain": {},
        "defaults-like": {"partitions": 5},
        "full": {"config": {"retention.ms": "36h", "max.message.bytes": "2MB", "min.cleanable.dirty.ratio": 0.25}},
        "no": {"config": {"retention.ms": "unlimited", "segment.ms": 9223372036854775807}},
    }
    living.stack(topics)
    living.run("apply").ok()
    section = yaml.safe_load(living.run("topics", "import").ok().out)["topics"]
    living.stack(section)
    living.run("plan").ok()
    assert living.run("topics", "orphans", "--json").ok().json["topics"] == []
    living.stack({"plain": {}})
    orphans = [topic["name"] for topic in living.run("topics", "orphans", "--json").ok().json["topics"]]
    assert orphans == ["defaults-like", "full", "no"]


def test_avro_goes_in_as_json_and_comes_out_as_json(living):
    fields = [{"name": "page", "type": "string"}, {"name": "at", "type": "long"}]
    schema = {"type": "record", "name": "View", "fields": fields}
    (living.workspace.folder / "view.avsc").write_text(json.dumps(schema))
    living.stack({"views": {"schema": "view.avsc"}})
    living.run("apply").ok()
    lines = "".join(json.dumps({"key": str(n), "value": {"page": "/", "at": n}}) + "\n" for n in range(3))
    living.run("topics", "produce", "views", stdin=lines).ok()
    read = [json.loads(line) for line in living.run("topics", "tail", "views").ok().out.splitlines()]
    assert sorted(line["value"]["at"] for line in read) == [0, 1, 2]
    living.run("topics", "produce", "views", stdin='{"value": {"page": 1}}').failed(1, "line 1", "schema")


def test_records_before_a_bad_line_are_written_as_it_says(living):
    living.stack({"views": {}})
    living.run("apply").ok()
    good = "".join(json.dumps({"key": str(n), "value": {"n": n}}) + "\n" for n in range(40))
    living.run("topics", "produce", "views", stdin=good + "\nnot json\n").failed(
        1, "line 42", "40 records before it are written"
    )
    read = living.run("topics", "tail", "views", "--from-beginning").ok().out.splitlines()
    assert sorted(json.loads(line)["value"]["n"] for line in read) == list(range(40))


def test_tail_shows_the_last_of_all_partitions(living):
    living.stack({"views": {"partitions": 3}})
    living.run("apply").ok()
    for part in range(3):
        lines = "".join(json.dumps({"key": str(n), "value": {"part": part}}) + "\n" for n in range(12))
        living.run("topics", "produce", "views", stdin=lines).ok()
    read = [json.loads(line) for line in living.run("topics", "tail", "views", "-n", "12").ok().out.splitlines()]
    assert [line["value"]["part"] for line in read] == [2] * 12
    first = [
        json.loads(line)
        for line in living.run("topics", "tail", "views", "--from-beginning", "-n", "2").ok().out.splitlines()
    ]
    assert len(first) == 2
    assert living.run("topics", "tail", "views", "-n", "0").ok().out == ""


def test_two_applies_at_once(living):
    """Both end well or say who is at work; the topics are all there."""
    living.stack({f"topic-{number:02}": {} for number in range(60)})
    outcomes = []
    racers = [threading.Thread(target=lambda: outcomes.append(living.run("apply"))) for _ in range(2)]
    for racer in racers:
        racer.start()
    for racer in racers:
        racer.join()
    assert 0 in [outcome.code for outcome in outcomes]
    for outcome in outcomes:
        if outcome.code != 0:
            outcome.failed(1, "another hdictl is at work on it", "wait")
    assert len(living.observed()) == 60
    living.run("plan").ok()


def test_the_table_of_settings_is_the_brokers_own(living):
    """Every topic-level setting that Kafka 3.2.0 knows, and no other; each value in the broker's own spelling."""
    from kafka.admin import ConfigResource, ConfigResourceType, KafkaAdminClient

    living.stack({"t": {}})
    living.run("apply").ok()
    client = KafkaAdminClient(bootstrap_servers=living.bootstrap.split(","))
    try:
        resource = ConfigResource(ConfigResourceType.TOPIC, "t")
        known = client.describe_configs([resource], config_filter="all")["topic"]["t"]
    finally:
        client.close()
    assert set(TOPIC_SETTINGS) == set(known)
    for key, setting in known.items():
        if setting["value"] and not TOPIC_SETTINGS[key].is_internal:
            assert to_canonical(key, to_readable(key, setting["value"])) == setting["value"], key


def test_no_broker_answers(workspace):
    living = Living(workspace, "127.0.0.1:1")
    living.stack({"t": {}})
    living.run("plan").failed(1, "no broker answers", "127.0.0.1:1")
    living.run("topics", "tail", "t").failed(1)


def test_a_topic_of_which_a_broker_has_not_heard_yet_is_asked_for_again(living):
    endpoint = Endpoint("ingest", living.bootstrap)
    written: list[int] = []
    writer = threading.Thread(
        target=lambda: written.append(KafkaRecords(endpoint, news_seconds=120).write("t", [(b"k", b"v")]))
    )
    writer.start()
    writer.join(0.5)
    assert writer.is_alive()
    with kafka_admin.connect(endpoint) as admin:
        admin.create_topics([NewTopic("t", ((1001, 1002, 1003),), {})])
    writer.join(120)
    assert written == [1]


def test_but_not_for_ever(living):
    with pytest.raises(KafkaRejected, match="there is no topic `nosuch`"):
        KafkaRecords(Endpoint("ingest", living.bootstrap), news_seconds=0.1).write("nosuch", [(b"k", b"v")])
