"""A snapshot and wishes as arrays: what may move, where it may go, and what every broker ought to carry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from hdictl.rebalance.domains import Known
from hdictl.rebalance.fair_share import fair_shares
from hdictl.rebalance.snapshot import Broker, Partition, Snapshot
from hdictl.rebalance.solver import Bools, Floats, Ints
from hdictl.rebalance.spread import Cell, Rule, rule_for
from hdictl.rebalance.too_large import counted
from hdictl.rebalance.wishes import Wishes

# Kafka deletes by segments, and topics grow while replicas move: a part of what is free stays free.
HEAD_ROOM = 0.9
MOVE_WEIGHT = 1.5
_NEARLY = 1e-6
_ADDED_UP = 1e-4  # what a share of thousands of partitions is off by, when it is whole; others differ by far more
_DEAR = 30.0  # times the dearest move
_WELCOME = 0.02  # of the cheapest move: between equal plans, the more even one


@dataclass(frozen=True)
class Window:
    """What each broker may carry."""

    lower: Floats
    upper: Floats

    def excess(self, load: Floats | Ints) -> Floats:
        """How far out of the window, broker by broker."""
        return np.asarray(np.maximum(0.0, np.maximum(self.lower - load, load - self.upper)))

    def out(self, load: Floats | Ints) -> float:
        """How far out of the window, all brokers together."""
        excess = self.excess(load)
        return float(excess[excess > _NEARLY].sum())

    def widened(self, load: Floats) -> Window:
        return Window(np.minimum(self.lower, load), np.maximum(self.upper, load))

    def without(self, load: Floats) -> Window:
        """What is left for others when `load` is there already."""
        return Window(self.lower - load, self.upper - load)


@dataclass(frozen=True)
class Problem:
    brokers: tuple[Broker, ...]  # those that may hold replicas: a column each
    partitions: tuple[Partition, ...]
    replication: Ints  # wanted, by partition
    is_free: Bools  # by partition: the others stay as they are
    rules: Mapping[int, Rule]  # by replication factor
    balance_bytes: float | None
    is_global_only: bool
    is_partial: bool  # balance is welcome, and never a reason to move something
    # Bytes come first. Of two plans with nearly the same bytes, the one with fewer moves is better: a move less is
    # worth this many mean partitions.
    move_weight: float = MOVE_WEIGHT
    most_moves: int | None = None  # if everything is one block

    @cached_property
    def current(self) -> Bools:
        """Partition × broker. A replica on a broker that may hold none has no column: it has to go."""
        column = {broker.id: number for number, broker in enumerate(self.brokers)}
        held = np.zeros((len(self.partitions), len(self.brokers)), dtype=bool)
        for row, partition in enumerate(self.partitions):
            for id in partition.replicas:
                if id in column:
                    held[row, column[id]] = True
        return held

    def keeps_rule(self, replication: int, columns: Iterable[int]) -> bool:
        """Whether replicas on these brokers are spread as they should. Asked over and over for the same domains."""
        cells = tuple(sorted(self._cells[column] for column in columns))
        known = self._known_spreads.get((replication, cells))
        if known is None:
            known = self.rules[replication].holds(Counter(cells))
            self._known_spreads[replication, cells] = known
        return known

    @cached_property
    def _cells(self) -> list[Cell]:
        return [(broker.fd or 0, broker.ud or 0) for broker in self.brokers]

    @cached_property
    def _known_spreads(self) -> dict[tuple[int, tuple[Cell, ...]], bool]:
        return {}

    @cached_property
    def sizes(self) -> Floats:
        return np.array([partition.size for partition in self.partitions], dtype=float)

    @cached_property
    def unit(self) -> float:
        """Bytes are counted in mean partitions, so that numbers stay near one."""
        return float(self.sizes.mean()) if len(self.sizes) and self.sizes.any() else 1.0

    @cached_property
    def units(self) -> Floats:
        """Sizes, so counted."""
        return self.sizes / self.unit

    @cached_property
    def counted(self) -> Floats:
        """Units that partitions count as against windows on bytes: their own, unless they fit into none."""
        if self.balance_bytes is None or self.is_partial:
            return self.units
        everyone = np.arange(len(self.partitions))
        topics = [everyone] if self.is_global_only else list(self.topics.values())
        held = [(rows, self.topic_window(rows).lower) for rows in topics]
        return counted(self.units, self.share, self.balance_bytes, held)

    @cached_property
    def too_large(self) -> tuple[Partition, ...]:
        """Partitions that fit into no window on bytes."""
        return tuple(self.partitions[row] for row in np.flatnonzero(self.counted < self.units).tolist())

    @cached_property
    def topics(self) -> dict[str, Ints]:
        rows: dict[str, list[int]] = {}
        for row, partition in enumerate(self.partitions):
            rows.setdefault(partition.topic, []).append(row)
        return {topic: np.array(numbers) for topic, numbers in rows.items()}

    @cached_property
    def free_topics(self) -> list[Ints]:
        """Partitions that may move, by topic; the largest first."""
        free = [rows[self.is_free[rows]] for rows in self.topics.values()]
        return sorted((rows for rows in free if len(rows)), key=lambda rows: (-self.sizes[rows].sum(), int(rows[0])))

    @cached_property
    def share(self) -> Floats:
        """Partition × broker: what each broker fairly carries of it."""
        if not len(self.partitions):
            return np.zeros((0, len(self.brokers)))
        used = sorted(set(self.replication.tolist()))
        if self.is_global_only:  # what one topic carries too much of, another may even out
            weight = {rf: float((self.replication == rf).sum()) for rf in used}
            shares = fair_shares(self.brokers, self.rules, weight)
        else:
            shares = {rf: fair_shares(self.brokers, {rf: self.rules[rf]}, {rf: 1.0})[rf] for rf in used}
        table = np.zeros((max(used) + 1, len(self.brokers)))
        for rf, row in shares.items():
            table[rf] = row
        return np.asarray(table[self.replication])

    @cached_property
    def is_kept(self) -> Bools:
        """By partition: whether it is where the rules want it."""
        return np.array(
            [
                int(row.sum()) == self.replication[number] == len(self.partitions[number].replicas)
                and self.keeps_rule(int(self.replication[number]), np.flatnonzero(row).tolist())
                for number, row in enumerate(self.current)
            ],
            dtype=bool,
        )

    @cached_property
    def is_settled(self) -> bool:
        """Everything is within its window already: nothing has to move."""
        return bool(self.is_kept.all()) and not any(self.left(self.current))

    def left(self, placed: Bools) -> tuple[float, float, float]:
        """How far a placement is out of its windows: replicas of brokers, replicas of topics on them, and bytes."""
        topics = () if self.is_global_only else self.topics.values()
        return (
            self.count_window.out(placed.sum(axis=0)),
            sum(self.topic_window(rows).out(placed[rows].sum(axis=0)) for rows in topics),
            0.0 if self.bytes_window is None else self.bytes_window.out(self.counted @ placed),
        )

    @cached_property
    def count_window(self) -> Window:
        return whole_window(self.share.sum(axis=0))

    @cached_property
    def bytes_window(self) -> Window | None:
        """In units."""
        if self.balance_bytes is None:
            return None
        fair = self.counted @ self.share
        return Window(fair * (1 - self.balance_bytes), fair * (1 + self.balance_bytes))

    def topic_window(self, rows: Ints) -> Window:
        return whole_window(self.share[rows].sum(axis=0))

    @cached_property
    def room(self) -> Floats:
        """Units that may arrive at each broker: nothing that leaves is counted on, as it leaves last."""
        return np.array([np.inf if b.free is None else b.free * HEAD_ROOM / self.unit for b in self.brokers])

    def window_price(self, rows: Ints) -> float:
        """What one replica, or one mean partition, outside a window costs: nearly nothing where balance is only
        welcome, and otherwise more than any moves that keep it inside."""
        costs = self.move_cost[rows]
        return float(costs.min()) * _WELCOME if self.is_partial else float(costs.max()) * _DEAR

    @cached_property
    def move_cost(self) -> Floats:
        """By partition, of one replica: its bytes, and something for the move itself."""
        return np.asarray(self.units + self.move_weight)


def whole_window(fair: Floats) -> Window:
    """The whole numbers beside a share; one alone where the share is whole."""
    return Window(np.floor(fair + _ADDED_UP), np.ceil(fair - _ADDED_UP))


def rules_for(replication: Ints, brokers: tuple[Broker, ...]) -> dict[int, Rule]:
    return {rf: rule_for(rf, brokers) for rf in sorted(set(replication.tolist()))}


def problem_of(snapshot: Snapshot, wishes: Wishes, known: Known) -> Problem:
    replication = np.array(
        [wishes.replication.get(p.topic, len(p.replicas)) for p in snapshot.partitions], dtype=np.int64
    )
    problem = Problem(
        brokers=known.brokers,
        partitions=snapshot.partitions,
        replication=replication,
        is_free=np.ones(len(replication), dtype=bool),
        rules=rules_for(replication, known.brokers),
        balance_bytes=wishes.balance_bytes,
        is_global_only=wishes.global_only,
        is_partial=wishes.repair_only or bool(wishes.replication),
    )
    return _partial(problem, wishes) if problem.is_partial else problem


def _partial(problem: Problem, wishes: Wishes) -> Problem:
    """Only what breaks a rule, or whose replication changes, is free to move."""
    wrong = ~problem.is_kept if wishes.repair_only else np.zeros(len(problem.partitions), dtype=bool)
    wrong |= np.array([not wishes.drain.isdisjoint(p.replicas) for p in problem.partitions], dtype=bool)
    named = np.array([partition.topic in wishes.replication for partition in problem.partitions], dtype=bool)
    return replace(problem, is_free=wrong | named)
