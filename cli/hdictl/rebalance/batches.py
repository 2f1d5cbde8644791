"""A plan in portions: how much may be under way at once, and in which order.

Pure and deterministic. A portion is bounded for every broker by the bytes that arrive, the bytes that leave, the
replicas that arrive, and by the room on its disk: the old replica stays until the new one is in sync. Small partitions
go first, so that a run that has to stop has done much; destinations take turns, so that no broker is the only one busy.

A partition that is larger than the bound goes as well, and its portion takes as long as that. Portions wait for their
last, so meanwhile all others may have as much to do: else most of them would be idle most of the time.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from hdictl.errors import CannotPlace
from hdictl.rebalance.plan import RebalancePlan, Step
from hdictl.rebalance.snapshot import PartitionKey

GB = 1_000_000_000


@dataclass(frozen=True)
class Limits:
    """Of one broker in one batch."""

    inbound: int = 10 * GB  # bytes
    outbound: int = 10 * GB
    replicas: int = 50  # that arrive
    spare: int = 1 * GB  # bytes of a disk that are never planned to be used


DEFAULT_LIMITS = Limits()


@dataclass(frozen=True)
class Batch:
    steps: tuple[Step, ...]
    inbound: Mapping[int, int] = field(default_factory=dict)  # broker → bytes that arrive
    outbound: Mapping[int, int] = field(default_factory=dict)  # broker → bytes that it sends, as the leader

    @property
    def bytes(self) -> int:
        return sum(step.bytes for step in self.steps)

    @property
    def moves(self) -> int:
        return sum(step.moves for step in self.steps)

    def seconds(self, rate: int) -> float:
        """At `rate` bytes a second in and out of every broker: the busiest one decides."""
        return max((*self.inbound.values(), *self.outbound.values()), default=0) / rate


def seconds(batches: Iterable[Batch], rate: int) -> float:
    """Batches wait for each other."""
    return sum(batch.seconds(rate) for batch in batches)


def batches(plan: RebalancePlan, limits: Limits = DEFAULT_LIMITS) -> tuple[Batch, ...]:
    free = {change.broker.id: change.broker.free for change in plan.brokers if change.broker.free is not None}
    return portions(plan.steps, free, limits)


def portions(steps: Sequence[Step], free: Mapping[int, int], limits: Limits) -> tuple[Batch, ...]:
    """Steps without data to copy (a new order, a replica less) come last, together. `free` in bytes, where known."""
    waiting = _Waiting(step for step in steps if step.adding)
    quick = tuple(sorted((step for step in steps if not step.adding), key=lambda step: step.key))
    room = {broker: max(0, count - limits.spare) for broker, count in free.items()}
    made = []
    while waiting:
        batch = _filled(waiting, room, limits)
        made.append(batch)
        for step in batch.steps:
            for broker in step.adding:
                _change(room, broker, -step.size)
            for broker in step.removing:
                _change(room, broker, step.size)
    return (*made, Batch(quick)) if quick else tuple(made)


class _Waiting:
    """Steps that no batch has yet: a queue for each broker that they arrive at, smallest first."""

    def __init__(self, steps: Iterable[Step]) -> None:
        self._queues: dict[int, deque[Step]] = defaultdict(deque)
        for step in sorted(steps, key=_by_size):
            self._queues[min(step.adding)].append(step)

    def __bool__(self) -> bool:
        return any(self._queues.values())

    def __len__(self) -> int:
        return sum(map(len, self._queues.values()))

    @property
    def smallest(self) -> Step:
        return min((queue[0] for queue in self._queues.values() if queue), key=_by_size)

    def fill(self, portion: _Portion) -> None:
        """Brokers take turns. What is not taken now waits in front again."""
        passed: dict[int, list[Step]] = {broker: [] for broker in sorted(self._queues)}
        turns = list(passed)
        while turns:
            turns = [broker for broker in turns if portion.take_from(self._queues[broker], broker, passed[broker])]
        for broker, steps in passed.items():
            self._queues[broker].extendleft(reversed(steps))


def _by_size(step: Step) -> tuple[int, PartitionKey]:
    return (step.bytes, step.key)


class _Portion:
    """One batch while it fills."""

    def __init__(self, room: Mapping[int, int], limits: Limits) -> None:
        self._room = room
        self._limits = limits
        self.steps: list[Step] = []
        self.inbound: Counter[int] = Counter()
        self.outbound: Counter[int] = Counter()
        self._arriving: Counter[int] = Counter()

    def widen(self) -> bool:
        """Everybody may have as much to do as the busiest has. Whether that is more than before."""
        longest = max((*self.inbound.values(), *self.outbound.values()), default=0)
        before = self._limits
        self._limits = replace(before, inbound=max(before.inbound, longest), outbound=max(before.outbound, longest))
        return self._limits != before

    def _is_full(self, broker: int, step: Step) -> bool:
        """A broker's first step is never too large for a batch: else large partitions would go one by one through the
        whole cluster."""
        return (
            not _is_within(self.inbound[broker], step.size, self._limits.inbound)
            or self._arriving[broker] >= self._limits.replicas
        )

    def take_from(self, queue: deque[Step], broker: int, passed: list[Step]) -> bool:
        """The next step that fits; those before it are `passed`. The queue grows in size: when its own broker is full,
        nothing behind fits either."""
        while queue and not self._is_full(broker, queue[0]):
            step = queue.popleft()
            if self._takes(step):
                self._add(step)
                return True
            passed.append(step)
        return False

    def _takes(self, step: Step) -> bool:
        is_free = _is_within(self.outbound[step.before[0]], step.bytes, self._limits.outbound)
        return is_free and not any(
            self._is_full(broker, step) or not self._fits(broker, step) for broker in step.adding
        )

    def _fits(self, broker: int, step: Step) -> bool:
        """On the broker's disk."""
        return broker not in self._room or self.inbound[broker] + step.size <= self._room[broker]

    def _add(self, step: Step) -> None:
        self.steps.append(step)
        self.outbound[step.before[0]] += step.bytes
        for broker in step.adding:
            self.inbound[broker] += step.size
            self._arriving[broker] += 1


def _is_within(taken: int, more: int, limit: int) -> bool:
    return taken == 0 or taken + more <= limit


def _filled(waiting: _Waiting, room: Mapping[int, int], limits: Limits) -> Batch:
    portion = _Portion(room, limits)
    waiting.fill(portion)
    while portion.widen():
        waiting.fill(portion)
    if not portion.steps:
        smallest = waiting.smallest
        raise CannotPlace(
            f"no broker has room for the {len(waiting)} moves that are left: {smallest.size} bytes of "
            f"{smallest.topic}/{smallest.partition} do not fit on {' or '.join(map(str, smallest.adding))}",
            fix="make room: shorten a retention, or add brokers; then plan again",
        )
    return Batch(tuple(portion.steps), dict(sorted(portion.inbound.items())), dict(sorted(portion.outbound.items())))


def _change(room: dict[int, int], broker: int, count: int) -> None:
    if broker in room:
        room[broker] += count
