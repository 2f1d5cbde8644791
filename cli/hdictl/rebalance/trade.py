"""A second look where a plan is far from its bound: another weight of bytes against moves for a small cluster, an
improvement sweep for one of several blocks."""

from __future__ import annotations

from dataclasses import replace

from hdictl.rebalance.bound import Bound, lower_bound
from hdictl.rebalance.problem import Problem
from hdictl.rebalance.search import Found, improved, search

_WEIGHTS = (0.5, 4.0)
_MOVES_OVER = 0.01  # over the bound: good enough
_BYTES_OVER = 0.02
_SMALL = 6_000  # columns
_SWEEPABLE = 60_000


def traded(problem: Problem) -> tuple[Found, Bound]:
    if not problem.is_free.any() or (not problem.is_partial and problem.is_settled):
        return Found(problem.current, ()), Bound(0, 0)
    found = search(problem)
    bound = lower_bound(problem, found.blocks, found.placed)
    best, badness = found, _badness(problem, found, bound)
    if badness <= 1 or problem.is_partial:
        return found, bound
    if len(found.blocks) > 1 or problem.current.size > _SMALL:
        return _swept(problem, found, bound), bound
    for weight in _WEIGHTS:
        other = search(replace(problem, move_weight=weight))
        if not _keeps_as_much(problem, other, found):
            continue
        if (its := _badness(problem, other, bound)) < badness:
            best, badness = other, its
        if badness <= 1:
            break
    return best, bound


def _swept(problem: Problem, found: Found, bound: Bound) -> Found:
    if len(found.blocks) == 1 or problem.current.size > _SWEEPABLE:
        return found
    other = improved(problem, found)
    is_better = _badness(problem, other, bound) < _badness(problem, found, bound)
    return other if is_better and _keeps_as_much(problem, other, found) else found


def _badness(problem: Problem, found: Found, bound: Bound) -> float:
    """1: at the edge of good enough, by whichever of the two is worse."""
    moved = (found.placed & ~problem.current).sum(axis=1)
    over_moves = moved.sum() / max(bound.moves, 1) - 1
    over_bytes = moved @ problem.sizes / max(bound.bytes, 1) - 1 if problem.sizes.any() else 0.0
    return float(max(over_moves / _MOVES_OVER, over_bytes / _BYTES_OVER))


def _keeps_as_much(problem: Problem, other: Found, first: Found) -> bool:
    """A cheaper plan that leaves more windows is none."""
    return all(now <= before + 1e-6 for now, before in zip(_left(problem, other), _left(problem, first), strict=True))


def _left(problem: Problem, found: Found) -> list[float]:
    left = [float(problem.count_window.excess(found.placed.sum(axis=0).astype(float)).sum())]
    if problem.bytes_window is not None:
        left.append(float(problem.bytes_window.excess(problem.sizes / problem.unit @ found.placed).sum()))
    if not problem.is_global_only:
        windows = ((problem.topic_window(rows), found.placed[rows]) for rows in problem.topics.values())
        left.append(sum(float(window.excess(placed.sum(axis=0).astype(float)).sum()) for window, placed in windows))
    return left
