"""Plans to draw. Their figures are counted from two placements; whether the plan is a good one does not matter here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

from hdictl.rebalance.plan import BrokerChange, Certificate, Load, RebalancePlan, Spread, Step, Violation
from hdictl.rebalance.snapshot import Broker, PartitionKey

Placement = Mapping[PartitionKey, tuple[int, ...]]


@dataclass(frozen=True)
class Shape:
    """A cluster that grew from `old` to `new` brokers."""

    old: int = 6
    new: int = 9
    topics: int = 30
    partitions: int = 12
    replication: int = 3

    @property
    def brokers(self) -> tuple[Broker, ...]:
        return tuple(Broker(1001 + n, n % 3, n % 5, free=4_000_000_000_000) for n in range(self.new))

    def before(self) -> dict[PartitionKey, tuple[int, ...]]:
        """As Kafka places without racks: the next brokers in line, among the old ones."""
        return {
            (f"topic-{topic:03}", partition): tuple(
                1001 + (topic * 5 + partition + step * (1 + topic % 2)) % self.old for step in range(self.replication)
            )
            for topic in range(self.topics)
            for partition in range(self.partitions)
        }

    def after(self) -> dict[PartitionKey, tuple[int, ...]]:
        """Every partition in the set of three fault and update domains that is used least, kept replicas first."""
        ids = {broker.id: broker for broker in self.brokers}
        sets = [
            chosen
            for chosen in combinations(ids, self.replication)
            if len({ids[b].fd for b in chosen}) == min(3, self.replication)
            and len({ids[b].ud for b in chosen}) == min(5, self.replication)
        ]
        sets = sets[:: 1 + len(sets) // 60]  # enough to be even, few enough to be quick
        load: Counter[int] = Counter()
        leads: Counter[int] = Counter()
        placed = {}
        for key, held in self.before().items():
            fullest = max(load.values(), default=0)
            best = min(sets, key=lambda s: (sum(load[b] - fullest for b in s) * 2 - sum(b in held for b in s), s))
            leader = min(best, key=lambda b: (leads[b], b not in held, b))
            placed[key] = (leader, *(b for b in best if b != leader))
            load.update(best)
            leads[leader] += 1
        return placed

    def sizes(self) -> dict[PartitionKey, int]:
        return {key: 200_000_000 * (1 + hash_of(key) % 23) for key in self.before()}


def hash_of(key: PartitionKey) -> int:
    """The same on every run; Python's own is not."""
    return sum(ord(letter) * (place + 1) for place, letter in enumerate(f"{key[0]}/{key[1]}"))


def sample(shape: Shape | None = None, *, cluster: str = "ingest") -> RebalancePlan:
    shape = shape or Shape()
    return plan_of(shape.brokers, shape.before(), shape.after(), shape.sizes(), cluster=cluster)


def plan_of(
    brokers: tuple[Broker, ...],
    before: Placement,
    after: Placement,
    sizes: Mapping[PartitionKey, int],
    *,
    cluster: str = "ingest",
) -> RebalancePlan:
    steps = tuple(
        Step(*key, before[key], after[key], sizes[key]) for key in sorted(before) if before[key] != after[key]
    )
    moves, data = sum(step.moves for step in steps), sum(step.bytes for step in steps)
    changes = _changes(brokers, before, after, sizes, steps)
    return RebalancePlan(
        kind="balance",
        cluster=cluster,
        cluster_id="fIb3Q9wYTDSiQbM0mY7tWg",
        fingerprint="0123456789abcdef",
        steps=steps,
        untouched={key: held for key, held in before.items() if after[key] == held},
        brokers=changes,
        spread_before=_spread([change.before for change in changes], changes),
        spread=_spread([change.after for change in changes], changes),
        violations_before=_violations(brokers, before),
        violations=_violations(brokers, after),
        certificate=Certificate(moves, int(data / 1.004), "one replica per fault and update domain, counts within one"),
        notes=("broker 1002 has 3 update domains to choose from",),
        seconds=0.24,
    )


def _changes(
    brokers: tuple[Broker, ...],
    before: Placement,
    after: Placement,
    sizes: Mapping[PartitionKey, int],
    steps: tuple[Step, ...],
) -> tuple[BrokerChange, ...]:
    replicas = sum(len(held) for held in before.values())
    data = sum(sizes[key] * len(held) for key, held in before.items())
    return tuple(
        BrokerChange(
            broker,
            _load(broker.id, before, sizes),
            _load(broker.id, after, sizes),
            replicas / len(brokers),
            len(before) / len(brokers),
            data / len(brokers),
            sum(step.size for step in steps if broker.id in step.adding),
            sum(step.bytes for step in steps if broker.id == step.before[0]),
        )
        for broker in brokers
    )


def _load(broker: int, placement: Placement, sizes: Mapping[PartitionKey, int]) -> Load:
    held = [key for key, replicas in placement.items() if broker in replicas]
    leads = sum(replicas[0] == broker for replicas in placement.values())
    return Load(len(held), leads, sum(sizes[key] for key in held))


def _spread(loads: list[Load], changes: tuple[BrokerChange, ...]) -> Spread:
    pairs = list(zip(loads, changes, strict=True))
    return Spread(
        max(abs(load.replicas - change.fair_replicas) for load, change in pairs),
        max(abs(load.leaders - change.fair_leaders) for load, change in pairs),
        1.0,
        max(abs(load.bytes / (change.fair_bytes or 1) - 1) for load, change in pairs),
    )


def _violations(brokers: tuple[Broker, ...], placement: Placement) -> tuple[Violation, ...]:
    fd, ud = {b.id: b.fd for b in brokers}, {b.id: b.ud for b in brokers}
    found = []
    for (topic, partition), held in sorted(placement.items()):
        if len({fd[b] for b in held}) < min(len(held), 3):
            found.append(Violation("fd", f"{topic}/{partition}", "two replicas in one fault domain"))
        if len({ud[b] for b in held}) < min(len(held), 5):
            found.append(Violation("ud", f"{topic}/{partition}", "two replicas in one update domain"))
    return tuple(found)
