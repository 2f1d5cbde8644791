"""Sets of brokers that one partition may lie on: those that have most of it, in a fractional placement, come first."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from hdictl.rebalance.block import Block
from hdictl.rebalance.solver import Bools, Floats

_HARDLY = 1e-4
_LOOKED_AT = 10  # brokers: sets of more are too many to try


def likely_sets(block: Block, row: int, shares: Floats, has_room: Bools) -> list[tuple[int, ...]]:
    """`row`: of the block. `shares`: how much of a replica each broker has. All that keep the rule and have room."""
    problem = block.problem
    replication = int(problem.replication[block.rows[row]])
    touched = np.argsort(-np.where(has_room, shares, -1.0), kind="stable")[: max(8, int((shares > _HARDLY).sum()))]
    likely = [int(column) for column in touched[:_LOOKED_AT] if has_room[column]]
    kept = [chosen for chosen in combinations(likely, replication) if problem.keeps_rule(replication, chosen)]
    return sorted(kept, key=lambda chosen: -round(float(shares[list(chosen)].sum()), 9))
