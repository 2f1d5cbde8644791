"""From the best fractional placement of a block to a whole one.

The fractional optimum is nearly whole: only partitions that brokers' windows cut through are not. Few of them are
solved as whole numbers, many by diving; the others are held. When that is not near enough to the optimum, twice as many
are solved, and so on.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from hdictl.rebalance.block import Block
from hdictl.rebalance.dive import dived
from hdictl.rebalance.solver import (
    NODES,
    TINY,
    TINY_NODES,
    Bools,
    Floats,
    Solution,
    integer_solution,
    is_whole,
    restricted,
)
from hdictl.rebalance.swaps import mended

_GAP = 0.002  # of the whole-number search
_GOOD_ENOUGH = 0.008  # over the fractional optimum: more need not join
_FAR = 0.015
_SEARCHABLE = 4_500  # columns of a whole block
_FEW_COLUMNS = 1_000  # a search by branches takes seconds beyond


def rounded(block: Block, fractional: Solution) -> Bools | None:
    """Partition × broker; None when no whole placement keeps the hard rows."""
    placed = block.placed(fractional.values)
    is_split: Bools = np.logical_not(is_whole(placed).all(axis=1))
    if not is_split.any():
        return np.asarray(placed > 0.5)
    if block.shape[0] * block.shape[1] <= TINY and (whole := _exact(block, nodes=TINY_NODES)) is not None:
        return whole
    best: Bools | None = None
    lowest = np.inf
    for is_free in _growing(block, is_split):
        found = _solved(block, fractional, is_free)
        if found is not None and (cost := block.full_cost(found)) < lowest:
            best, lowest = found, cost
        if lowest <= fractional.objective * (1 + _GOOD_ENOUGH) + 1e-6:
            break
    if lowest > fractional.objective * (1 + _FAR) and block.strict_model.columns <= _SEARCHABLE:
        found = _exact(block, NODES)
        if found is not None and block.full_cost(found) < lowest:
            return found
    return best


def _exact(block: Block, nodes: int) -> Bools | None:
    """All at once: worth while where a block is tiny, or nothing else came near."""
    solution = integer_solution(block.strict_model, gap=_GAP, nodes=nodes)
    return None if solution is None else np.asarray(block.placed(solution.values) > 0.5)


def _growing(block: Block, is_split: Bools) -> Iterator[Bools]:
    """What to solve: split partitions, then twice as many each time; small ones of the same topics join first."""
    touched = np.isin(block.topic_of, block.topic_of[is_split])
    order = np.lexsort((block.problem.sizes[block.rows], ~touched, ~is_split))
    count = int(is_split.sum())
    while True:
        is_free = np.zeros(len(is_split), dtype=bool)
        is_free[order[:count]] = True
        yield is_free
        if count >= len(is_split):
            return
        count *= 2


def _solved(block: Block, fractional: Solution, is_free: Bools) -> Bools | None:
    if is_free.sum() * block.shape[1] <= _FEW_COLUMNS:
        return _searched(block, fractional, is_free)
    found = dived(block, fractional, is_free)
    return None if found is None else mended(block, found)


def _searched(block: Block, fractional: Solution, is_free: Bools) -> Bools | None:
    grid = block.shape[0] * block.shape[1]
    columns = np.ones(block.whole_model.columns, dtype=bool)
    columns[:grid] = np.repeat(is_free, block.shape[1])
    held: Floats = np.zeros(block.whole_model.columns)
    held[:grid] = np.where(columns[:grid], 0.0, np.round(fractional.values[:grid]))
    model, _ = restricted(block.whole_model, held, columns)
    found = integer_solution(model, gap=_GAP)
    if found is None:
        return None
    held[columns] = found.values
    return np.asarray(block.placed(held) > 0.5)
