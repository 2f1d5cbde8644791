"""The placement that costs least: topics in blocks, each block solved given those before.

A small cluster is one block, and its optimum is exact. In a large one the windows of brokers grow with each block, so
that what one block has to round, the next evens out. Disks come first: no window is a reason to fill one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from hdictl.rebalance.block import build
from hdictl.rebalance.no_room import no_room
from hdictl.rebalance.problem import Problem, Window, whole_window
from hdictl.rebalance.rounding import rounded
from hdictl.rebalance.rows import Coupling
from hdictl.rebalance.solver import Bools, Floats, Ints, LinearProgram

_ONE_BLOCK = 40_000  # columns, partitions × brokers: up to here everything is solved together
_COLUMNS_A_BLOCK = 12_000  # beyond
_PLAY = 1.0  # replicas that a broker may be off between blocks: the next one evens it out
_MARGIN = 0.05  # of a window on bytes: left to whole numbers
_STRAY = 0.5  # of the whole window on bytes: how far a broker may be out before the first block; less with each


@dataclass(frozen=True)
class Found:
    placed: Bools  # partition × broker, of all partitions
    blocks: tuple[Ints, ...]


def search(problem: Problem) -> Found:
    rows = blocks_of(problem)
    placed = problem.current.copy()
    placed[problem.is_free] = False
    done = np.zeros(len(problem.partitions), dtype=bool)
    done[~problem.is_free] = True
    for number, mine in enumerate(rows):
        done[mine] = True
        placed[mine] = _placed(problem, mine, _coupling(problem, placed, done, is_last=number == len(rows) - 1))
    return Found(placed, rows)


def improved(problem: Problem, found: Found) -> Found:
    """One sweep: topics in other company, each block solved again with everything else where it is."""
    placed = found.placed.copy()
    for mine in blocks_of(problem, together=2):
        before = placed[mine].copy()
        placed[mine] = False
        coupling = _coupling(problem, placed, np.ones(len(placed), dtype=bool), is_last=True)
        again = _placed(problem, mine, coupling)
        block = build(problem, mine, coupling)
        placed[mine] = again if block.full_cost(again) < block.full_cost(before) - 1e-9 else before
    return Found(placed, found.blocks)


def blocks_of(problem: Problem, *, together: int = 1) -> tuple[Ints, ...]:
    """Whole topics, large and small dealt out in turn, so many at a time: each block is the cluster in small."""
    topics = problem.free_topics
    columns = sum(map(len, topics)) * len(problem.brokers)
    count = 1 if columns <= _ONE_BLOCK else min(len(topics), math.ceil(columns / _COLUMNS_A_BLOCK))
    dealt = [topics[start : start + together] for start in range(0, len(topics), together)]
    hands = [[rows for hand in dealt[number::count] for rows in hand] for number in range(count)]
    return tuple(np.concatenate(hand) for hand in hands if hand)


def _coupling(problem: Problem, placed: Bools, done: Bools, *, is_last: bool) -> Coupling:
    """What this block may add to what is placed. `done`: those before it, and its own."""
    count = problem.count_window
    if not is_last:
        grown_count = whole_window(problem.share[done].sum(axis=0))
        count = Window(grown_count.lower - _PLAY, grown_count.upper + _PLAY)
    loads = placed.sum(axis=0).astype(float)
    bytes_left, margin = _bytes_left(problem, placed, done, is_last=is_last)
    arrived = problem.units @ (placed & ~problem.current)
    return Coupling(count.without(loads), bytes_left, problem.room - arrived, margin, is_last)


def _bytes_left(problem: Problem, placed: Bools, done: Bools, *, is_last: bool) -> tuple[Window | None, Floats | None]:
    """The window on bytes, and its margin. A few large partitions are half of a small block: early ones may stray."""
    if problem.bytes_window is None or problem.balance_bytes is None:
        return None, None
    sizes = problem.counted
    whole, grown = sizes @ problem.share, sizes[done] @ problem.share[done]
    to_come = np.maximum(1 - grown / np.maximum(whole, 1e-12), 0.0)
    reach = problem.balance_bytes * (grown + _STRAY * whole * np.sqrt(to_come))
    window = problem.bytes_window if is_last else Window(grown - reach, grown + reach)
    return window.without(sizes @ placed), reach * _MARGIN


def _placed(problem: Problem, rows: Ints, coupling: Coupling) -> Bools:
    for is_loose in (False, True) if not problem.is_partial else (True,):
        block = build(problem, rows, coupling, is_loose=is_loose)
        fractional = LinearProgram(block.model).solve()
        placed = None if fractional is None else rounded(block, fractional)
        if placed is not None:
            return placed
    raise no_room(problem, rows, coupling)
