"""A whole placement made better, a part of it at a time: the part is solved in whole numbers, the rest is held.

Parts are partitions that lie elsewhere than the fractional optimum has them, and then a few brokers with everything
that lies on them: partitions change places among these. A part never gets dearer; when a whole round gains next to
nothing, it ends.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from hdictl.rebalance.block import Block
from hdictl.rebalance.solver import Bools, Floats, integer_solution, restricted

_ROUNDS = 6
_NOTHING = 0.001  # of the cost: a round that gains less is the last
_GAP = 0.001
_NODES = 20
_COLUMNS = 700  # of partitions that are solved together
_COLUMNS_OF_BROKERS = 2_500  # easier: replicas elsewhere are held


@dataclass
class _State:
    block: Block
    placed: Bools
    cost: float

    def improve(self, is_free: Bools) -> None:
        """`is_free`: partition × broker."""
        model = self.block.whole_model
        columns = np.ones(model.columns, dtype=bool)
        columns[: is_free.size] = is_free.ravel()
        values = self.block.values_of(self.placed)
        small = restricted(model, np.where(columns, 0.0, values), columns)
        found = integer_solution(small, gap=_GAP, nodes=_NODES, start=values[columns])
        if found is None:
            return
        values[columns] = found.values
        placed = np.asarray(self.block.placed(values) > 0.5)
        cost = self.block.full_cost(placed)
        if cost < self.cost - 1e-9:
            self.placed, self.cost = placed, cost


def polished(block: Block, placed: Bools, fractional: Floats, goal: float) -> Bools:
    """`fractional`: partition × broker, to steer by. `goal`: a cost that is good enough."""
    state = _State(block, placed, block.full_cost(placed))
    for number in range(_ROUNDS):
        before = state.cost
        for is_free in _parts(state, fractional, number):
            if state.cost <= goal:
                return state.placed
            state.improve(is_free)
        if state.cost > before * (1 - _NOTHING):
            break
    return state.placed


def _parts(state: _State, fractional: Floats, number: int) -> Iterator[Bools]:
    """Each is made from what is placed by then."""
    high, wide = state.block.shape
    elsewhere = np.flatnonzero((np.abs(fractional - state.placed) > 1e-6).any(axis=1))
    elsewhere = elsewhere[np.argsort(-state.block.problem.sizes[state.block.rows[elsewhere]], kind="stable")]
    together = max(1, _COLUMNS // wide)
    for start in range(0, len(elsewhere), together):
        is_free = np.zeros((high, wide), dtype=bool)
        is_free[elsewhere[start : start + together]] = True
        yield is_free
    order = sorted(range(wide), key=lambda broker: (broker + 1) * 7919 ** (number + 1) % 104_729)  # as if by chance
    together = max(2, round(math.sqrt(_COLUMNS_OF_BROKERS * wide / max(1, int(state.placed.sum())))))
    for start in range(0, wide, together):
        brokers = np.array(sorted(order[start : start + together]))
        is_free = np.zeros((high, wide), dtype=bool)
        is_free[np.ix_(state.placed[:, brokers].any(axis=1), brokers)] = True
        yield is_free
