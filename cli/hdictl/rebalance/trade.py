"""A second look where a plan is far from its bound.

Moves and bytes are weighed against each other, and the weight that suits most clusters does not suit all. A linear
program tells how near to both bounds a plan can be at all; with no more moves than that takes, the fewest bytes are
looked for. A cluster of several blocks gets an improvement sweep.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from hdictl.rebalance.bound import Bound, bound_model, large_ones_whole, lower_bound
from hdictl.rebalance.problem import Problem
from hdictl.rebalance.search import Found, improved, search
from hdictl.rebalance.solver import Model, least

_MOVES_OVER = 0.01  # over the bound: good enough
_BYTES_OVER = 0.02
_SWEEPABLE = 400_000  # columns
_WORTH_IT = 0.9  # of how bad a plan is: what a second look has to promise
_HARDLY = 0.05  # the weight of a move where there may only be so many


def traded(problem: Problem) -> tuple[Found, Bound]:
    if not problem.is_free.any() or (not problem.is_partial and problem.is_settled):
        return Found(problem.current, ()), Bound(0, 0)
    found = search(problem)
    bound = lower_bound(problem, found.blocks, found.placed)
    if problem.is_partial or _badness(problem, found, bound) <= 1:
        return found, bound
    if len(found.blocks) > 1:
        return _swept(problem, found, bound), bound
    bound = large_ones_whole(problem, bound, _cost(problem, found), found.placed)
    return _capped(problem, found, bound), bound


def _swept(problem: Problem, found: Found, bound: Bound) -> Found:
    if problem.current.size > _SWEEPABLE:
        return found
    return _better(problem, improved(problem, found), found, bound)


def _capped(problem: Problem, found: Found, bound: Bound) -> Found:
    """The fewest bytes with no more moves than a plan near both bounds needs."""
    badness = _badness(problem, found, bound)
    if badness <= 1 or not bound.moves or not bound.bytes or problem.bytes_window is not None:
        return found  # with a window on bytes it is that, and not the weight, that keeps a plan from its bound
    possible = _least_badness(problem, found, bound)
    if possible > badness * _WORTH_IT:
        return found
    most = math.floor(bound.moves * (1 + _MOVES_OVER * max(1.0, possible)) + 1e-6)
    return _better(problem, search(replace(problem, move_weight=_HARDLY, most_moves=most)), found, bound)


def _least_badness(problem: Problem, found: Found, bound: Bound) -> float:
    """No plan is nearer to both bounds at once."""
    block = bound_model(problem, found.placed)
    least_moves, least_bytes = float(bound.moves), bound.bytes / problem.unit
    moves, size = block.cost_of(np.ones(len(problem.partitions))), block.cost_of(problem.units)
    model, wide = block.model, block.model.columns
    moved, sized = np.flatnonzero(moves), np.flatnonzero(size)
    over = Model(  # one more column: how bad; two more rows: moves and bytes, less what that much badness allows
        np.concatenate([np.zeros(wide), [1.0]]),
        np.concatenate([model.lower, [0.0]]),
        np.concatenate([model.upper, [np.inf]]),
        np.concatenate([model.row_of, np.repeat([model.rows, model.rows + 1], [len(moved) + 1, len(sized) + 1])]),
        np.concatenate([model.column_of, moved, [wide], sized, [wide]]),
        np.concatenate(
            [model.value, moves[moved], [-_MOVES_OVER * least_moves], size[sized], [-_BYTES_OVER * least_bytes]]
        ),
        np.concatenate([model.row_lower, [-np.inf, -np.inf]]),
        np.concatenate([model.row_upper, [least_moves, least_bytes]]),
        np.concatenate([model.is_integer, [False]]),
    )
    return least(over)


def _better(problem: Problem, other: Found, first: Found, bound: Bound) -> Found:
    is_better = _badness(problem, other, bound) < _badness(problem, first, bound)
    return other if is_better and _keeps_as_much(problem, other, first) else first


def _badness(problem: Problem, found: Found, bound: Bound) -> float:
    """1: at the edge of good enough, by whichever of the two is worse."""
    return max(_over(problem, found, bound))


def _over(problem: Problem, found: Found, bound: Bound) -> tuple[float, float]:
    """Moves and bytes, over their bounds, as multiples of what is good enough."""
    cost = _cost(problem, found)
    over_bytes = cost.bytes / max(bound.bytes, 1) - 1 if problem.sizes.any() else 0.0
    return (cost.moves / max(bound.moves, 1) - 1) / _MOVES_OVER, over_bytes / _BYTES_OVER


def _cost(problem: Problem, found: Found) -> Bound:
    moved = (found.placed & ~problem.current).sum(axis=1)
    return Bound(int(moved.sum()), int(moved @ problem.sizes))


def _keeps_as_much(problem: Problem, other: Found, first: Found) -> bool:
    """A cheaper plan that leaves more windows is none."""
    pairs = zip(problem.left(other.placed), problem.left(first.placed), strict=True)
    return all(now <= before + 1e-6 for now, before in pairs)
