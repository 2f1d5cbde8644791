"""Whether windows on bytes can be kept at all: in fractions nearly always, with the largest partitions whole not so."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from hdictl.rebalance.block import build
from hdictl.rebalance.bound import with_largest_whole
from hdictl.rebalance.problem import Problem
from hdictl.rebalance.rows import Coupling
from hdictl.rebalance.solver import is_infeasible

_NODES = 200
_COLUMNS = 40_000  # beyond, it is not tried


def is_impossible(problem: Problem) -> bool:
    """It is proven that no plan keeps all windows. False: it is not."""
    if problem.bytes_window is None or problem.is_partial or problem.current.size > _COLUMNS:
        return False
    everything = Coupling(problem.count_window, problem.bytes_window, problem.room)
    block = build(problem, np.arange(len(problem.partitions)), everything)
    model = with_largest_whole(block)
    return is_infeasible(replace(model, cost=np.zeros(model.columns)), nodes=_NODES)
