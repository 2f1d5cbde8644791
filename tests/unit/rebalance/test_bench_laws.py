"""A plan of each kind keeps the laws of the bench, and each law notices a plan that breaks it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hdictl.rebalance.plan import Certificate, RebalancePlan, Step, Violation
from hdictl.rebalance.planner import plan
from hdictl.rebalance.snapshot import Broker, Partition, Snapshot, make_snapshot
from hdictl.rebalance.wishes import Wishes
from tests.bench.rebalance_cases import Case, cases
from tests.bench.rebalance_domains import Domains
from tests.bench.rebalance_instances import Instance, snapshot
from tests.bench.rebalance_judged import Judged
from tests.bench.rebalance_large import too_large
from tests.bench.rebalance_laws import broken_laws
from tests.bench.rebalance_outcome import outcome
from tests.bench.rebalance_relaxed import bounded, can_keep_windows

_SCALINGS = ("6→9", "6→8", "9→12")
_OTHERS = (
    "6→9 × 360 unaware ±10 %",
    "6→9 unaware, RF 2",
    "6→8 unaware, RF 4, 2 FDs",
    "6→9 unaware, RF 2 and 3",
    "domains −1, racks known",
    "domains −1, no racks",
    "irregular FD and UD",
    "6→9 compliant, ISR shrunken",
    "6→9 unaware, old broker 85 % full",
    "9 compliant, drain one",
    "6→9 unaware, --repair",
    "6→9 compliant, RF 2 to 3",
)


def _is_quick(case: Case) -> bool:
    return case.name in _OTHERS or (case.group == "360 partitions" and case.name.startswith(_SCALINGS))


def test_the_names_are_those_of_cases():
    assert set(_OTHERS) <= {case.name for case in cases(has_large=False)}


@pytest.mark.parametrize(
    "case", [case for case in cases(has_large=False) if _is_quick(case)], ids=lambda case: case.name
)
def test_a_plan_keeps_the_laws(case):
    assert outcome(case, seed=0).broken == ()


@pytest.mark.parametrize("seed", [100, 105, 119])
def test_a_dive_fills_no_disk(seed):
    """A broker with room for half of its share, where what is rounded last would be too much."""
    case = next(case for case in cases(has_large=False) if case.name.endswith("new broker too small"))
    assert outcome(case, seed).broken == ()


@pytest.fixture(scope="module")
def start() -> Snapshot:
    return snapshot(Instance(6, 9, 36, "unaware"))


@pytest.fixture(scope="module")
def made(start) -> RebalancePlan:
    return plan(start, Wishes())


def _laws(start: Snapshot, made: RebalancePlan, wishes: Wishes = Wishes()) -> set[str]:  # noqa: B008 (frozen)
    return {law.split(":")[0] for law in broken_laws(Judged(start, wishes, made))}


def _with_first(made: RebalancePlan, after: tuple[int, ...]) -> RebalancePlan:
    first, *rest = made.steps
    return replace(made, steps=(Step(first.topic, first.partition, first.before, after, first.size), *rest))


def test_a_whole_plan_breaks_none(start, made):
    assert _laws(start, made) == set()


def test_a_replica_less_is_noticed(start, made):
    assert "replication" in _laws(start, _with_first(made, made.steps[0].after[:-1]))


def test_a_broker_twice_is_noticed(start, made):
    leader, *_ = made.steps[0].after
    assert "replication" in _laws(start, _with_first(made, (leader, leader, leader)))


def test_an_unknown_broker_is_noticed(start, made):
    assert "brokers" in _laws(start, _with_first(made, (*made.steps[0].after[:-1], 4711)))


def test_a_drained_broker_that_holds_something_is_noticed(start, made):
    assert "brokers" in _laws(start, made, Wishes(drain=frozenset({1009})))


def test_another_order_is_noticed(start, made):
    key, (leader, *others) = next(iter(made.untouched.items()))
    swapped = {**made.untouched, key: (leader, *reversed(others))}
    assert {"order", "steps"} <= _laws(start, replace(made, untouched=swapped))


def test_a_shared_fault_domain_is_noticed(start, made):
    assert "domains" in _laws(start, _with_first(made, (1001, 1004, 1007)))


def test_a_cost_that_is_not_so_is_noticed(start, made):
    first, *rest = made.steps
    hidden = Step(first.topic, first.partition, first.after, first.after, first.size)
    assert "cost" in _laws(start, replace(made, steps=(hidden, *rest)))
    assert "cost" in _laws(start, replace(made, certificate=Certificate(made.moves + 1, 0, "")))
    assert "cost" in _laws(start, replace(made, certificate=Certificate(0, made.bytes + 1, "")))


def test_a_disk_that_overflows_is_noticed(start, made):
    full = replace(start, brokers=tuple(replace(broker, free=0) for broker in start.brokers))
    assert "disk" in _laws(full, made)


def test_a_repair_that_moves_more_than_it_has_to_is_noticed(start, made):
    assert "repair" in _laws(start, made, Wishes(repair_only=True))


def test_a_load_far_from_fair_is_noticed(start, made):
    idle = {partition.key: partition.replicas for partition in start.partitions}
    assert "balance" in _laws(start, replace(made, steps=(), untouched=idle))


def test_shares_that_do_not_add_up_are_noticed(start, made):
    halved = tuple(replace(change, fair_replicas=change.fair_replicas / 2) for change in made.brokers)
    assert "fair_shares" in _laws(start, replace(made, brokers=halved))


def test_the_fair_share_of_uneven_fault_domains():
    """Two brokers in the third fault domain hold a replica of every partition between them."""
    made = plan(snapshot(Instance(6, 8, 360, "unaware")), Wishes())
    assert [change.fair_replicas for change in made.brokers] == [120, 120, 180, 120, 120, 180, 120, 120]


def test_the_best_spread_is_found_by_trial():
    pairs = ((0, 0), (0, 1), (1, 0), (1, 0))
    domains = Domains([Broker(id, fd, ud) for id, (fd, ud) in enumerate(pairs)], no_domains=False)
    assert domains.best(2) == (2, -1, 2)
    assert domains.best(3) == (2, -2, 2)
    assert domains.violations([(0, 2), (1, 2)]) == (0, 1)


_WINDOW = Wishes(balance_bytes=0.1)


def test_bytes_out_of_a_window_that_can_be_kept_are_noticed():
    """Saying so is no excuse."""
    start = snapshot(Instance(6, 9, 120, "compliant"))
    uneven = replace(plan(start), violations=tuple(Violation("bytes", f"broker {id}", "") for id in start.broker_ids))
    judged = Judged(start, _WINDOW, uneven)
    assert any(law.startswith("balance: bytes") for law in broken_laws(judged))
    assert can_keep_windows(judged)


def _large(count: int, size: int) -> Snapshot:
    """On nine brokers, with sixty partitions of 1 GB."""
    brokers = [Broker(1000 + number, number % 3, number % 5) for number in range(9)]
    sizes = {"large": [size] * count, "small": [1] * 60}
    partitions = [
        Partition(topic, number, (1000, 1001, 1002), size=gigabytes * 10**9)
        for topic, all_sizes in sizes.items()
        for number, gigabytes in enumerate(all_sizes)
    ]
    return make_snapshot(brokers, partitions)


def test_a_window_that_no_plan_keeps_is_known_by_the_second_model():
    """Twelve large replicas on nine brokers: two are too many, one is too few."""
    start = _large(count=4, size=100)
    judged = Judged(start, _WINDOW, plan(start, _WINDOW))
    assert any(law.startswith("balance: bytes") for law in broken_laws(judged))
    assert not can_keep_windows(judged)


def test_only_brokers_with_a_partition_that_no_window_takes_are_excused():
    start = _large(count=1, size=900)
    made = plan(start, _WINDOW)
    assert [partition.key for partition in too_large(Judged(start, _WINDOW, made))] == [("large", 0)]
    assert _laws(start, made, _WINDOW) == set()
    assert "balance" in _laws(start, replace(made, violations=()), _WINDOW)
    less = tuple(replace(change, fair_bytes=change.fair_bytes * 0.9) for change in made.brokers)
    assert "fair_shares" in _laws(start, replace(made, brokers=less), _WINDOW), "than there is without the large one"


def test_a_bound_that_is_too_high_is_noticed():
    start = snapshot(Instance(6, 9, 120, "unaware"))
    made = plan(start)
    assert bounded(Judged(start, Wishes(), made)).broken == ()
    for wrong in (Certificate(made.moves * 2, 0, ""), Certificate(0, made.bytes * 2, "")):
        assert bounded(Judged(start, Wishes(), replace(made, certificate=wrong))).broken
    high = Certificate(0, made.bytes * 2, "")
    windowed = replace(plan(start, _WINDOW), certificate=high)
    assert bounded(Judged(start, _WINDOW, windowed)).broken
