"""What each broker ought to carry: the most even load that the domains allow.

Equal counts are impossible where fault domains have different numbers of brokers: every partition needs a replica in
the smallest domain, so its brokers carry more. The fair share is the load whose largest value is as small as possible,
then the next largest, and so on, over all sets of brokers that keep the rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from hdictl.rebalance.snapshot import Broker
from hdictl.rebalance.solver import Floats, LinearProgram, Model
from hdictl.rebalance.spread import Cell, Rule, cells_of

_TIGHT = 1e-9
# Columns → replicas per cell; and rows that the columns of one partition keep: matrix, lower and upper bounds.
_Columns = tuple[Floats, tuple[Floats, Floats, Floats]]


def fair_shares(brokers: Sequence[Broker], rules: Mapping[int, Rule], weight: Mapping[int, float]) -> dict[int, Floats]:
    """Replication factor → what each broker carries of one such partition, on average; `weight`: how many there are."""
    cells = cells_of(brokers)
    order = sorted(cells)
    blocks = {replication: _block(rules[replication], order, cells) for replication in sorted(rules)}
    per_cell = _water_filled(blocks, [cells[cell] for cell in order], weight)
    place = {cell: number for number, cell in enumerate(order)}
    at = np.array([place[(broker.fd or 0, broker.ud or 0)] for broker in brokers])
    crowd = np.array([cells[cell] for cell in order])
    return {replication: (loads / crowd)[at] for replication, loads in per_cell.items()}


def _block(rule: Rule, order: list[Cell], cells: Mapping[Cell, int]) -> _Columns:
    if rule.patterns is not None:
        loads = np.array([[pattern.get(cell, 0) for pattern in rule.patterns] for cell in order], dtype=float)
        return loads, (np.ones((1, loads.shape[1])), np.ones(1), np.ones(1))
    rows, lower, upper = [np.ones(len(order))], [float(rule.replication)], [float(rule.replication)]
    for kind, ranges in ((0, rule.fd), (1, rule.ud)):
        for domain, range_ in ranges.items():
            rows.append(np.array([float(cell[kind] == domain) for cell in order]))
            lower.append(range_.lower)
            upper.append(range_.upper)
    for number, cell in enumerate(order):
        rows.append(np.eye(len(order))[number])
        lower.append(0.0)
        upper.append(float(cells[cell]))
    return np.eye(len(order)), (np.array(rows), np.array(lower), np.array(upper))


def _water_filled(
    blocks: Mapping[int, _Columns],
    crowd: Sequence[int],
    weight: Mapping[int, float],
) -> dict[int, Floats]:
    """Lower the highest level again and again; what cannot be lowered is settled."""
    cells = len(crowd)
    sizes = [loads.shape[1] for loads, _ in blocks.values()]
    starts = np.concatenate([[0], np.cumsum(sizes)])
    level = int(starts[-1])
    total = sum(weight[replication] for replication in blocks) or 1.0
    load_rows = np.zeros((cells, level + 1))
    rule_rows, lower, upper = [], [], []
    for start, (replication, (loads, (rows, low, high))) in zip(starts, blocks.items(), strict=False):
        width = loads.shape[1]
        load_rows[:, start : start + width] = loads * (weight[replication] / total) / np.array(crowd)[:, None]
        padded = np.zeros((len(rows), level + 1))
        padded[:, start : start + width] = rows
        rule_rows.append(padded)
        lower.append(low)
        upper.append(high)
    settled = np.full(cells, np.nan)
    while True:
        open_rows = load_rows.copy()
        open_rows[np.isnan(settled), level] = -1.0
        row_low = np.where(np.isnan(settled), -np.inf, settled - _TIGHT)
        row_high = np.where(np.isnan(settled), 0.0, settled + _TIGHT)
        cost = np.zeros(level + 1)
        cost[level] = 1.0
        solution = LinearProgram(
            _dense(
                cost,
                np.vstack([*rule_rows, open_rows]),
                np.concatenate([*lower, row_low]),
                np.concatenate([*upper, row_high]),
            )
        ).solve()
        if solution is None:
            raise AssertionError("the fair share of a feasible rule exists")
        prices = solution.row_prices[-cells:]
        is_tight = np.isnan(settled) & (np.abs(prices) > _TIGHT)
        settled[is_tight] = solution.values[level]
        if not is_tight.any() or not np.isnan(settled).any():
            break
    return {
        replication: loads @ solution.values[start : start + loads.shape[1]]
        for start, (replication, (loads, _)) in zip(starts, blocks.items(), strict=False)
    }


def _dense(cost: Floats, matrix: Floats, row_lower: Floats, row_upper: Floats) -> Model:
    row_of, column_of = np.nonzero(matrix)
    return Model(
        cost,
        np.zeros(len(cost)),
        np.full(len(cost), np.inf),
        row_of,
        column_of,
        matrix[row_of, column_of],
        row_lower,
        row_upper,
        np.zeros(len(cost), dtype=bool),
    )
