"""A snapshot and wishes as arrays: what may move, where it may go, and what every broker ought to carry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from hdictl.rebalance.fair_share import fair_shares
from hdictl.rebalance.snapshot import Broker, Partition
from hdictl.rebalance.solver import Bools, Floats, Ints
from hdictl.rebalance.spread import Cell, Rule, rule_for

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

    def holds(self, load: Floats) -> Bools:
        return np.asarray((load >= self.lower - _NEARLY) & (load <= self.upper + _NEARLY))

    def excess(self, load: Floats) -> Floats:
        """How far out of the window."""
        return np.asarray(np.maximum(0.0, np.maximum(self.lower - load, load - self.upper)))

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

    def pattern(self, columns: Iterable[int]) -> Counter[Cell]:
        """In which cells a set of brokers lies."""
        return Counter((self.brokers[column].fd or 0, self.brokers[column].ud or 0) for column in columns)

    @cached_property
    def sizes(self) -> Floats:
        return np.array([partition.size for partition in self.partitions], dtype=float)

    @cached_property
    def unit(self) -> float:
        """Bytes are counted in mean partitions, so that numbers stay near one."""
        return float(self.sizes.mean()) if len(self.sizes) and self.sizes.any() else 1.0

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
                and self.rules[int(self.replication[number])].holds(self.pattern(np.flatnonzero(row).tolist()))
                for number, row in enumerate(self.current)
            ],
            dtype=bool,
        )

    @cached_property
    def is_settled(self) -> bool:
        """Everything is within its window already: nothing has to move."""
        loads = self.current.sum(axis=0).astype(float)
        if not self.is_kept.all() or not self.count_window.holds(loads).all():
            return False
        size = self.bytes_window
        if size is not None and not size.holds(self.sizes / self.unit @ self.current).all():
            return False
        return self.is_global_only or all(
            self.topic_window(rows).holds(self.current[rows].sum(axis=0).astype(float)).all()
            for rows in self.topics.values()
        )

    @cached_property
    def count_window(self) -> Window:
        return whole_window(self.share.sum(axis=0))

    @cached_property
    def bytes_window(self) -> Window | None:
        """In units."""
        if self.balance_bytes is None:
            return None
        fair = self.sizes @ self.share / self.unit
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
        return np.asarray(self.sizes / self.unit + self.move_weight)


def whole_window(fair: Floats) -> Window:
    """The whole numbers beside a share; one alone where the share is whole."""
    return Window(np.floor(fair + _ADDED_UP), np.ceil(fair - _ADDED_UP))


def rules_for(replication: Ints, brokers: tuple[Broker, ...]) -> dict[int, Rule]:
    return {rf: rule_for(rf, brokers) for rf in sorted(set(replication.tolist()))}
