"""The bound of a large cluster, block by block: rows that tie blocks together are left out, and leaving them costs what
they are worth (Lagrange).

Any prices give a bound; good ones give a tight one. They are learnt from a sample of the topics. What replicas are
worth shows in topics of all sizes; what bytes are worth shows in the largest, which have most of them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from hdictl.rebalance.block import Block, build
from hdictl.rebalance.problem import Problem, Window
from hdictl.rebalance.rows import Coupling
from hdictl.rebalance.solver import Bools, Floats, Ints, LinearProgram, row_prices

_SAMPLE_COLUMNS = 40_000

Prices = list[Floats]  # of count, bytes and room, as far as they are bounded: one a broker


def priced_sum(
    problem: Problem, blocks: Sequence[Ints], total: Coupling, costs: Sequence[Floats], placed: Bools
) -> list[float]:
    """For each way to count, what all blocks together cannot undercut."""
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
    """Topics of all sizes; with a window on bytes half of the sample is the largest."""
    topics, most = problem.free_topics, _SAMPLE_COLUMNS
    largest: list[Ints] = []
    if problem.balance_bytes is not None:
        most = most // 2
        ends = np.cumsum([len(rows) for rows in topics]) * len(problem.brokers)
        count = max(1, int(np.searchsorted(ends, most)))
        largest, topics = topics[:count], topics[count:]
    columns = sum(map(len, topics)) * len(problem.brokers)
    step = max(1, math.ceil(columns / most))
    return np.concatenate([*largest, *topics[min(step // 2, len(topics) - 1) :: step]])


def _part(problem: Problem, rows: Ints, total: Coupling) -> Coupling:
    """The sample's part of all windows: of replicas by its share of them, of bytes and room by its share of bytes."""
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
    factors = [np.ones((len(rows), 1))]
    if block.coupling.bytes is not None:
        factors.append(problem.counted[rows, None])
    if np.isfinite(block.coupling.room).any():
        factors.append(np.where(problem.current[rows], 0.0, problem.units[rows, None]))
    for price, factor in zip(prices, factors, strict=True):
        columns[: len(rows) * len(price)] -= (factor * price).ravel()
    return columns
