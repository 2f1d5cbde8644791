"""Nothing new is started while what it touches is not well."""

from __future__ import annotations

from collections.abc import Sequence

from hdictl.ports.reassignment import PlacementReader
from hdictl.rebalance.placed import Placed, brokers_text, listed
from hdictl.rebalance.plan import Step
from hdictl.stack.units import count
from hdictl.workflow.rebalance.waiting import Waiting


def await_ready(cluster: PlacementReader, steps: Sequence[Step], waiting: Waiting) -> None:
    """Until every broker that takes part is there, and every replica of these partitions is in sync."""
    needed = {broker for step in steps for broker in (*step.before, *step.after)}
    minimum = cluster.min_insync({step.topic for step in steps})

    def look() -> str | None:
        placement = cluster.placement()
        away = sorted(needed - placement.brokers)
        if away:
            return f"{brokers_text(away, 'is', 'are')} away"
        placed = {step.key: placement.partitions[step.key] for step in steps if step.key in placement.partitions}
        behind = [key for key, each in placed.items() if not _is_well(each, minimum.get(key[0], 1))]
        return (
            f"{count(len(behind), 'partition is', 'partitions are')} not in sync: {listed(behind)}" if behind else None
        )

    waiting.until_clear(look, waiting.pace.patience)


def _is_well(placed: Placed, minimum: int) -> bool:
    return placed.is_in_sync and placed.leader is not None and len(placed.isr) >= min(minimum, len(placed.replicas))
