"""The proof: no plan under the same constraints moves less than this.

The fractional optimum of the same rows is a lower bound; that of a tiny cluster is found in whole numbers. Windows on
bytes are another matter: in fractions, a partition that is half of a window lies a little everywhere. There the few
largest are made whole, and the bound is that of a search over where they lie. Clusters of several blocks are bounded by
prices (prices).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from hdictl.rebalance.block import Block, build
from hdictl.rebalance.prices import priced_sum
from hdictl.rebalance.problem import Problem, Window
from hdictl.rebalance.rows import Coupling
from hdictl.rebalance.solver import TINY, TINY_NODES, Bools, Floats, Ints, LinearProgram, Model, Solution, integer_bound

_SAFE = 1e-6  # the solver's own tolerance
_LARGE = 0.15  # of what a broker may have: such a partition is made whole
_MOST_LARGE = 4
_LARGE_NODES = 20
_LARGE_COLUMNS = 6_000  # beyond, a search over large partitions takes minutes


@dataclass(frozen=True)
class Bound:
    moves: int
    bytes: int


def lower_bound(problem: Problem, blocks: Sequence[Ints], placed: Bools) -> Bound:
    """`placed` may have left a window: the bound is that of windows which it keeps."""
    if not (placed & ~problem.current).any():
        return Bound(0, 0)
    total = _coupling(problem, placed)
    if len(blocks) == 1:
        moves, size = _least(build(problem, np.concatenate(blocks), total, kept=placed))
    else:
        moves, size = priced_sum(problem, blocks, total, _costs(problem), placed)
    return _bound(problem, moves, size)


def bound_model(problem: Problem, placed: Bools) -> Block:
    """Everything that is free, under windows that `placed` keeps."""
    return build(problem, np.flatnonzero(problem.is_free), _coupling(problem, placed), kept=placed)


def large_ones_whole(problem: Problem, bound: Bound, found: Bound, placed: Bools) -> Bound:
    """A bound that is no lower, and higher where the largest partitions are a good part of what a broker may have.
    `found`: what `placed` costs; of moves and bytes, that one is looked at which is farther above its bound."""
    if problem.bytes_window is None or problem.current.size > _LARGE_COLUMNS:
        return bound
    block = bound_model(problem, placed)
    if not len(_largest(block)):
        return bound
    model = with_largest_whole(block)
    by_moves, by_bytes = (replace(model, cost=block.cost_of(cost)) for cost in _costs(problem))
    if found.moves * bound.bytes > found.bytes * bound.moves:
        higher = _bound(problem, integer_bound(by_moves, nodes=_LARGE_NODES), 0.0)
    else:
        higher = _bound(problem, 0.0, integer_bound(by_bytes, nodes=_LARGE_NODES))
    return Bound(max(bound.moves, higher.moves), max(bound.bytes, higher.bytes))


def with_largest_whole(block: Block) -> Model:
    """Every other partition may lie in fractions."""
    is_integer = np.zeros(block.model.columns, dtype=bool)
    is_integer[: math.prod(block.shape)].reshape(block.shape)[_largest(block)] = True
    return replace(block.model, is_integer=is_integer)


def _largest(block: Block) -> Ints:
    problem = block.problem
    if problem.bytes_window is None:
        return np.zeros(0, dtype=np.int64)
    sizes = problem.counted[block.rows]
    largest = np.argsort(-sizes, kind="stable")[:_MOST_LARGE]
    return np.asarray(largest[sizes[largest] > _LARGE * problem.bytes_window.upper.max()])


def _costs(problem: Problem) -> tuple[Floats, Floats]:
    return np.ones(len(problem.partitions)), problem.units


def _bound(problem: Problem, moves: float, size: float) -> Bound:
    least = 0.0 if size < 0 else size * problem.unit * (1 - _SAFE)
    return Bound(0 if moves < 0 else math.ceil(moves - 1e-4), math.floor(least))


def _coupling(problem: Problem, placed: Bools) -> Coupling:
    """What the free partitions together may do. Balance that is only welcome binds nobody."""
    held = problem.current[~problem.is_free]
    if problem.is_partial:
        nothing = np.full(len(problem.brokers), np.inf)
        return Coupling(Window(-nothing, nothing), None, problem.room)
    count = problem.count_window.widened(placed.sum(axis=0).astype(float)).without(held.sum(axis=0).astype(float))
    size = problem.bytes_window
    if size is not None:
        size = size.widened(problem.counted @ placed).without(problem.counted[~problem.is_free] @ held)
    return Coupling(count, size, problem.room)


def _least(block: Block) -> tuple[float, float]:
    """The fewest moves, and the fewest bytes. A plan's own costs lie between the two: from there both are near."""
    program = LinearProgram(block.model)
    program.solve()
    between = program.basis
    moves, size = (block.cost_of(cost) for cost in _costs(block.problem))
    program.cost(size)
    least_size = _objective(program.solve())
    program.start_from(between)
    program.cost(moves)
    least_moves = _objective(program.solve(is_near=True))
    if len(block.rows) * len(block.problem.brokers) <= TINY:
        least_moves = max(least_moves, integer_bound(replace(block.model, cost=moves), nodes=TINY_NODES))
        least_size = max(least_size, integer_bound(replace(block.model, cost=size), nodes=TINY_NODES))
    return least_moves, least_size


def _objective(found: Solution | None) -> float:
    return 0.0 if found is None else found.objective
