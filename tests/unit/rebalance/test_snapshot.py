"""Snapshots and plans as files: there and back, and what is wrong with a bad one."""

from __future__ import annotations

import json

import pytest

from hdictl.errors import PlanUnreadable, SnapshotInvalid
from hdictl.rebalance.plan_file import read_plan, to_document, to_text
from hdictl.rebalance.planner import plan
from hdictl.rebalance.snapshot import from_document, read_snapshot
from hdictl.rebalance.snapshot import to_document as snapshot_document
from tests.bench.rebalance_instances import Instance, snapshot

_GOOD = {
    "brokers": {"1001": {"fd": 0, "ud": 1, "free": 123}, "1002": {"fd": -1, "ud": None}},
    "partitions": [{"topic": "t", "partition": 0, "replicas": [1001, 1002], "isr": [1001], "size": 5}],
}


def test_there_and_back():
    start = snapshot(Instance(6, 9, 24, "unaware"))
    assert read_snapshot(json.dumps(snapshot_document(start)), "s.json") == start


def test_negative_domains_are_unknown():
    read = from_document(_GOOD)
    assert (read.brokers[0].fd, read.brokers[0].free) == (0, 123)
    assert (read.brokers[1].fd, read.brokers[1].ud) == (None, None)
    assert not read.partitions[0].is_in_sync


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda d: d.pop("brokers"), "an object with `brokers` and `partitions`"),
        (lambda d: d.update(brokers={}), "there is no broker"),
        (lambda d: d["brokers"].update(abc={}), "brokers.abc: a broker's id is a number"),
        (lambda d: d["brokers"]["1001"].update(fd="zero"), "brokers.1001.fd: 'zero' is no domain"),
        (lambda d: d["brokers"]["1001"].update(free=-5), "brokers.1001.free: -5 is no number from 0"),
        (lambda d: d["partitions"][0].update(replicas=[]), "t/0: a partition has at least one replica"),
        (lambda d: d["partitions"][0].update(replicas=[1001, 1001]), "t/0: a broker holds two of its replicas"),
        (lambda d: d["partitions"][0].update(replicas="1001"), "t/0.replicas: this is a list of broker ids"),
        (lambda d: d["partitions"][0].update(size=True), "t/0.size: True is no number from 0"),
        (lambda d: d["partitions"].append(d["partitions"][0]), "t/0: it stands there twice"),
        (lambda d: d["partitions"].append({}), "partitions[1]: a partition has a topic"),
    ],
)
def test_a_bad_snapshot_is_told_by_its_place(change, words):
    document = json.loads(json.dumps(_GOOD))
    change(document)
    with pytest.raises(SnapshotInvalid) as failure:
        read_snapshot(json.dumps(document), "s.json")
    assert words in str(failure.value)
    assert str(failure.value).startswith("s.json")


def test_what_is_no_json_is_told():
    with pytest.raises(SnapshotInvalid, match="this is not JSON"):
        read_snapshot("{", "s.json")


def test_a_plan_survives_its_file():
    made = plan(snapshot(Instance(6, 9, 24, "unaware")))
    again = read_plan(to_text(made), "p.json")
    assert again.steps == made.steps
    assert again.placement == made.placement
    assert again.brokers == made.brokers
    assert again.violations_before == made.violations_before
    assert again.certificate == made.certificate


def test_the_assignment_is_kafkas_own_format():
    made = plan(snapshot(Instance(6, 9, 24, "unaware")))
    document = to_document(made)["assignment"]
    assert document["version"] == 1
    assert len(document["partitions"]) == 24
    assert set(document["partitions"][0]) == {"topic", "partition", "replicas"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("nonsense", "this is not JSON"),
        ("{}", "this is no rebalance plan"),
        ('{"assignment": {}, "format": 99}', "format 99 is not known here"),
        ('{"assignment": {"partitions": []}, "format": 1}', "something is missing or odd in it"),
    ],
)
def test_a_bad_plan_is_told(text, words):
    with pytest.raises(PlanUnreadable, match=words):
        read_plan(text, "p.json")


def test_the_fingerprint_is_of_the_placement():
    start = snapshot(Instance(6, 9, 24, "unaware"))
    document = snapshot_document(start)
    document["partitions"][0]["size"] += 1
    assert from_document(document).fingerprint == start.fingerprint
    document["partitions"][0]["replicas"].reverse()
    assert from_document(document).fingerprint != start.fingerprint
