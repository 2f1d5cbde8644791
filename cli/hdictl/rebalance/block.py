"""The model of some topics' partitions: one column for each partition and broker, rows for the rules.

Rows that tie topics together (replicas, bytes and room of each broker) are bounded by what the caller leaves to these
topics. Windows are hard for fractions, unless that is impossible; whole numbers may leave them at a price.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from hdictl.rebalance.problem import Problem, Window
from hdictl.rebalance.solver import Bools, Floats, Ints, Model
from hdictl.rebalance.spread import Rule


@dataclass(frozen=True)
class Coupling:
    """What all partitions of the block together may do to each broker."""

    count: Window
    bytes: Window | None
    room: Floats
    margin: Floats | None = None  # of bytes, at either end: whole numbers may use it, fractions may not


@dataclass(frozen=True)
class Block:
    problem: Problem
    rows: Ints  # the partitions, as numbers of the problem
    model: Model
    strict_model: Model  # with the margin for whole numbers
    whole_model: Model  # the same, and windows may be left at a price
    coupled: Ints  # rows of the model that tie it to other blocks: count, bytes, room, broker by broker
    topic_of: Ints  # by partition of the block, for choosing what to solve together
    coupling: Coupling
    penalty: float  # of a window that is left, a replica or a mean partition

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.rows), len(self.problem.brokers)

    def placed(self, values: Floats) -> Floats:
        """Partition × broker."""
        wide = self.shape[0] * self.shape[1]
        return values[:wide].reshape(self.shape)

    def full_cost(self, placed: Bools) -> float:
        """Of a whole placement of the block's partitions, with the price of every window that it leaves."""
        moved = placed & ~self.problem.current[self.rows]
        loads = [(self.coupling.count, placed.sum(axis=0).astype(float))]
        if self.coupling.bytes is not None:
            loads.append((self.coupling.bytes, self.problem.sizes[self.rows] / self.problem.unit @ placed))
        if not self.problem.is_global_only:
            for number in range(int(self.topic_of.max()) + 1):
                topic = self.rows[self.topic_of == number]
                everyone = self.problem.topics[self.problem.partitions[topic[0]].topic]
                loads.append((self.problem.topic_window(everyone), placed[self.topic_of == number].sum(axis=0)))
        left = sum(float(window.excess(load).sum()) for window, load in loads)
        return float(moved.sum(axis=1) @ self.problem.move_cost[self.rows]) + self.penalty * left

    def cost_of(self, cost: Floats) -> Floats:
        """Costs of all columns when one replica of each partition costs that much to move."""
        columns = np.zeros(self.model.columns)
        moved = np.where(self.problem.current[self.rows], 0.0, cost[self.rows, None])
        columns[: moved.size] = moved.ravel()
        return columns


@dataclass
class _Rows:
    """Rows as they come."""

    row_of: list[Ints] = field(default_factory=list)
    column_of: list[Ints] = field(default_factory=list)
    value: list[Floats] = field(default_factory=list)
    lower: list[Floats] = field(default_factory=list)
    upper: list[Floats] = field(default_factory=list)
    count: int = 0

    def add(self, columns: Ints, lower: Floats, upper: Floats, values: Floats | None = None) -> Ints:
        """A row of the model for each row of `columns`; returns their numbers."""
        high, wide = columns.shape
        numbers = np.arange(self.count, self.count + high)
        self.row_of.append(np.repeat(numbers, wide))
        self.column_of.append(columns.ravel())
        self.value.append(np.ones(columns.size) if values is None else values.ravel())
        self.lower.append(np.broadcast_to(lower, high))
        self.upper.append(np.broadcast_to(upper, high))
        self.count += high
        return numbers


def build(
    problem: Problem,
    rows: Ints,
    coupling: Coupling,
    *,
    is_loose: bool = False,
    kept: Bools | None = None,
) -> Block:
    """`kept`: a placement whose topics shall fit, whatever their windows are."""
    wide = len(problem.brokers)
    grid = np.arange(len(rows) * wide).reshape(len(rows), wide)
    made = _Rows()
    extra = _spread_rows(problem, rows, grid, made)
    windows = _topic_rows(problem, rows, grid, made, kept)
    count = made.add(grid.T, coupling.count.lower, coupling.count.upper)
    windows = [*windows, count]
    sizes = np.broadcast_to(problem.sizes[rows] / problem.unit, (wide, len(rows)))
    coupled = [count]
    if coupling.bytes is not None:
        coupled.append(made.add(grid.T, coupling.bytes.lower, coupling.bytes.upper, sizes))
        windows.append(coupled[-1])
    if np.isfinite(coupling.room).any():
        arriving = np.where(problem.current[rows].T, 0.0, sizes)
        coupled.append(made.add(grid.T, np.full(wide, -np.inf), np.maximum(coupling.room, 0.0), arriving))
    cost = np.where(problem.current[rows], 0.0, problem.move_cost[rows, None]).ravel()
    whole = _model(made, np.concatenate([cost, np.zeros(extra)]))
    model = whole
    if coupling.bytes is not None and coupling.margin is not None:
        model = _narrowed(model, coupled[1], coupling.margin)
    penalty = problem.window_price(rows)
    elastic = _elastic(whole, np.concatenate(windows), penalty)
    return Block(
        problem,
        rows,
        _elastic(model, np.concatenate(windows), penalty) if is_loose else model,
        whole,
        elastic,
        np.concatenate(coupled),
        _topic_numbers(problem, rows),
        coupling,
        penalty,
    )


def _model(made: _Rows, cost: Floats) -> Model:
    return Model(
        cost,
        np.zeros(len(cost)),
        np.ones(len(cost)),
        np.concatenate(made.row_of),
        np.concatenate(made.column_of),
        np.concatenate(made.value),
        np.concatenate(made.lower).astype(float),
        np.concatenate(made.upper).astype(float),
        np.ones(len(cost), dtype=bool),
    )


def _spread_rows(problem: Problem, rows: Ints, grid: Ints, made: _Rows) -> int:
    """As many replicas as wanted, spread over domains. Returns how many columns were added behind the grid."""
    wanted = problem.replication[rows]
    made.add(grid, wanted.astype(float), wanted.astype(float))
    extra = 0
    for replication, rule in problem.rules.items():
        mine = grid[wanted == replication]
        if not len(mine):
            continue
        for ranges, domain_of in (
            (rule.fd, [broker.fd or 0 for broker in problem.brokers]),
            (rule.ud, [broker.ud or 0 for broker in problem.brokers]),
        ):
            for domain, range_ in ranges.items():
                members = np.flatnonzero(np.array(domain_of) == domain)
                if range_.lower > 0 or range_.upper < len(members):
                    made.add(mine[:, members], np.array(float(range_.lower)), np.array(float(range_.upper)))
        if rule.ud_distinct > 1 and any(range_.upper > 1 for range_ in rule.ud.values()):
            extra += _distinct_rows(problem, rule, mine, grid.size + extra, made)
    return extra


def _distinct_rows(problem: Problem, rule: Rule, mine: Ints, first: int, made: _Rows) -> int:
    """A column a partition and update domain: whether it is used; enough of them have to be."""
    domains = list(rule.ud)
    used = np.arange(first, first + len(mine) * len(domains)).reshape(len(mine), len(domains))
    ud = np.array([broker.ud or 0 for broker in problem.brokers])
    for number, domain in enumerate(domains):
        held = mine[:, ud == domain]
        columns = np.hstack([held, used[:, [number]]])
        values = np.hstack([np.ones(held.shape), -np.ones((len(mine), 1))])
        made.add(columns, np.array(0.0), np.array(np.inf), values)
    made.add(used, np.array(float(rule.ud_distinct)), np.array(np.inf))
    return int(used.size)


def _topic_rows(problem: Problem, rows: Ints, grid: Ints, made: _Rows, kept: Bools | None) -> list[Ints]:
    if problem.is_global_only or (problem.is_partial and kept is not None):
        return []
    place = {row: number for number, row in enumerate(rows.tolist())}
    added = []
    for topic in dict.fromkeys(problem.partitions[row].topic for row in rows.tolist()):
        everyone = problem.topics[topic]
        mine = np.array([place[row] for row in everyone.tolist() if row in place])
        held = problem.current[[row for row in everyone.tolist() if row not in place]].sum(axis=0)
        window = problem.topic_window(everyone)
        if kept is not None:
            window = window.widened(kept[everyone].sum(axis=0).astype(float))
        window = window.without(held.astype(float))
        added.append(made.add(grid[mine].T, window.lower, window.upper))
    return added


def _topic_numbers(problem: Problem, rows: Ints) -> Ints:
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(problem.partitions[row].topic, len(numbers)) for row in rows.tolist()])


def _narrowed(model: Model, rows: Ints, margin: Floats) -> Model:
    lower, upper = model.row_lower.copy(), model.row_upper.copy()
    lower[rows] += margin
    upper[rows] -= margin
    return replace(model, row_lower=lower, row_upper=upper)


def _elastic(model: Model, windows: Ints, penalty: float) -> Model:
    """A column for what a row has too little, one for what it has too much."""
    first, more = model.columns, 2 * len(windows)
    columns = np.arange(first, first + more)
    return Model(
        np.concatenate([model.cost, np.full(more, penalty)]),
        np.concatenate([model.lower, np.zeros(more)]),
        np.concatenate([model.upper, np.full(more, np.inf)]),
        np.concatenate([model.row_of, windows, windows]),
        np.concatenate([model.column_of, columns]),
        np.concatenate([model.value, np.ones(len(windows)), -np.ones(len(windows))]),
        model.row_lower,
        model.row_upper,
        np.concatenate([model.is_integer, np.zeros(more, dtype=bool)]),
    )
