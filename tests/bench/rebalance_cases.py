"""What is planned for in the bench: groups of cases, each with its seeds, its wishes and its targets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

from hdictl.errors import DomainsUnknown, HdictlError
from hdictl.rebalance.snapshot import Snapshot
from hdictl.rebalance.wishes import Wishes
from tests.bench import rebalance_odd as odd
from tests.bench.rebalance_instances import FIRST, Instance, snapshot

SCALINGS = ((6, 9), (6, 8), (9, 12), (12, 16), (20, 30))
STARTS = ("compliant", "unaware", "rack")
WINDOW = Wishes(balance_bytes=0.1)
# Inputs of the same kind that peers were measured on: scaling and start → name in rebalance_peers.csv.
PEERS = {
    (6, 9, "compliant"): "S1",
    (6, 9, "unaware"): "S2",
    (6, 9, "rack"): "S3",
    (6, 8, "unaware"): "S4",
    (6, 8, "compliant"): "S4c",
    (9, 12, "unaware"): "S5",
}
_BALANCE = frozenset({"replicas", "topic", "leaders"})
# A tenth of what is free stays free: of that tenth, a second plan may use nine.
_NO_ROOM = _BALANCE | {"settled"}


@dataclass(frozen=True)
class Case:
    group: str
    name: str
    make: odd.Make
    seeds: int
    wishes: Wishes = Wishes()  # noqa: RUF009 (frozen)
    peers: str = ""  # in rebalance_peers.csv
    seconds: float | None = None  # of CPU, that a plan shall take at most
    may_leave: frozenset[str] = frozenset()  # rules that cannot always be kept here
    refusal: type[HdictlError] | None = None  # instead of a plan
    is_regular: bool = False  # every set of domains that the replication factor wants exists: see rebalance_relaxed


def cases(*, has_large: bool) -> Iterator[Case]:
    for old, new in SCALINGS:
        for start in STARTS:
            yield _scaling(Instance(old, new, 360, start), 20, seconds=0.5, peers=PEERS.get((old, new, start), ""))
    yield from _odd()
    for old, new in SCALINGS:
        for start in STARTS:
            yield _windowed(Instance(old, new, 360, start), 20)
    for old, new in SCALINGS:
        for start in STARTS:
            yield _scaling(Instance(old, new, 1_000, start), 20)
    for old, new in SCALINGS:
        for start in STARTS:
            peers = f"B5-{start}" if new == 30 and start != "rack" else ""
            yield _scaling(Instance(old, new, 10_000, start, a_topic=50), 3, seconds=10, peers=peers)
    for start in STARTS:
        yield replace(_windowed(Instance(20, 30, 10_000, start, a_topic=50), 3), seconds=40)
    if has_large:
        yield _scaling(Instance(40, 60, 100_000, "unaware", a_topic=50), 1)


def _make(instance: Instance, seed: int) -> Snapshot:
    return snapshot(replace(instance, seed=seed))


def _scaling(instance: Instance, seeds: int, *, seconds: float | None = None, peers: str = "") -> Case:
    group = f"{instance.partitions:,} partitions"
    return Case(group, instance.name, partial(_make, instance), seeds, peers=peers, seconds=seconds, is_regular=True)


def _windowed(instance: Instance, seeds: int) -> Case:
    group = f"{instance.partitions:,} partitions, bytes of every broker within 10 % of its fair share"
    peers = PEERS.get((instance.old, instance.new, instance.start), "") if instance.partitions == 360 else ""
    return Case(group, f"{instance.name} ±10 %", partial(_make, instance), seeds, WINDOW, peers, is_regular=True)


def _odd() -> Iterator[Case]:
    nine = Instance(9, 9, 360)
    every_topic = {f"topic-{number:04}": 3 for number in range(30)}
    for name, make, wishes, is_regular in (
        ("6→9 unaware, RF 2", partial(_make, Instance(6, 9, 360, "unaware", replication=2)), Wishes(), True),
        (
            "6→8 unaware, RF 4, 2 FDs",
            partial(_make, Instance(6, 8, 360, "unaware", 4, fault_domains=2)),
            Wishes(),
            True,
        ),
        (
            "6→8 compliant, RF 4, 2 FDs",
            partial(_make, Instance(6, 8, 360, "compliant", 4, fault_domains=2)),
            Wishes(),
            True,
        ),
        ("6→9 unaware, RF 2 and 3", odd.mixed, Wishes(), False),
        ("6→9 unaware, FDs of 4, 3 and 2", odd.uneven, Wishes(), True),
        ("domains −1, racks known", partial(odd.unknown, has_racks=True), Wishes(), False),
        ("domains −1, --no-domains", partial(odd.unknown, has_racks=False), Wishes(no_domains=True), False),
        ("6→9 compliant, ISR shrunken", odd.shrunken, Wishes(), True),
        ("6→9 unaware, old broker 85 % full", odd.full_old_broker, Wishes(), False),
        ("6→9 unaware, one topic of 1 TB", odd.outlier, Wishes(), True),
        ("9 compliant, drain one", partial(_make, nine), Wishes(drain=frozenset({FIRST + 8})), True),
        ("12 unaware, drain three", partial(_make, Instance(12, 12, 360, "unaware")), _drained(9, 10, 11), True),
        ("6→9 unaware, --repair", partial(_make, Instance(6, 9, 360, "unaware")), Wishes(repair_only=True), False),
        ("6→9 unaware, --global-only", partial(_make, Instance(6, 9, 360, "unaware")), Wishes(global_only=True), True),
        (
            "6→9 compliant, RF 2 to 3",
            partial(_make, Instance(6, 9, 360, replication=2)),
            Wishes(replication=every_topic),
            False,
        ),
    ):
        yield Case("360 partitions, odd clusters", name, make, 20, wishes, is_regular=is_regular)
    group = "360 partitions, where a rule has to give way"
    yield Case(group, "irregular FD and UD", odd.irregular, 20, peers="S6", may_leave=_BALANCE)
    yield Case(group, "6→9 compliant, new broker too small", odd.small_new_broker, 20, may_leave=_NO_ROOM)
    yield Case(group, "one topic of 1 TB ±10 %", odd.outlier, 20, WINDOW, may_leave=frozenset({"bytes"}))
    yield Case(group, "domains −1, no racks", partial(odd.unknown, has_racks=False), 1, refusal=DomainsUnknown)


def _drained(*numbers: int) -> Wishes:
    return Wishes(drain=frozenset(FIRST + number for number in numbers))
