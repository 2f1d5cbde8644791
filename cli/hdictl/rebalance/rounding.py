"""From the best fractional placement of a block to a whole one.

The fractional optimum is nearly whole: only partitions that brokers' windows cut through are not. Large ones are
settled first (large_first), the others by diving (dive); bytes that are still out of their window are mended by trades
(swaps), and what is then dearer than it need be is polished (polish). A tiny block is solved in whole numbers at once.
"""

from __future__ import annotations

import numpy as np

from hdictl.rebalance.block import Block
from hdictl.rebalance.dive import dived
from hdictl.rebalance.large_first import large_first
from hdictl.rebalance.polish import polished
from hdictl.rebalance.solver import TINY, TINY_NODES, Bools, Solution, integer_solution, is_whole
from hdictl.rebalance.swaps import mended

_GAP = 0.002  # of the whole-number search
_GOOD_ENOUGH = 0.002  # over the fractional optimum: it is not polished further
_GOOD_ENOUGH_BYTES = 0.008  # with a window on bytes, which whole partitions rarely meet so well


def rounded(block: Block, fractional: Solution) -> Bools | None:
    """Partition × broker; None when no whole placement keeps the hard rows."""
    placed = block.placed(fractional.values)
    if is_whole(placed).all():
        return np.asarray(placed > 0.5)
    if block.shape[0] * block.shape[1] <= TINY and (whole := _exact(block)) is not None:
        return whole
    guide = large_first(block, fractional)
    if guide is None:
        return None
    is_split: Bools = np.logical_not(is_whole(block.placed(guide.values)).all(axis=1))
    found = dived(block, guide, is_split)
    if found is None:
        return None
    enough = _GOOD_ENOUGH if block.coupling.bytes is None else _GOOD_ENOUGH_BYTES
    goal = fractional.objective * (1 + enough) + 1e-6
    found = polished(block, mended(block, found), block.placed(guide.values), goal)
    if block.is_everything and block.is_left(found):  # by a hair, perhaps, which was cheaper than a move
        found = polished(block.with_dearer_windows(), found, block.placed(guide.values), goal)
    return found


def _exact(block: Block) -> Bools | None:
    solution = integer_solution(block.strict_model, gap=_GAP, nodes=TINY_NODES)
    return None if solution is None else np.asarray(block.placed(solution.values) > 0.5)
