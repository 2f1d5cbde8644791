"""The rules as rows of a model: replicas of each partition over domains, of each topic over brokers, and what all
partitions together do to each broker."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from hdictl.rebalance.problem import Problem, Window
from hdictl.rebalance.solver import Bools, Floats, Ints
from hdictl.rebalance.spread import Rule

_EARLY = 1 / 30  # of the price of a window: bytes of a block that others follow


@dataclass(frozen=True)
class Coupling:
    """What all partitions of the block together may do to each broker."""

    count: Window
    bytes: Window | None
    room: Floats
    margin: Floats | None = None  # of bytes, at either end: whole numbers may use it, fractions may not
    is_last: bool = True  # no block after it can make up for bytes that are out of their window


@dataclass
class Rows:
    """Rows as they come."""

    row_of: list[Ints] = field(default_factory=list)
    column_of: list[Ints] = field(default_factory=list)
    value: list[Floats] = field(default_factory=list)
    lower: list[Floats] = field(default_factory=list)
    upper: list[Floats] = field(default_factory=list)
    prices: dict[int, float] = field(default_factory=dict)  # of rows that may be left
    count: int = 0

    def add(self, columns: Ints, window: Window, values: Floats | None = None, price: float | None = None) -> Ints:
        """A row of the model for each row of `columns`; returns their numbers. With a price it may be left."""
        high, wide = columns.shape
        numbers = np.arange(self.count, self.count + high)
        self.row_of.append(np.repeat(numbers, wide))
        self.column_of.append(columns.ravel())
        self.value.append(np.ones(columns.size) if values is None else values.ravel())
        self.lower.append(np.broadcast_to(window.lower, high))
        self.upper.append(np.broadcast_to(window.upper, high))
        self.count += high
        if price is not None:
            self.prices.update(dict.fromkeys(numbers.tolist(), price))
        return numbers


def spread_rows(problem: Problem, rows: Ints, grid: Ints, made: Rows) -> int:
    """As many replicas as wanted, spread over domains. Returns how many columns were added behind the grid."""
    wanted = problem.replication[rows]
    extra = 0
    for replication, rule in problem.rules.items():
        mine = grid[wanted == replication]
        if not len(mine):
            continue
        if not sum(r.lower for r in rule.fd.values()) == replication == sum(r.upper for r in rule.fd.values()):
            made.add(mine, _exactly(replication))  # otherwise fault domains say so already
        for ranges, domain_of in (
            (rule.fd, [broker.fd or 0 for broker in problem.brokers]),
            (rule.ud, [broker.ud or 0 for broker in problem.brokers]),
        ):
            for domain, range_ in ranges.items():
                members = np.flatnonzero(np.array(domain_of) == domain)
                if range_.lower > 0 or range_.upper < len(members):
                    made.add(mine[:, members], Window(np.array(float(range_.lower)), np.array(float(range_.upper))))
        if rule.ud_distinct > 1 and any(range_.upper > 1 for range_ in rule.ud.values()):
            extra += _distinct_rows(problem, rule, mine, grid.size + extra, made)
    return extra


def _exactly(value: float) -> Window:
    return Window(np.array(float(value)), np.array(float(value)))


def _at_least(value: float) -> Window:
    return Window(np.array(float(value)), np.array(np.inf))


def _distinct_rows(problem: Problem, rule: Rule, mine: Ints, first: int, made: Rows) -> int:
    """A column a partition and update domain: whether it is used; enough of them have to be."""
    domains = list(rule.ud)
    used = np.arange(first, first + len(mine) * len(domains)).reshape(len(mine), len(domains))
    ud = np.array([broker.ud or 0 for broker in problem.brokers])
    for number, domain in enumerate(domains):
        held = mine[:, ud == domain]
        columns = np.hstack([held, used[:, [number]]])
        values = np.hstack([np.ones(held.shape), -np.ones((len(mine), 1))])
        made.add(columns, _at_least(0), values)
    made.add(used, _at_least(rule.ud_distinct))
    return int(used.size)


def topic_rows(problem: Problem, rows: Ints, grid: Ints, made: Rows, kept: Bools | None) -> None:
    if problem.is_global_only or (problem.is_partial and kept is not None):
        return
    place = {row: number for number, row in enumerate(rows.tolist())}
    price = problem.window_price(rows)
    for topic in dict.fromkeys(problem.partitions[row].topic for row in rows.tolist()):
        everyone = problem.topics[topic]
        mine = np.array([place[row] for row in everyone.tolist() if row in place])
        held = problem.current[[row for row in everyone.tolist() if row not in place]].sum(axis=0)
        window = problem.topic_window(everyone)
        if kept is not None:
            window = window.widened(kept[everyone].sum(axis=0).astype(float))
        made.add(grid[mine].T, window.without(held.astype(float)), price=price)


def coupled_rows(problem: Problem, rows: Ints, coupling: Coupling, grid: Ints, made: Rows) -> list[Ints]:
    """Replicas of each broker, then bytes and room, if they are bounded."""
    price = problem.window_price(rows)
    coupled = [made.add(grid.T, coupling.count, price=price)]
    wide = len(problem.brokers)
    if coupling.bytes is not None:
        early = 1.0 if coupling.is_last else _EARLY
        coupled.append(made.add(grid.T, coupling.bytes, _across(problem.counted[rows], wide), price * early))
    if np.isfinite(coupling.room).any():
        arriving = np.where(problem.current[rows].T, 0.0, _across(problem.units[rows], wide))
        coupled.append(made.add(grid.T, at_most(np.maximum(coupling.room, 0.0)), arriving))
    return coupled


def at_most(upper: Floats | float) -> Window:
    return Window(np.full(np.shape(upper), -np.inf), np.asarray(upper, dtype=float))


def _across(sizes: Floats, wide: int) -> Floats:
    """The same for every broker."""
    return np.broadcast_to(sizes, (wide, len(sizes)))
