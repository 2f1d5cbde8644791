"""The model of some topics' partitions: one column for each partition and broker, rows for the rules.

Rows that tie topics together (replicas, bytes and room of each broker) are bounded by what the caller leaves to these
topics. Windows are hard for fractions, unless that is impossible; whole numbers may leave them at a price.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from hdictl.rebalance.problem import Problem
from hdictl.rebalance.rows import Coupling, Rows, at_most, coupled_rows, spread_rows, topic_rows
from hdictl.rebalance.solver import Bools, Floats, Ints, Model

_NEARLY = 1e-6
_HAIR = 0.001  # of a window
_DEARER = 30.0


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

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.rows), len(self.problem.brokers)

    @property
    def is_everything(self) -> bool:
        """There is no other block."""
        return len(self.rows) == int(self.problem.is_free.sum())

    def placed(self, values: Floats) -> Floats:
        """Partition × broker."""
        wide = self.shape[0] * self.shape[1]
        return values[:wide].reshape(self.shape)

    def values_of(self, placed: Bools) -> Floats:
        """Of all columns of the whole model, as they follow from a whole placement."""
        model = self.whole_model
        values = np.zeros(model.columns)
        values[: placed.size] = placed.ravel()
        is_used = (model.column_of >= placed.size) & (model.column_of < self.strict_model.columns) & (model.value < 0)
        values[model.column_of[is_used]] = np.minimum(1.0, model.activity(values)[model.row_of[is_used]])
        is_left = model.column_of >= self.strict_model.columns
        rows, activity = model.row_of[is_left], model.activity(values)
        short, over = model.row_lower[rows] - activity[rows], activity[rows] - model.row_upper[rows]
        values[model.column_of[is_left]] = np.maximum(0.0, np.where(model.value[is_left] > 0, short, over))
        return values

    def full_cost(self, placed: Bools) -> float:
        """Of a whole placement of the block's partitions, with the price of every window that it leaves."""
        return float(self.whole_model.cost @ self.values_of(placed))

    def is_left(self, placed: Bools) -> bool:
        """Whether a whole placement leaves a window."""
        return bool((self.values_of(placed)[self.strict_model.columns :] > _NEARLY).any())

    def with_dearer_windows(self) -> Block:
        """The same, where leaving a window by a little is worth moves as well."""
        model, wide = self.whole_model, self.shape[1]
        if self.coupling.bytes is not None:
            bytes_ = self.coupling.bytes
            model = _narrowed(model, self.coupled[wide : 2 * wide], (bytes_.upper - bytes_.lower) * _HAIR)
        cost = model.cost.copy()
        cost[self.strict_model.columns :] *= _DEARER
        return replace(self, whole_model=replace(model, cost=cost))

    def cost_of(self, cost: Floats) -> Floats:
        """Costs of all columns when one replica of each partition costs that much to move."""
        columns = np.zeros(self.model.columns)
        moved = np.where(self.problem.current[self.rows], 0.0, cost[self.rows, None])
        columns[: moved.size] = moved.ravel()
        return columns


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
    made = Rows()
    extra = spread_rows(problem, rows, grid, made)
    topic_rows(problem, rows, grid, made, kept)
    coupled = coupled_rows(problem, rows, coupling, grid, made)
    if problem.most_moves is not None:
        moves = grid[~problem.current[rows]][None, :]
        made.add(moves, at_most(problem.most_moves), price=problem.window_price(rows))
    cost = np.where(problem.current[rows], 0.0, problem.move_cost[rows, None]).ravel()
    whole = _model(made, np.concatenate([cost, np.zeros(extra)]))
    model = whole
    if coupling.bytes is not None and coupling.margin is not None:
        model = _narrowed(model, coupled[1], coupling.margin)
    return Block(
        problem,
        rows,
        elastic(model, made.prices) if is_loose else model,
        whole,
        elastic(whole, made.prices),
        np.concatenate(coupled),
        _topic_numbers(problem, rows),
        coupling,
    )


def _model(made: Rows, cost: Floats) -> Model:
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


def _topic_numbers(problem: Problem, rows: Ints) -> Ints:
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(problem.partitions[row].topic, len(numbers)) for row in rows.tolist()])


def _narrowed(model: Model, rows: Ints, margin: Floats) -> Model:
    lower, upper = model.row_lower.copy(), model.row_upper.copy()
    lower[rows] += margin
    upper[rows] -= margin
    return replace(model, row_lower=lower, row_upper=upper)


def elastic(model: Model, prices: Mapping[int, float]) -> Model:
    """A column for what a row has too little, one for what it has too much."""
    first, more = model.columns, 2 * len(prices)
    columns, rows, price = np.arange(first, first + more), np.array(list(prices)), np.array(list(prices.values()))
    return Model(
        np.concatenate([model.cost, price, price]),
        np.concatenate([model.lower, np.zeros(more)]),
        np.concatenate([model.upper, np.full(more, np.inf)]),
        np.concatenate([model.row_of, rows, rows]),
        np.concatenate([model.column_of, columns]),
        np.concatenate([model.value, np.ones(len(rows)), -np.ones(len(rows))]),
        model.row_lower,
        model.row_upper,
        np.concatenate([model.is_integer, np.zeros(more, dtype=bool)]),
    )
