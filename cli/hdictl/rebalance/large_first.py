"""Large partitions first, where bytes have a window.

In fractions a large partition lies a little everywhere, and everybody's bytes fit. Whole, it is a good part of a
broker's window, and decides what else fits there. So large ones are settled one at a time, the largest first: the sets
of brokers that have most of it are tried, the linear program tells what each one leads to, and the best is held. What
is left to round afterwards is small against the windows.
"""

from __future__ import annotations

import numpy as np

from hdictl.rebalance.block import Block
from hdictl.rebalance.broker_sets import likely_sets
from hdictl.rebalance.solver import Bools, Floats, LinearProgram, Solution, is_whole

_LARGE = 0.15  # of the narrowest window
_TRIED = 4
_HARDLY_DEARER = 0.002  # of what everything costs: no other set is tried then


def large_first(block: Block, fractional: Solution) -> Solution | None:
    """A fractional placement whose large partitions are whole; None when disks have no room for one."""
    is_open = _is_large(block)
    if not is_open.any() or _largest_split(block, fractional, is_open) is None:
        return fractional
    program = LinearProgram(block.whole_model)
    found = program.solve()
    while found is not None and (row := _largest_split(block, found, is_open)) is not None:
        is_open[row] = False
        found = _settled(block, program, row, found)
    return found


def _is_large(block: Block) -> Bools:
    window = block.coupling.bytes
    sizes = block.problem.counted[block.rows]
    return np.zeros(len(sizes), dtype=bool) if window is None else sizes > _LARGE * (window.upper - window.lower).min()


def _largest_split(block: Block, found: Solution, is_open: Bools) -> int | None:
    is_split = is_open & ~is_whole(block.placed(found.values)).all(axis=1)
    return int(np.argmax(np.where(is_split, block.problem.sizes[block.rows], -1.0))) if is_split.any() else None


def _settled(block: Block, program: LinearProgram, row: int, found: Solution) -> Solution | None:
    """With this partition whole, as cheap as one of its likeliest sets of brokers allows."""
    wide = block.shape[1]
    columns = np.arange(row * wide, (row + 1) * wide)
    best: Solution | None = None
    held: Floats | None = None
    for brokers in _tried(block, row, block.placed(found.values)[row]):
        values = np.isin(np.arange(wide), brokers).astype(float)
        program.hold(columns, values)
        after = program.solve()
        if after is not None and (best is None or after.objective < best.objective):
            best, held = after, values
        if best is not None and best.objective <= found.objective * (1 + _HARDLY_DEARER):
            break
    if held is None:  # no room for any of them: the dive looks farther
        program.release(columns)
        return found
    program.hold(columns, held)
    return best


def _tried(block: Block, row: int, shares: Floats) -> list[tuple[int, ...]]:
    """And where it is now, which costs nothing, if the rule is kept there."""
    likely = likely_sets(block, row, shares, np.ones(len(shares), dtype=bool))[:_TRIED]
    now = tuple(np.flatnonzero(block.problem.current[block.rows[row]]).tolist())
    is_new = now not in {tuple(sorted(brokers)) for brokers in likely}
    return [*likely, now] if is_new and block.problem.is_kept[block.rows[row]] else likely
