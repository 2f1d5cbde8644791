"""Plans for clusters that one meets: after scale-out, with uneven domains, full disks, brokers to drain."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hdictl.errors import CannotPlace, DomainsUnknown, UsageError
from hdictl.rebalance.planner import plan
from hdictl.rebalance.snapshot import Broker, Partition, Snapshot, make_snapshot
from hdictl.rebalance.wishes import Wishes
from tests.bench.rebalance_instances import Instance, snapshot
from tests.bench.rebalance_odd import shrunken

_GB = 10**9


def test_scale_out_of_a_compliant_cluster_moves_a_third_and_proves_it():
    made = plan(snapshot(Instance(6, 9, 360, "compliant")))
    assert (made.moves, made.certificate.moves) == (360, 360)
    assert made.gap["bytes"] < 0.02
    assert made.violations == ()
    assert (made.spread.replicas, made.spread.leaders, made.spread.topic) == (0, 0, 0)
    assert [change.after.replicas for change in made.brokers] == [120] * 9
    assert [change.after.leaders for change in made.brokers] == [40] * 9


def test_an_unaware_start_is_mended_while_it_is_balanced():
    made = plan(snapshot(Instance(6, 9, 360, "unaware")))
    assert made.violations_before
    assert made.violations == ()
    assert made.gap["moves"] <= 0.01
    assert made.gap["bytes"] <= 0.02


def test_uneven_fault_domains_are_judged_by_fair_share():
    made = plan(snapshot(Instance(6, 8, 360, "compliant")))
    assert [change.fair_replicas for change in made.brokers] == [120, 120, 180, 120, 120, 180, 120, 120]
    assert made.spread.replicas == 0
    assert any("fault domain 2 has 2 brokers" in note for note in made.notes)


def test_bytes_stay_inside_their_window():
    made = plan(snapshot(Instance(6, 9, 360, "compliant")), Wishes(balance_bytes=0.1))
    assert made.spread.bytes <= 0.1
    assert made.moves == 360
    assert made.violations == ()
    assert "bytes within 10 % of it" in made.certificate.constraints


def test_replicas_are_kept_when_the_isr_has_shrunk():
    made = plan(shrunken(seed=0))
    assert {len(replicas) for replicas in made.placement.values()} == {3}
    assert any("not in sync" in note for note in made.notes)


def test_without_domains_nothing_is_planned_in_silence():
    start = snapshot(Instance(6, 9, 36, "compliant"))
    unknown = replace(start, brokers=tuple(Broker(b.id) for b in start.brokers))
    with pytest.raises(DomainsUnknown, match="fault domains of 9 of 9 brokers are unknown") as failure:
        plan(unknown)
    assert "--no-domains" in str(failure.value)
    made = plan(unknown, Wishes(no_domains=True))
    assert made.moves
    assert any("--no-domains" in note for note in made.notes)


def test_racks_stand_in_for_fault_domains():
    start = snapshot(Instance(6, 9, 36, "compliant"))
    made = plan(replace(start, brokers=tuple(Broker(b.id, rack=b.rack) for b in start.brokers)))
    assert any("broker.rack (3 racks)" in note for note in made.notes)
    racks = {broker.id: broker.rack for broker in start.brokers}
    assert all(len({racks[id] for id in replicas}) == 3 for replicas in made.placement.values())


def test_a_drained_broker_holds_nothing_and_the_rest_is_balanced():
    made = plan(snapshot(Instance(9, 9, 360, "compliant")), Wishes(drain=frozenset({1003})))
    (drained,) = [change for change in made.brokers if change.broker.id == 1003]
    assert (drained.after.replicas, drained.after.leaders, drained.after.bytes) == (0, 0, 0)
    assert made.kind == "drain"
    assert (made.violations_before, made.violations) == ((), ())
    assert made.spread.replicas <= 1


def test_a_drained_broker_needs_no_domains():
    start = snapshot(Instance(9, 9, 36, "compliant"))
    brokers = tuple(Broker(b.id) if b.id == 1003 else replace(b, rack=None) for b in start.brokers)
    made = plan(replace(start, brokers=brokers), Wishes(drain=frozenset({1003})))
    assert made.violations == ()


def test_repair_touches_nothing_but_violations():
    start = snapshot(Instance(9, 9, 360, "unaware"))
    made = plan(start, Wishes(repair_only=True))
    broken = {violation.where for violation in made.violations_before}
    moved = {f"{step.topic}/{step.partition}" for step in made.steps if step.moves}
    assert moved == broken
    assert made.violations == ()
    assert made.moves == made.certificate.moves


def test_replication_changes_for_named_topics_only():
    start = snapshot(Instance(6, 6, 60, "compliant", replication=2))
    made = plan(start, Wishes(replication={"topic-0001": 3}))
    assert made.is_replication_change
    for (topic, _), replicas in made.placement.items():
        assert len(replicas) == (3 if topic == "topic-0001" else 2)
    assert {step.topic for step in made.steps} == {"topic-0001"}
    assert (made.moves, made.certificate.moves) == (12, 12)


def test_what_is_not_named_keeps_every_replica_even_on_a_broker_that_is_gone():
    brokers = [Broker(id, id % 3, id % 5) for id in range(1, 7)]
    others = [Partition("other", 0, (1, 99), (1,), size=1), Partition("other", 1, (6, 2), size=1)]
    start = make_snapshot(brokers, [Partition("t", 0, (1, 2), size=1), *others])
    made = plan(start, Wishes(replication={"t": 3}))
    assert made.placement[("other", 0)] == (1, 99)
    drained = plan(start, Wishes(replication={"t": 3}, drain=frozenset({6})))
    assert 6 not in drained.placement[("other", 1)]
    assert len(drained.placement[("other", 1)]) == 2


def test_fewer_replicas_move_nothing():
    made = plan(snapshot(Instance(6, 6, 60, "compliant")), Wishes(replication={"topic-0000": 2}))
    assert made.moves == 0
    assert {len(step.after) for step in made.steps} == {2}


def test_update_domains_are_shared_only_where_they_must_be():
    """One broker each in two fault domains, both in one update domain; the third has two more."""
    brokers = [Broker(1, 0, 0), Broker(2, 1, 0), Broker(3, 2, 1), Broker(4, 2, 2)]
    start = make_snapshot(brokers, [Partition("t", 0, (1, 2, 3), size=5)])
    made = plan(start)
    assert [violation.rule for violation in made.violations] == ["ud"]
    assert "no set of these brokers has update domains enough" in made.violations[0].reason
    with pytest.raises(CannotPlace, match="--strict-ud"):
        plan(start, Wishes(strict_ud=True))


def test_a_broker_that_fits_no_set_stays_empty_and_is_named():
    """1003 shares its update domain with the only broker of fault domain 1."""
    brokers = [Broker(1001, 0, 0), Broker(1002, 1, 1), Broker(1003, 0, 1)]
    start = make_snapshot(brokers, [Partition("t", n, (1001, 1002), size=1) for n in range(4)])
    made = plan(start)
    assert made.moves == 0
    assert any("broker 1003 stays empty" in note for note in made.notes)


def test_a_disk_is_never_filled():
    start = snapshot(Instance(6, 9, 120, "compliant"))
    tight = replace(start, brokers=tuple(replace(b, free=20 * _GB if b.id > 1006 else None) for b in start.brokers))
    made = plan(tight)
    for change in made.brokers:
        if change.broker.id > 1006:
            assert 0 < change.inbound <= 18 * _GB
    assert any(violation.rule == "replicas" for violation in made.violations)


def test_no_room_at_all_is_said_with_figures():
    brokers = [Broker(1, 0, 0, free=0), Broker(2, 1, 1, free=0), Broker(3, 2, 2)]
    start = make_snapshot(brokers, [Partition("t", 0, (1, 3), size=7 * _GB)])
    with pytest.raises(CannotPlace, match=r"there is no room: broker 2 .* take 7 GB or more and has 0 B free"):
        plan(start, Wishes(drain=frozenset({3})))


def test_no_room_is_said_of_the_broker_that_lacks_it():
    """All replicas of fault domain 0 lie on one broker; the others have little room as well, and need none."""
    brokers = [Broker(1, 0, 0, free=3 * _GB), *(Broker(id, 1 + id % 2, id % 5, free=_GB) for id in range(2, 8))]
    start = make_snapshot(brokers, [Partition("t", n, (2, 3, 4), size=_GB) for n in range(6)])
    with pytest.raises(CannotPlace, match=r"broker 1 \(fault domain 0\) .* take 6 GB or more and has 3 GB"):
        plan(start)


def test_replicas_on_brokers_that_are_gone_are_placed_anew():
    brokers = [Broker(id, id % 3, id % 5) for id in range(1, 7)]
    start = make_snapshot(brokers, [Partition("t", n, (1, 2, 99), (1, 2), size=1) for n in range(6)])
    made = plan(start)
    assert all(99 not in replicas for replicas in made.placement.values())
    assert any("(99)" in note for note in made.notes)


@pytest.mark.parametrize(
    ("wishes", "words"),
    [
        (Wishes(drain=frozenset({7})), "there is no broker 7 to drain"),
        (Wishes(replication={"nosuch": 3}), "there is no topic `nosuch`"),
    ],
)
def test_names_that_do_not_exist(wishes: Wishes, words: str):
    with pytest.raises(UsageError, match=words):
        plan(snapshot(Instance(6, 6, 12, "compliant")), wishes)


def test_more_replicas_than_brokers_are_refused():
    start = make_snapshot([Broker(1, 0, 0), Broker(2, 1, 1)], [Partition("t", 0, (1, 2))])
    with pytest.raises(CannotPlace, match="3 replicas need as many brokers; there are 2"):
        plan(start, Wishes(replication={"t": 3}))


def test_an_empty_cluster_needs_nothing():
    empty = Snapshot((Broker(1, 0, 0),), ())
    assert plan(empty).is_empty


@pytest.mark.parametrize("count", [3, 6, 9, 12, 15])
@pytest.mark.parametrize("a_topic", [3, 6, 12])
def test_topics_are_made_where_a_rebalance_would_put_them(count: int, a_topic: int):
    assert plan(snapshot(Instance(count, count, 120, "compliant", a_topic=a_topic))).is_empty
