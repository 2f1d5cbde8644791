"""Where windows cannot all be kept: plans that end.

A plan that leaves a window would be followed by another, which leaves it as well, and data would move for ever. So what
lies right is left alone unless a good part of what is out of its windows comes in, and a plan goes on from its own
result until that is so.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from hdictl.rebalance.bound import Bound, lower_bound
from hdictl.rebalance.problem import Problem
from hdictl.rebalance.search import Found
from hdictl.rebalance.solver import Bools
from hdictl.rebalance.trade import traded

_WORTH_IT = 0.1  # of what is out of its windows
_ROUNDS = 5


def settled(problem: Problem) -> tuple[Found, Bound]:
    found, bound = traded(problem)
    if problem.is_partial or not any(problem.left(found.placed)):
        return found, bound
    if problem.is_kept.all() and not _is_worth_it(problem, problem.current, found.placed):
        return Found(problem.current, ()), Bound(0, 0)
    if np.isfinite(problem.room).any():  # what leaves, leaves last: a disk has no room for two plans in one
        return found, bound
    for _ in range(_ROUNDS):
        then, _ = traded(_carried_out(problem, found.placed))
        if not _is_worth_it(problem, found.placed, then.placed):
            break
        found = Found(then.placed, found.blocks)
        bound = lower_bound(problem, found.blocks, found.placed)
    return found, bound


def _is_worth_it(problem: Problem, now: Bools, then: Bools) -> bool:
    return sum(problem.left(then)) <= sum(problem.left(now)) * (1 - _WORTH_IT)


def _carried_out(problem: Problem, placed: Bools) -> Problem:
    ids = np.array([broker.id for broker in problem.brokers])
    pairs = zip(problem.partitions, placed, strict=True)
    return replace(problem, partitions=tuple(replace(p, replicas=tuple(ids[held].tolist())) for p, held in pairs))
