"""A whole placement by diving: settle what is whole, round what is nearly whole, solve the rest again, and so on.

For blocks whose windows cut through too many partitions for a search by branches. Each round is a small linear program;
windows may be left at a price, so that a round never ends in nothing.
"""

from __future__ import annotations

import numpy as np

from hdictl.rebalance.block import Block
from hdictl.rebalance.broker_sets import likely_sets
from hdictl.rebalance.solver import Bools, Floats, LinearProgram, Solution, is_whole, restricted

_ROUNDED_A_ROUND = 0.12  # of the partitions that are still split


def dived(block: Block, fractional: Solution, is_free: Bools) -> Bools | None:
    """Partition × broker; None when no placement keeps the hard rows."""
    grid = block.shape[0] * block.shape[1]
    is_open = is_free.copy()
    values = np.zeros(block.whole_model.columns)
    values[:grid] = fractional.values[:grid]
    while is_open.any():
        columns = np.ones(block.whole_model.columns, dtype=bool)
        columns[:grid] = np.repeat(is_open, block.shape[1])
        held = np.where(columns, 0.0, np.round(values))
        model = restricted(block.whole_model, held, columns)
        found = LinearProgram(model).solve()
        if found is None:
            return None
        values = held
        values[columns] = found.values
        placed = block.placed(values)
        is_open &= ~is_whole(placed).all(axis=1)
        if is_open.any() and not _round_some(block, placed, is_open):
            return None
    return np.asarray(block.placed(values) > 0.5)


def _round_some(block: Block, placed: Floats, is_open: Bools) -> bool:
    """Those that are nearest to whole, in place; False when a disk has no room for any of them."""
    rows = np.flatnonzero(is_open).tolist()
    room = _room_left(block, placed, ~is_open)
    chosen = {row: _nearest(block, row, placed[row], room) for row in rows}
    wanted = block.problem.replication[block.rows]
    missing = {row: wanted[row] - placed[row, list(brokers)].sum() for row, brokers in chosen.items() if brokers}
    order = sorted(missing, key=lambda row: (round(float(missing[row]), 6), row))
    for row in order[: max(1, int(len(order) * _ROUNDED_A_ROUND))]:
        brokers = list(chosen[row])
        arriving = _arriving(block, row, brokers)
        if (arriving > room).any():
            continue  # those before it have filled the disk: the next round looks for another place
        room -= arriving
        placed[row] = 0.0
        placed[row, brokers] = 1.0
        is_open[row] = False
    return not is_open[rows].all()


def _room_left(block: Block, placed: Floats, is_settled: Bools) -> Floats:
    problem, rows = block.problem, block.rows[is_settled]
    arrived = np.where(problem.current[rows], 0.0, np.round(placed[is_settled]))
    return np.asarray(block.coupling.room - problem.units[rows] @ arrived)


def _arriving(block: Block, row: int, brokers: list[int]) -> Floats:
    """Units at each broker."""
    problem, arriving = block.problem, np.zeros(block.shape[1])
    arriving[brokers] = problem.units[block.rows[row]]
    return np.where(problem.current[block.rows[row]], 0.0, arriving)


def _nearest(block: Block, row: int, shares: Floats, room: Floats) -> tuple[int, ...]:
    """The set of brokers that keeps the rule, has room, and has most of the partition already; empty if none does."""
    problem = block.problem
    has_room = problem.current[block.rows[row]] | (problem.units[block.rows[row]] <= room)
    return next(iter(likely_sets(block, row, shares, has_room)), ())
