"""Why disks do not take what the rules want on them: which broker would have to take more than it can."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from hdictl.errors import CannotPlace
from hdictl.rebalance.block import build, elastic
from hdictl.rebalance.problem import HEAD_ROOM, Problem
from hdictl.rebalance.rows import Coupling
from hdictl.rebalance.solver import Floats, Ints, LinearProgram
from hdictl.stack.units import rounded_size


def no_room(problem: Problem, rows: Ints, coupling: Coupling) -> CannotPlace:
    """Windows give way, so only disks can be in the way."""
    over = _over(problem, rows, coupling)
    worst = int(np.argmax(over))
    broker, kept = problem.brokers[worst], f"{1 - HEAD_ROOM:.0%} of what is free is kept free"
    if over[worst] * problem.unit < 1:
        return CannotPlace(
            "there is no room: no disk takes all that has to move, although together they could",
            fix=f"free or add disk space, or add brokers; {kept}",
        )
    room = max(float(coupling.room[worst]), 0.0)
    others = int((over * problem.unit >= 1).sum()) - 1
    return CannotPlace(
        f"there is no room: broker {broker.id} (fault domain {broker.fd}) would have to take "
        f"{rounded_size((room + over[worst]) * problem.unit)} or more and has {rounded_size(broker.free or 0)} free"
        + (f"; {others} more cannot either" if others else ""),
        fix=f"free or add disk space there, or add brokers in its fault domain; {kept}",
    )


def _over(problem: Problem, rows: Ints, coupling: Coupling) -> Floats:
    """How much too little room each broker has, when all together have the least too little."""
    wide = len(problem.brokers)
    block = build(problem, rows, coupling, is_loose=True)
    free = replace(block.model, cost=np.zeros(block.model.columns))
    solution = LinearProgram(elastic(free, dict.fromkeys(block.coupled[-wide:].tolist(), 1.0))).solve()
    return np.zeros(wide) if solution is None else solution.values[-wide:]
