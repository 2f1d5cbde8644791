"""The preferred replica of what changed leads."""

from __future__ import annotations

from collections.abc import Collection

from hdictl.ports.reassignment import PlacementReader, PlacementWriter
from hdictl.rebalance.placed import listed
from hdictl.rebalance.snapshot import PartitionKey
from hdictl.stack.units import count
from hdictl.workflow.rebalance.waiting import Waiting


def elect_preferred(cluster: PlacementWriter, partitions: Collection[PartitionKey], waiting: Waiting) -> int:
    """Returns how many had another leader. A preferred replica that lags is waited for."""
    others = _led_by_others(cluster, partitions)
    count = len(others)

    def look() -> str | None:
        nonlocal others
        if others:
            cluster.elect(others)
            others = _led_by_others(cluster, others)
        return f"{not_led(len(others))}: {listed(others)}" if others else None

    waiting.until_clear(look, waiting.pace.patience)
    return count


def not_led(number: int) -> str:
    led = count(number, "partition is not led by its", "partitions are not led by their")
    return f"{led} first replica"


def _led_by_others(cluster: PlacementReader, partitions: Collection[PartitionKey]) -> list[PartitionKey]:
    placed = cluster.placement().partitions
    return sorted(key for key in partitions if key in placed and placed[key].leader != placed[key].replicas[0])
