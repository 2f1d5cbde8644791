"""Small changes to a whole placement: two partitions of a topic trade places between two brokers.

A trade leaves every count as it is and moves bytes from one broker to the other: that mends a window on bytes which
rounding has left, and then saves moves that turn out not to be needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from hdictl.rebalance.block import Block
from hdictl.rebalance.problem import Problem, Window
from hdictl.rebalance.solver import Bools, Floats, Ints

_MOST_TRADES = 400
_NOTHING = 1e-9


@dataclass
class _State:
    """Partitions are numbers of the block, brokers columns of the problem."""

    problem: Problem
    rows: Ints
    topic_of: Ints
    placed: Bools  # partition × broker, changed in place
    sizes: Floats  # what they count as
    units: Floats  # what they are
    current: Bools
    window: Window
    room: Floats
    arrived: Floats  # units, by broker
    loads: Floats

    def excess(self, broker: int, load: float) -> float:
        return float(max(0.0, self.window.lower[broker] - load, load - self.window.upper[broker]))

    def keeps_rule(self, row: int, leaves: int, comes: int) -> bool:
        one, two = self.problem.brokers[leaves], self.problem.brokers[comes]
        if (one.fd, one.ud) == (two.fd, two.ud):
            return True
        columns = [column for column in np.flatnonzero(self.placed[row]).tolist() if column != leaves]
        return self.problem.keeps_rule(int(self.problem.replication[self.rows[row]]), [*columns, comes])


@dataclass(frozen=True)
class _Trade:
    gives: int  # partition that leaves `broker`
    takes: int  # partition that comes instead
    broker: int
    other: int

    @property
    def ways(self) -> tuple[tuple[int, int, int], ...]:
        """Partition, broker that it leaves, broker that it comes to."""
        return (self.gives, self.broker, self.other), (self.takes, self.other, self.broker)


def mended(block: Block, placed: Bools) -> Bools:
    """`placed` with bytes inside the window, as far as trades get there."""
    if block.coupling.bytes is None:
        return placed
    problem = block.problem
    sizes, units, current = problem.counted[block.rows], problem.units[block.rows], problem.current[block.rows]
    state = _State(
        problem,
        block.rows,
        block.topic_of,
        placed.copy(),
        sizes,
        units,
        current,
        block.coupling.bytes,
        block.coupling.room,
        units @ (placed & ~current),
        sizes @ placed,
    )
    for _ in range(_MOST_TRADES):
        excess = state.window.excess(state.loads)
        if excess.max() <= 1e-6:
            break
        trade = _best(state, int(np.argmax(excess)))
        if trade is None:
            break
        _carry_out(state, trade)
    return state.placed


def _best(state: _State, broker: int) -> _Trade | None:
    """What brings this broker nearer to its window, hurts no other, and costs least for what it gains."""
    best, best_worth = None, _NOTHING
    for trade in _trades(state, broker):
        gain, cost = _effect(state, trade)
        worth = gain / (1.0 + max(cost, 0.0)) if gain > 1e-6 else 0.0
        if worth > best_worth:
            best, best_worth = trade, worth
    return best


def _trades(state: _State, broker: int) -> Iterator[_Trade]:
    is_over = state.loads[broker] > state.window.upper[broker]
    replication = state.problem.replication[state.rows]
    for row in np.flatnonzero(state.placed[:, broker]).tolist():
        mates = np.flatnonzero((state.topic_of == state.topic_of[row]) & ~state.placed[:, broker])
        # Giving a larger one lowers the load, giving a smaller one raises it.
        wanted = state.sizes[mates] < state.sizes[row] if is_over else state.sizes[mates] > state.sizes[row]
        for mate in mates[wanted & (replication[mates] == replication[row])].tolist():
            for other in np.flatnonzero(state.placed[mate] & ~state.placed[row]).tolist():
                if state.keeps_rule(row, broker, other) and state.keeps_rule(mate, other, broker):
                    yield _Trade(row, mate, broker, other)


def _effect(state: _State, trade: _Trade) -> tuple[float, float]:
    """How much nearer to the windows, and how much dearer."""
    size = state.sizes[trade.gives] - state.sizes[trade.takes]
    gain = 0.0
    for broker, change in ((trade.broker, -size), (trade.other, size)):
        gain += state.excess(broker, state.loads[broker]) - state.excess(broker, state.loads[broker] + change)
    cost = 0.0
    for row, leaves, comes in trade.ways:
        arrives = not state.current[row, comes]
        if arrives and state.arrived[comes] + state.units[row] > state.room[comes]:
            return 0.0, 0.0
        cost += state.problem.move_cost[state.rows[row]] * (int(arrives) - int(not state.current[row, leaves]))
    return gain, float(cost)


def _carry_out(state: _State, trade: _Trade) -> None:
    for row, leaves, comes in trade.ways:
        state.placed[row, leaves], state.placed[row, comes] = False, True
        state.loads[leaves] -= state.sizes[row]
        state.loads[comes] += state.sizes[row]
        state.arrived[comes] += 0.0 if state.current[row, comes] else state.units[row]
        state.arrived[leaves] -= 0.0 if state.current[row, leaves] else state.units[row]
