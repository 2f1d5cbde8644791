"""A batch to its end: what has arrived, how fast, who is away; and a stop when nothing is gained any more."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from hdictl.errors import KafkaUnreachable, RebalanceStopped
from hdictl.ports.progress import Board, Row
from hdictl.ports.reassignment import PlacementReader
from hdictl.rebalance.placed import brokers_text
from hdictl.rebalance.plan import Step
from hdictl.rebalance.snapshot import PartitionKey
from hdictl.rebalance.throttle import brokers_of
from hdictl.stack.units import rounded_duration, rounded_size
from hdictl.workflow.rebalance.waiting import Waiting

_MANY = 500  # partitions on the move; above it, looks are fewer


@dataclass(frozen=True)
class Arrived:
    """Bytes of new replicas, by broker: here, and in all."""

    here: Mapping[int, int] = field(default_factory=dict)
    total: Mapping[int, int] = field(default_factory=dict)

    @property
    def left(self) -> int:
        return sum(self.total.values()) - sum(self.here.values())


def arrived(
    steps: Sequence[Step], moving: Mapping[PartitionKey, object], sizes: Mapping[int, Mapping[PartitionKey, int]]
) -> Arrived:
    """A partition grows while it is copied: its total is what the largest replica has by now."""
    here: dict[int, int] = {}
    total: dict[int, int] = {}
    for step in steps:
        held = {broker: each[step.key] for broker, each in sizes.items() if step.key in each}
        whole = max((step.size, *(held.get(broker, 0) for broker in step.before)))
        for broker in step.adding:
            total[broker] = total.get(broker, 0) + whole
            here[broker] = here.get(broker, 0) + (min(held.get(broker, 0), whole) if step.key in moving else whole)
    return Arrived(here, total)


class Watch:
    """`sample` is told what moves and how many bytes are left, now and then."""

    def __init__(
        self, cluster: PlacementReader, waiting: Waiting, sample: Callable[[Sequence[Step], int], None] | None = None
    ) -> None:
        self._cluster = cluster
        self._waiting = waiting
        self._sample = sample

    def until_still(self, steps: Sequence[Step], name: str) -> None:
        """Until Kafka moves none of these any more."""
        with self._waiting.progress.board() as board:
            seen = _Seen(self._waiting.pace.now(), steps, name)
            while moving := self._moving(steps):
                self._look(steps, moving, seen, board)
                self._waiting.pace.pause(self._waiting.pace.look * (1 + len(moving) / _MANY))
                self._waiting.held.keep()
            board.show([seen.end()])

    def _moving(self, steps: Sequence[Step]) -> dict[PartitionKey, object]:
        """All of them when nobody answers: nothing is known to be over."""
        try:
            ongoing = self._cluster.ongoing()
        except KafkaUnreachable:
            return {step.key: None for step in steps}
        return {step.key: ongoing[step.key] for step in steps if step.key in ongoing}

    def _look(self, steps: Sequence[Step], moving: Mapping[PartitionKey, object], seen: _Seen, board: Board) -> None:
        pace, now = self._waiting.pace, self._waiting.pace.now()
        if now - seen.weighed < pace.weigh:
            return
        seen.weighed = now
        left = [step for step in steps if step.key in moving]
        try:
            found = arrived(steps, moving, self._cluster.sizes(brokers_of(steps), [step.key for step in steps]))
            away = sorted(set(brokers_of(left)) - self._cluster.living())
            if self._sample is not None:
                self._sample(left, found.left)
        except KafkaUnreachable as error:
            self._waiting.progress.step(f"waiting: {error.what}")
            found, away = seen.last, []
        seen.note(found, len(left), now)
        board.show(seen.rows(found, now))
        self._tell(away, seen, now)
        if now - seen.gained > pace.patience:
            trouble = f"{brokers_text(away, 'is', 'are')} away" if away else "more is written than the throttle lets in"
            raise RebalanceStopped(f"nothing has been gained for {pace.patience:.0f} s: {trouble}")

    def _tell(self, away: list[int], seen: _Seen, now: float) -> None:
        if away and (away != seen.away or now - seen.told > self._waiting.pace.tell):
            words = brokers_text(away, "is away; what it holds waits for it", "are away; what they hold waits for them")
            self._waiting.progress.step(f"waiting: {words}")
            seen.told = now
        elif seen.away and not away:
            self._waiting.progress.step("all brokers are back")
        seen.away = away


class _Seen:
    """What was noticed while one batch was on its way."""

    def __init__(self, now: float, steps: Sequence[Step], name: str) -> None:
        self._name = name
        self._steps = steps
        self._began = now
        self._at_first: int | None = None
        self._least: tuple[int, int] | None = None
        self._brokers = sorted({broker for step in steps for broker in step.adding})
        self.last = Arrived()
        self.weighed = now - 1e9
        self.gained = now
        self.told = now
        self.away: list[int] = []

    def note(self, found: Arrived, partitions: int, now: float) -> None:
        """A gain is a partition less to go, or fewer bytes left than ever."""
        state = (partitions, found.left)
        if self._least is None or state < self._least:
            self._least, self.gained = state, now
        if self._at_first is None:
            self._at_first = sum(found.here.values())
        self.last = found

    def end(self) -> Row:
        """How long it took, the board says."""
        return Row(self._name, f"{rounded_size(sum(step.bytes for step in self._steps))} copied", is_done=True)

    def rows(self, found: Arrived, now: float) -> list[Row]:
        here, total = sum(found.here.values()), sum(found.total.values())
        rate = max(0, here - (self._at_first or 0)) / max(now - self._began, 1e-3)
        left = f", {rounded_duration(found.left / rate)} left" if rate > 1 else ""
        figures = f"{rounded_size(here)} of {rounded_size(total)}, {rounded_size(rate)}/s{left}"
        return [
            Row(self._name, figures, is_figures=True),
            *(
                Row(
                    f"broker {broker}",
                    f"{rounded_size(found.here.get(broker, 0))} of {rounded_size(found.total.get(broker, 0))}",
                    is_figures=True,
                )
                for broker in self._brokers
            ),
        ]
