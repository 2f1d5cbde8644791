"""The least that any plan can move, by a model of its own: replicas may be split, every rule is kept.

It checks the planner's bounds, and it tells what they cannot: the fewest bytes of any plan with no more moves than this
one. Where moves and bytes are at odds, no plan is near both bounds. With a window on bytes a bound may be higher than
what split replicas need, since the planner's does not split the largest: then this model does not either.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import highspy
import numpy as np

from hdictl.rebalance.plan import Certificate
from tests.bench.rebalance_judged import Judged

_DECIMALS = 0.002  # of fair shares
_SAFE = 1e-6
_UNSPLIT = 4  # largest partitions
_NODES = 200
_SECONDS = 60.0


class Relaxed:
    """For whole plans of one replication factor, on brokers with enough of both domains."""

    def __init__(self, judged: Judged) -> None:
        self._judged = judged
        self._brokers = [change for change in judged.plan.brokers if change.broker.id not in judged.wishes.drain]
        self._partitions = judged.start.partitions
        self._grid = np.arange(len(self._partitions) * len(self._brokers)).reshape(len(self._partitions), -1)
        self._sizes = np.array([partition.size / 1e9 for partition in self._partitions])
        self._comes = np.array(
            [[change.broker.id not in partition.replicas for change in self._brokers] for partition in self._partitions]
        )
        self._highs = highspy.Highs()
        self._highs.setOptionValue("output_flag", "off")
        self._highs.setOptionValue("threads", 1)
        self._highs.setOptionValue("presolve", "off")  # takes longer than it saves
        self._highs.addVars(self._grid.size, np.zeros(self._grid.size), np.ones(self._grid.size))
        for columns, values, lower, upper in self._rows():
            self._highs.addRow(lower, upper, len(columns), columns.astype(np.int32), values.astype(float))

    def moves(self) -> float:
        return self._least(np.ones(len(self._partitions)))

    def gigabytes(self) -> float:
        return self._least(self._sizes)

    def gigabytes_at(self, moves: int) -> float:
        columns = self._grid[self._comes]
        self._highs.addRow(0.0, float(moves), len(columns), columns.astype(np.int32), np.ones(len(columns)))
        return self._least(self._sizes)

    def unsplit(self, count: int) -> None:
        """The largest so many partitions are whole from now on: what is found then need not be the least."""
        for row in np.argsort(-self._sizes)[:count]:
            for column in self._grid[row]:
                self._highs.changeColIntegrality(int(column), highspy.HighsVarType.kInteger)
        self._highs.setOptionValue("presolve", "on")
        self._highs.setOptionValue("presolve_rule_off", 1 << 10)  # dependent equations, of which there are none
        self._highs.setOptionValue("mip_max_nodes", _NODES)
        self._highs.setOptionValue("time_limit", _SECONDS)

    def is_possible(self) -> bool:
        """False: it is proven that nothing keeps all rows."""
        self._highs.run()
        return bool(self._highs.getModelStatus() != highspy.HighsModelStatus.kInfeasible)

    def _least(self, cost: np.ndarray) -> float:
        costs = np.where(self._comes, cost[:, None], 0.0).ravel()
        self._highs.changeColsCost(len(costs), np.arange(len(costs), dtype=np.int32), costs)
        self._highs.run()
        if self._highs.getInfo().primal_solution_status != highspy.SolutionStatus.kSolutionStatusFeasible:
            raise AssertionError("the plan keeps the rules, so they can be kept")
        return float(self._highs.getInfo().objective_function_value)

    def _rows(self) -> Iterator[tuple[np.ndarray, np.ndarray, float, float]]:
        replication = len(self._partitions[0].replicas)
        cells = [self._judged.domains.cell(change.broker.id) for change in self._brokers]
        for columns in self._grid:
            yield columns, np.ones(len(columns)), replication, replication
            for kind in (0, 1):
                domains = {cell[kind] for cell in cells}
                low, high = replication // len(domains), math.ceil(replication / len(domains))
                for domain in sorted(domains, key=repr):
                    members = columns[[cell[kind] == domain for cell in cells]]
                    yield members, np.ones(len(members)), min(low, len(members)), min(high, len(members))
        yield from self._windows()

    def _windows(self) -> Iterator[tuple[np.ndarray, np.ndarray, float, float]]:
        parts = [range(len(self._partitions)), *([] if self._judged.wishes.global_only else self._topics())]
        for number, change in enumerate(self._brokers):
            for rows in parts:
                fair = change.fair_replicas * len(rows) / len(self._partitions)
                columns = self._grid[list(rows), number]
                yield columns, np.ones(len(columns)), math.floor(fair + _DECIMALS), math.ceil(fair - _DECIMALS)
            if (width := self._judged.wishes.balance_bytes) is not None:
                fair = change.fair_bytes / 1e9
                yield self._grid[:, number], self._sizes, fair * (1 - width), fair * (1 + width)

    def _topics(self) -> Iterable[list[int]]:
        rows: dict[str, list[int]] = {}
        for number, partition in enumerate(self._partitions):
            rows.setdefault(partition.topic, []).append(number)
        return rows.values()


@dataclass(frozen=True)
class Bounded:
    broken: tuple[str, ...]
    over_at_moves: float | None  # bytes, over the fewest of any plan with no more moves


def can_keep_windows(judged: Judged) -> bool:
    """False: it is proven that no plan keeps the windows on bytes."""
    relaxed = Relaxed(judged)
    relaxed.unsplit(_UNSPLIT)
    return relaxed.is_possible()


def bounded(judged: Judged) -> Bounded:
    """A bound above what a plan of fractions needs proves nothing, nor does one above a plan of whole large ones."""
    if any(violation.rule == "bytes" for violation in judged.plan.violations):
        return Bounded((), None)  # under other windows than those that were asked for
    relaxed, bound = Relaxed(judged), judged.plan.certificate
    fewest = relaxed.gigabytes_at(judged.plan.moves)
    over = max(0.0, judged.plan.bytes / 1e9 / fewest - 1) if fewest else 0.0
    broken = _too_high(Relaxed(judged), bound)
    if broken and judged.wishes.balance_bytes is not None:
        whole = Relaxed(judged)
        whole.unsplit(_UNSPLIT)
        broken = _too_high(whole, bound)
    return Bounded(tuple(broken), over)


def _too_high(relaxed: Relaxed, bound: Certificate) -> list[str]:
    moves, gigabytes = relaxed.moves(), relaxed.gigabytes()
    broken = []
    if bound.moves > math.ceil(moves - _SAFE):
        broken.append(f"bound: {bound.moves} moves are called the least, and {moves:.2f} would do")
    if bound.bytes / 1e9 > gigabytes * (1 + _SAFE) + _SAFE:
        broken.append(f"bound: {bound.bytes / 1e9:.3f} GB are called the least, and {gigabytes:.3f} would do")
    return broken
