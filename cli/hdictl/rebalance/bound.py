"""The proof: no plan under the same constraints moves less than this.

The fractional optimum of the same rows is a lower bound; that of a tiny cluster is found in whole numbers. A large one
is bounded by prices, block by block: rows that tie blocks together are left out, and leaving them costs what they are
worth (Lagrange). Any prices give a bound; good ones, learnt from a sample of the topics, give a tight one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from hdictl.rebalance.block import Block, Coupling, build
from hdictl.rebalance.problem import Problem, Window
from hdictl.rebalance.solver import TINY, TINY_NODES, Bools, Floats, Ints, LinearProgram, integer_bound, row_prices

_SAFE = 1e-7  # the solver's own tolerance
_AT_ONCE = 16_000  # columns: one model takes a second
_SAMPLE_COLUMNS = 40_000  # that prices are learnt from
_SAMPLE_PART = 3  # and no more than a third of all

Prices = list[Floats]  # of count, bytes and room, as far as they are bounded: one a broker


@dataclass(frozen=True)
class Bound:
    moves: int
    bytes: int


def lower_bound(problem: Problem, blocks: Sequence[Ints], placed: Bools) -> Bound:
    """`placed` may have left a window: the bound is that of windows which it keeps."""
    if not (placed & ~problem.current).any():
        return Bound(0, 0)
    total = _coupling(problem, placed)
    costs = [np.ones(len(problem.partitions)), problem.sizes / problem.unit]
    if len(blocks) == 1 or problem.current.size <= _AT_ONCE:
        moves, size = _least(build(problem, np.concatenate(blocks), total, kept=placed), costs)
    else:
        moves, size = _priced_sum(problem, blocks, total, costs, placed)
    return Bound(max(0, math.ceil(moves - 1e-4)), max(0, math.floor(size * problem.unit * (1 - _SAFE))))


def _coupling(problem: Problem, placed: Bools) -> Coupling:
    """What the free partitions together may do. Balance that is only welcome binds nobody."""
    held = problem.current[~problem.is_free]
    if problem.is_partial:
        nothing = np.full(len(problem.brokers), np.inf)
        return Coupling(Window(-nothing, nothing), None, problem.room)
    sizes = problem.sizes / problem.unit
    count = problem.count_window.widened(placed.sum(axis=0).astype(float)).without(held.sum(axis=0).astype(float))
    size = problem.bytes_window
    if size is not None:
        size = size.widened(sizes @ placed).without(sizes[~problem.is_free] @ held)
    return Coupling(count, size, problem.room)


def _least(block: Block, costs: Sequence[Floats]) -> list[float]:
    """For each way to count, the least that the block can do."""
    program = LinearProgram(block.model)
    found = []
    for cost in costs:
        program.cost(block.cost_of(cost))
        solution = program.solve()
        least = 0.0 if solution is None else solution.objective
        if len(block.rows) * len(block.problem.brokers) <= TINY:
            whole = replace(block.model, cost=block.cost_of(cost))
            least = max(least, integer_bound(whole, nodes=TINY_NODES))
        found.append(least)
    return found


def _priced_sum(
    problem: Problem, blocks: Sequence[Ints], total: Coupling, costs: Sequence[Floats], placed: Bools
) -> list[float]:
    learnt = _learnt(problem, total, costs, placed)
    sums = [_worth(prices, total) for prices in learnt]
    for rows in blocks:
        block = build(problem, rows, total, kept=placed)
        program = LinearProgram(block.model)
        program.free_rows(block.coupled)
        for number, (cost, prices) in enumerate(zip(costs, learnt, strict=True)):
            program.cost(_with_prices(block, cost, prices))
            solution = program.solve()
            sums[number] += -np.inf if solution is None else solution.objective
    return sums


def _windows(coupling: Coupling) -> list[Window]:
    windows = [coupling.count]
    if coupling.bytes is not None:
        windows.append(coupling.bytes)
    if np.isfinite(coupling.room).any():
        windows.append(Window(np.full(len(coupling.room), -np.inf), coupling.room))
    return windows


def _worth(prices: Prices, total: Coupling) -> float:
    """What the windows themselves contribute at these prices."""
    pairs = zip(prices, _windows(total), strict=True)
    return sum(
        float((np.maximum(price, 0.0) * _finite(window.lower) + np.minimum(price, 0.0) * _finite(window.upper)).sum())
        for price, window in pairs
    )


def _finite(side: Floats) -> Floats:
    return np.where(np.isfinite(side), side, 0.0)


def _learnt(problem: Problem, total: Coupling, costs: Sequence[Floats], placed: Bools) -> list[Prices]:
    """What brokers' windows are worth in a sample of the cluster, with its fair part of the windows."""
    windows = _windows(total)
    rows = _sample(problem)
    block = build(problem, rows, _part(problem, rows, total), kept=placed)
    learnt = []
    for cost in costs:
        prices = row_prices(replace(block.model, cost=block.cost_of(cost)))[block.coupled]
        parts = zip(np.split(prices, len(windows)), windows, strict=True)
        learnt.append([_signed(price, window) for price, window in parts])
    return learnt


def _sample(problem: Problem) -> Ints:
    """Every so manieth topic by size: the cluster in small."""
    topics = problem.free_topics
    columns = sum(map(len, topics)) * len(problem.brokers)
    step = min(len(topics), max(_SAMPLE_PART, math.ceil(columns / _SAMPLE_COLUMNS)))
    return np.concatenate(topics[step // 2 :: step])


def _part(problem: Problem, rows: Ints, total: Coupling) -> Coupling:
    """The block's part of all windows: of replicas by its share of them, of bytes and room by its share of bytes."""
    free = np.flatnonzero(problem.is_free)
    count = problem.share[rows].sum(axis=0) / np.maximum(problem.share[free].sum(axis=0), 1e-12)
    part = problem.sizes[rows].sum() / max(problem.sizes[free].sum(), 1e-12)
    size = None if total.bytes is None else Window(total.bytes.lower * part, total.bytes.upper * part)
    return Coupling(Window(total.count.lower * count, total.count.upper * count), size, total.room * part)


def _signed(price: Floats, window: Window) -> Floats:
    """A price on a side that has no bound says nothing."""
    price = np.where((price > 0) & ~np.isfinite(window.lower), 0.0, price)
    return np.where((price < 0) & ~np.isfinite(window.upper), 0.0, price)


def _with_prices(block: Block, cost: Floats, prices: Prices) -> Floats:
    problem, rows = block.problem, block.rows
    columns = block.cost_of(cost)
    sizes = problem.sizes[rows, None] / problem.unit
    factors = [np.ones((len(rows), 1))]
    if block.coupling.bytes is not None:
        factors.append(sizes)
    if np.isfinite(block.coupling.room).any():
        factors.append(np.where(problem.current[rows], 0.0, sizes))
    for price, factor in zip(prices, factors, strict=True):
        columns[: len(rows) * len(price)] -= (factor * price).ravel()
    return columns
