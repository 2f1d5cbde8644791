"""Who leads: leaders of every broker within one of the fair share, with the fewest changes. Exact, and moves no data.

An assignment of partitions to one of their replicas is a flow; its linear program has whole-number corners.
"""

from __future__ import annotations

import numpy as np

from hdictl.rebalance.problem import Window, whole_window
from hdictl.rebalance.solver import Bools, Floats, Ints, LinearProgram, Model

_CHANGE = 1.0
_OUTSIDE = 50.0  # for each leader outside a broker's window: more than any chain of changes is worth
_FRESH = 0.25  # a replica that has yet to be copied leads only where another would have to change


def fair_leaders(replica_share: Floats, partitions: int) -> Floats:
    """Equal parts, but no broker leads more than it holds."""
    fair = np.zeros(len(replica_share))
    is_open = replica_share > 1e-9
    left = float(partitions)
    while is_open.any() and left > 1e-9:
        level = left / is_open.sum()
        is_full = is_open & (replica_share <= level + 1e-12)
        if not is_full.any():
            fair[is_open] = level
            break
        fair[is_full] = replica_share[is_full]
        left -= float(replica_share[is_full].sum())
        is_open &= ~is_full
    return fair


def choose_leaders(placed: Bools, current: Bools, leader_now: Ints, fair: Floats, is_free: Bools) -> Ints:
    """Column of the leader of every partition. `leader_now`: −1 where it is no candidate; not free: it stays."""
    fixed = ~is_free & (leader_now >= 0)
    leaders = np.where(fixed, leader_now, -1)
    rows = np.flatnonzero(~fixed)
    if not len(rows):
        return leaders
    taken = np.bincount(leader_now[fixed], minlength=len(fair)).astype(float)
    partition, broker = np.nonzero(placed[rows])
    leads = leader_now[rows][partition]
    stays = leads == broker
    has_leader = (leads >= 0) & placed[rows[partition], np.maximum(leads, 0)]
    is_fresh = ~current[rows[partition], broker]
    cost = np.where(stays, 0.0, np.where(has_leader, _CHANGE, 0.0) + np.where(is_fresh, _FRESH, 0.0))
    left = whole_window(fair).without(taken)
    window = Window(np.maximum(left.lower, 0.0), np.maximum(left.upper, 0.0))
    chosen = _flow(partition, broker, cost, window)
    leaders[rows[partition[chosen]]] = broker[chosen]
    return leaders


def _flow(partition: Ints, broker: Ints, cost: Floats, window: Window) -> Bools:
    """Which of the pairs are leaders. A broker leaves its window only where its replicas leave no choice."""
    count, brokers = int(partition.max()) + 1, len(window.lower)
    pairs = np.arange(len(partition))
    short, over = len(pairs) + np.arange(brokers), len(pairs) + brokers + np.arange(brokers)
    windows = count + np.arange(brokers)
    model = Model(
        np.concatenate([cost, np.full(2 * brokers, _OUTSIDE)]),
        np.zeros(len(pairs) + 2 * brokers),
        np.concatenate([np.ones(len(pairs)), np.full(2 * brokers, np.inf)]),
        np.concatenate([partition, count + broker, windows, windows]),
        np.concatenate([pairs, pairs, short, over]),
        np.concatenate([np.ones(2 * len(pairs) + brokers), -np.ones(brokers)]),
        np.concatenate([np.ones(count), window.lower]),
        np.concatenate([np.ones(count), window.upper]),
        np.zeros(len(pairs) + 2 * brokers, dtype=bool),
    )
    solution = LinearProgram(model).solve()
    if solution is None:
        raise AssertionError("every partition can be led by one of its replicas")
    return np.asarray(solution.values[: len(pairs)] > 0.5)
