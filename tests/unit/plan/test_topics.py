"""Desired topics against observed ones."""

from __future__ import annotations

import pytest

from hdictl.plan.change import Action
from hdictl.plan.observed import ObservedCluster, ObservedTopic
from hdictl.plan.topics import compare_topics
from hdictl.stack.topics import TopicSpec
from tests.fakes.cluster import brokers

THREE = ((1001, 1002, 1003), (1002, 1003, 1001), (1003, 1001, 1002))


def observed(*topics: ObservedTopic, count: int = 3) -> ObservedCluster:
    return ObservedCluster("ingest", "id-1", 1001, brokers(count), {topic.name: topic for topic in topics})


def spec(**said: object) -> TopicSpec:
    return TopicSpec(**{"key": "t", "name": "t", "cluster": "ingest", "partitions": 3, "replication": 3, **said})  # type: ignore[arg-type]


def compare(desired: TopicSpec, cluster: ObservedCluster, **options: bool):
    return compare_topics([desired], [], cluster, may_delete=options.get("may_delete", False))


def test_a_topic_that_is_as_it_shall_be_changes_nothing():
    compared = compare(
        spec(config={"retention.ms": "1000"}), observed(ObservedTopic("t", THREE, {"retention.ms": "1000"}))
    )
    assert (compared.changes, compared.refusals, compared.notes) == ((), (), ())


def test_a_missing_topic_is_created_with_everything_it_needs():
    (change,) = compare(spec(config={"cleanup.policy": "compact"}), observed()).changes
    assert (change.action, change.address) == (Action.CREATE, "topic:ingest/t")
    assert change.after == {"partitions": 3, "replication": 3, "config": {"cleanup.policy": "compact"}}


def test_settings_are_set_changed_and_unset():
    living = ObservedTopic("t", THREE, {"retention.ms": "1000", "segment.ms": "5"})
    (change,) = compare(spec(config={"retention.ms": "2000", "max.message.bytes": "9"}), observed(living)).changes
    assert {field.field: (field.before, field.after) for field in change.fields} == {
        "config.max.message.bytes": (None, "9"),
        "config.retention.ms": ("1000", "2000"),
        "config.segment.ms": ("5", None),
    }
    assert change.action is Action.UPDATE


@pytest.mark.parametrize(
    ("before", "after", "warns"),
    [
        ("2000", "1000", True),
        (None, "1000", True),
        ("-1", "1000", True),
        ("1000", "2000", False),
        ("1000", "-1", False),
    ],
)
def test_lowered_retention_is_said_to_lose_data(before, after, warns):
    living = ObservedTopic("t", THREE, {"retention.ms": before} if before else {})
    (change,) = compare(spec(config={"retention.ms": after}), observed(living)).changes
    assert bool(change.notes) is warns
    assert change.is_irreversible is warns


def test_more_partitions_warn_that_keys_move():
    (change,) = compare(spec(partitions=6), observed(ObservedTopic("t", THREE))).changes
    assert change.fields[0].field == "partitions"
    assert "keys move" in change.notes[0]
    assert change.is_irreversible
    assert not change.is_deferred


def test_fewer_partitions_are_refused():
    (refusal,) = compare(spec(partitions=2), observed(ObservedTopic("t", THREE))).refusals
    assert "cannot shrink from 3 to 2" in refusal.what
    assert "new topic" in refusal.fix


@pytest.mark.parametrize("is_living", [True, False])
def test_more_replicas_than_brokers_are_refused(is_living):
    cluster = observed(ObservedTopic("t", THREE)) if is_living else observed()
    (refusal,) = compare(spec(replication=4), cluster).refusals
    assert "needs 4 brokers; 3 are alive" in refusal.what


def test_another_replication_is_planned_but_deferred():
    two = tuple(replicas[:2] for replicas in THREE)
    (change,) = compare(spec(), observed(ObservedTopic("t", two))).changes
    assert change.is_deferred
    assert [(field.field, field.before, field.after) for field in change.fields] == [("replication", 2, 3)]


def test_one_partition_that_lacks_a_replica_is_seen():
    uneven = (THREE[0], THREE[1], THREE[2][:2])
    (change,) = compare(spec(), observed(ObservedTopic("t", uneven))).changes
    assert change.is_deferred


def test_nothing_is_deleted_without_the_flag():
    cluster = observed(ObservedTopic("old", THREE), ObservedTopic("stranger", THREE))
    kept = compare_topics([], ["old", "never-was"], cluster, may_delete=False)
    assert kept.changes == ()
    assert "--delete-topics" in kept.notes[0]
    (change,) = compare_topics([], ["old", "never-was"], cluster, may_delete=True).changes
    assert (change.action, change.name, change.is_irreversible) == (Action.DELETE, "old", True)


def test_throttles_of_a_rebalance_are_no_drift():
    moving = {"leader.replication.throttled.replicas": "0:1001", "follower.replication.throttled.replicas": "0:1004"}
    assert compare(spec(), observed(ObservedTopic("t", THREE, moving))).changes == ()
