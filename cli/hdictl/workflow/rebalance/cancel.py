"""Calls a rebalance off: what is on the move goes back, what has arrived stays, throttles are put back."""

from __future__ import annotations

from hdictl.rebalance.placed import between, listed, turned
from hdictl.rebalance.snapshot import PartitionKey
from hdictl.stack.units import count
from hdictl.workflow.rebalance.execution import Execution
from hdictl.workflow.rebalance.leaders import elect_preferred


def call_off(execution: Execution) -> None:
    """Works with a broker away as well: Kafka forgets a replica that is not there yet."""
    settle = execution.waiting.pace.settle
    execution.note("cancelling", is_cancelled=True)
    execution.found_throttles()
    execution.waiting.until_clear(lambda: _still_moving(execution), settle)
    execution.waiting.until_clear(lambda: _out_of_order(execution), settle)
    execution.note("restoring")
    execution.restore_throttles()
    # Last: throttles wait for a broker that is away, and then its replicas can lead again.
    elect_preferred(execution.cluster, _led_by_living(execution), execution.waiting)
    execution.note("cancelled")


def _led_by_living(execution: Execution) -> list[PartitionKey]:
    """A first replica that lags is waited for; one whose broker is away cannot lead, and nobody waits for it."""
    placement = execution.cluster.placement()
    placed = {
        step.key: placement.partitions[step.key] for step in execution.plan.steps if step.key in placement.partitions
    }
    return [key for key, each in placed.items() if each.replicas[0] in placement.brokers]


def _still_moving(execution: Execution) -> str | None:
    moving = execution.stands().moving
    if not moving:
        return None
    refused = execution.cluster.reassign({step.key: None for step in moving})
    why = f" ({next(iter(refused.values()))})" if refused else ""
    some = count(len(moving), "partition is", "partitions are")
    return f"{some} still on the move: {listed(step.key for step in moving)}{why}"


def _out_of_order(execution: Execution) -> str | None:
    """Kafka turns the order of what it calls off; the first replica leads, so the old order is given back."""
    placed = execution.cluster.placement().partitions
    if late := between(execution.plan.steps, placed):
        # Kafka's list of moves is shorter before its brokers know; the order cannot be seen until they do.
        return f"{count(len(late), 'partition is', 'partitions are')} still between two places: {listed(late)}"
    wrong = turned(execution.plan.steps, placed)
    if not wrong:
        return None
    refused = execution.cluster.reassign(wrong)
    why = f" ({next(iter(refused.values()))})" if refused else ""
    return f"{count(len(wrong), 'partition is', 'partitions are')} not in the old order: {listed(wrong)}{why}"
