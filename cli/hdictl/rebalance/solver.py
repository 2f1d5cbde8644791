"""Linear and mixed-integer models for HiGHS, as arrays.

One thread, no clock: the same model gives the same answer everywhere. What limits the search is counted, not timed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import highspy
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

_INTEGRAL = 1e-6
_DUAL, _PRIMAL = 1, 4  # as HiGHS numbers its simplex strategies
# A rule of HiGHS' presolve, off by its bit: it looks for equations that follow from others, finds none here, and takes
# longer than everything else (nine tenths of the time with 30 brokers).
_DEPENDENT_EQUATIONS = 1 << 10

# A cluster on a laptop, or a small one anywhere: partitions × brokers. There the search may take its time.
TINY = 1_000
TINY_NODES = 300


@dataclass
class Model:
    """Minimise cost·x with row_lower ≤ A·x ≤ row_upper; A as triples."""

    cost: Floats
    lower: Floats
    upper: Floats
    row_of: Ints
    column_of: Ints
    value: Floats
    row_lower: Floats
    row_upper: Floats
    is_integer: Bools

    @property
    def columns(self) -> int:
        return len(self.cost)

    @property
    def rows(self) -> int:
        return len(self.row_lower)

    def activity(self, values: Floats) -> Floats:
        """A·x, row by row."""
        weights = self.value * values[self.column_of]
        return np.asarray(np.bincount(self.row_of, weights=weights, minlength=self.rows), dtype=np.float64)


@dataclass(frozen=True)
class Solution:
    values: Floats
    objective: float
    row_prices: Floats  # of an LP: what one more unit of a row's bound is worth


class LinearProgram:
    """A model that HiGHS holds, so that changed costs and bounds are solved from where it stands."""

    def __init__(self, model: Model) -> None:
        self._highs = _loaded(model)
        self._highs.setOptionValue("presolve", "off")  # takes longer than it saves
        self._columns = np.arange(model.columns, dtype=np.int32)
        self._rows = model.rows

    @property
    def basis(self) -> Any:
        """Where it stands."""
        return self._highs.getBasis()

    def start_from(self, basis: Any) -> None:
        self._highs.setBasis(basis)

    def solve(self, *, is_near: bool = False) -> Solution | None:
        """None when nothing keeps all rows. `is_near`: costs have changed a little since it was solved, and the best is
        a few steps from where it stands: the primal simplex takes just these."""
        self._highs.setOptionValue("simplex_strategy", _PRIMAL if is_near else _DUAL)
        self._highs.run()
        if self._highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return None
        found = self._highs.getSolution()
        return Solution(
            np.asarray(found.col_value),
            float(self._highs.getInfo().objective_function_value),
            np.asarray(found.row_dual),
        )

    def cost(self, cost: Floats) -> None:
        self._highs.changeColsCost(len(cost), self._columns, np.ascontiguousarray(cost))

    def hold(self, columns: Ints, values: Floats) -> None:
        self._bounds(columns, values, values)

    def release(self, columns: Ints) -> None:
        """Columns that were held may be anything between 0 and 1 again."""
        self._bounds(columns, np.zeros(len(columns)), np.ones(len(columns)))

    def _bounds(self, columns: Ints, lower: Floats, upper: Floats) -> None:
        self._highs.changeColsBounds(len(columns), columns.astype(np.int32), lower, upper)

    def free_rows(self, rows: Ints) -> None:
        for row in rows:
            self._highs.changeRowBounds(int(row), -highspy.kHighsInf, highspy.kHighsInf)


def row_prices(model: Model) -> Floats:
    """What rows are worth, near enough. Zero when infeasible."""
    found = _by_interior_point(model).getSolution()
    return np.asarray(found.row_dual) if found.dual_valid else np.zeros(model.rows)


def least(model: Model) -> float:
    """The best that fractions do, near enough; infinite when nothing keeps all rows."""
    highs = _by_interior_point(model)
    is_found = highs.getModelStatus() == highspy.HighsModelStatus.kOptimal
    return float(highs.getInfo().objective_function_value) if is_found else np.inf


def _by_interior_point(model: Model) -> Any:
    """Which suits large models, and rows that go through all columns."""
    highs = _loaded(model)
    highs.setOptionValue("solver", "ipm")
    highs.setOptionValue("run_crossover", "off")
    highs.run()
    return highs


def integer_solution(model: Model, *, gap: float, nodes: int, start: Floats | None = None) -> Solution | None:
    """Whole numbers where the model wants them; within `gap` of the best, unless the search grows too large.
    `start`: a solution that is known; what is found is no worse."""
    highs = _searched(model, nodes, start, mip_rel_gap=gap)
    if highs.getInfo().primal_solution_status != highspy.SolutionStatus.kSolutionStatusFeasible:
        return None
    values = np.asarray(highs.getSolution().col_value)
    return Solution(values, float(highs.getInfo().objective_function_value), np.zeros(model.rows))


def integer_bound(model: Model, *, nodes: int) -> float:
    """What no whole-number solution undercuts, as far as the search has proven; −∞ where it has proven nothing.
    Heuristics look for solutions, which prove nothing."""
    highs = _searched(model, nodes, mip_rel_gap=0.0, mip_heuristic_effort=0.0, mip_allow_restart="off")
    if highs.getModelStatus() == highspy.HighsModelStatus.kInfeasible:
        return -np.inf
    return float(highs.getInfo().mip_dual_bound)


def is_infeasible(model: Model, *, nodes: int) -> bool:
    """It is proven that nothing keeps all rows in whole numbers."""
    highs = _searched(model, nodes, mip_max_improving_sols=1)
    return bool(highs.getModelStatus() == highspy.HighsModelStatus.kInfeasible)


def _searched(model: Model, nodes: int, start: Floats | None = None, **options: float | str) -> Any:
    highs = _loaded(model, is_integer=True)
    for name, value in {"mip_max_nodes": nodes, **options}.items():
        highs.setOptionValue(name, value)
    if start is not None:
        known = highspy.HighsSolution()
        known.col_value = start.tolist()
        highs.setSolution(known)
    highs.run()
    return highs


def restricted(model: Model, values: Floats, is_free: Bools) -> Model:
    """The model over the free columns alone, the others held at `values`."""
    number = np.cumsum(is_free) - 1
    held = ~is_free[model.column_of]
    fixed = np.bincount(
        model.row_of[held], weights=model.value[held] * values[model.column_of[held]], minlength=model.rows
    )
    free = ~held
    touched = np.zeros(model.rows, dtype=bool)
    touched[model.row_of[free]] = True
    row_number = np.cumsum(touched) - 1
    return Model(
        model.cost[is_free],
        model.lower[is_free],
        model.upper[is_free],
        row_number[model.row_of[free]],
        number[model.column_of[free]],
        model.value[free],
        (model.row_lower - fixed)[touched],
        (model.row_upper - fixed)[touched],
        model.is_integer[is_free],
    )


def is_whole(values: Floats) -> Bools:
    return np.asarray(np.abs(values - np.round(values)) < _INTEGRAL)


def _loaded(model: Model, *, is_integer: bool = False) -> Any:
    highs = highspy.Highs()  # type: ignore[no-untyped-call]
    highs.setOptionValue("output_flag", "off")
    highs.setOptionValue("threads", 1)
    highs.setOptionValue("presolve_rule_off", _DEPENDENT_EQUATIONS)
    order = np.lexsort((model.column_of, model.row_of))
    program = highspy.HighsLp()
    program.num_col_, program.num_row_ = model.columns, model.rows
    program.col_cost_, program.col_lower_, program.col_upper_ = model.cost, model.lower, model.upper
    program.row_lower_, program.row_upper_ = model.row_lower, model.row_upper
    program.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    starts = np.searchsorted(model.row_of[order], np.arange(model.rows + 1))
    program.a_matrix_.start_ = starts.astype(np.int32)
    program.a_matrix_.index_ = model.column_of[order].astype(np.int32)
    program.a_matrix_.value_ = model.value[order].astype(np.float64)
    if is_integer:
        kinds = (highspy.HighsVarType.kContinuous, highspy.HighsVarType.kInteger)
        program.integrality_ = [kinds[is_whole] for is_whole in model.is_integer.tolist()]
    highs.passModel(program)
    return highs
