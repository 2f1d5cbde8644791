"""A plan in portions: how much may be under way at once, and in which order.

Pure and deterministic. A portion is bounded for every broker by the bytes that arrive, the bytes that leave, the
replicas that arrive, and by the room on its disk: the old replica stays until the new one is in sync. Small partitions
go first, so that a run that has to stop has done much; destinations take turns, so that no broker is the only one busy.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from hdictl.errors import CannotPlace
from hdictl.rebalance.plan import RebalancePlan, Step

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
    waiting = sorted((step for step in steps if step.adding), key=lambda step: (step.bytes, step.key))
    quick = tuple(sorted((step for step in steps if not step.adding), key=lambda step: step.key))
    room = {broker: max(0, count - limits.spare) for broker, count in free.items()}
    made = []
    while waiting:
        batch = _filled(waiting, room, limits)
        made.append(batch)
        taken = {step.key for step in batch.steps}
        waiting = [step for step in waiting if step.key not in taken]
        for step in batch.steps:
            for broker in step.adding:
                _change(room, broker, -step.size)
            for broker in step.removing:
                _change(room, broker, step.size)
    return (*made, Batch(quick)) if quick else tuple(made)


class _Portion:
    """One batch while it fills."""

    def __init__(self, room: Mapping[int, int], limits: Limits) -> None:
        self._room = room
        self._limits = limits
        self.steps: list[Step] = []
        self.inbound: Counter[int] = Counter()
        self.outbound: Counter[int] = Counter()
        self._arriving: Counter[int] = Counter()

    def has_room(self, step: Step) -> bool:
        return all(self.inbound[b] + step.size <= self._room.get(b, self.inbound[b] + step.size) for b in step.adding)

    def is_full(self, broker: int, step: Step) -> bool:
        return (
            not _is_within(self.inbound[broker], step.size, self._limits.inbound)
            or self._arriving[broker] >= self._limits.replicas
        )

    def takes(self, step: Step) -> bool:
        """A broker's first step is never too large for a batch: else large partitions would go one by one through the
        whole cluster. It may be too large for a disk."""
        if not self.has_room(step):
            return False
        return _is_within(self.outbound[step.before[0]], step.bytes, self._limits.outbound) and all(
            _is_within(self.inbound[broker], step.size, self._limits.inbound)
            and self._arriving[broker] < self._limits.replicas
            for broker in step.adding
        )

    def add(self, step: Step) -> None:
        self.steps.append(step)
        self.outbound[step.before[0]] += step.bytes
        for broker in step.adding:
            self.inbound[broker] += step.size
            self._arriving[broker] += 1


def _is_within(taken: int, more: int, limit: int) -> bool:
    return taken == 0 or taken + more <= limit


def _filled(waiting: Sequence[Step], room: Mapping[int, int], limits: Limits) -> Batch:
    """`waiting` is in order of size. What a batch does not take once it never takes later: it only gets fuller."""
    queues: dict[int, list[Step]] = defaultdict(list)
    for step in waiting:
        queues[min(step.adding)].append(step)
    turns = {broker: iter(queues[broker]) for broker in sorted(queues)}
    portion = _Portion(room, limits)
    while turns:
        for broker, queue in list(turns.items()):
            taken = _next(queue, portion, broker)
            if taken is None:
                del turns[broker]
            else:
                portion.add(taken)
    if not portion.steps:
        smallest = waiting[0]
        raise CannotPlace(
            f"no broker has room for the {len(waiting)} moves that are left: {smallest.size} bytes of "
            f"{smallest.topic}/{smallest.partition} do not fit on {' or '.join(map(str, smallest.adding))}",
            fix="make room: shorten a retention, or add brokers; then plan again",
        )
    return Batch(tuple(portion.steps), dict(sorted(portion.inbound.items())), dict(sorted(portion.outbound.items())))


def _next(queue: Iterator[Step], portion: _Portion, broker: int) -> Step | None:
    """The queue grows in size: when its own broker is full, nothing behind fits either."""
    for step in queue:
        if portion.is_full(broker, step):
            return None
        if portion.takes(step):
            return step
    return None


def _change(room: dict[int, int], broker: int, count: int) -> None:
    if broker in room:
        room[broker] += count
