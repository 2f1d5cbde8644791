"""Partitions that put every broker which holds them out of its window on bytes, wherever they lie."""

from __future__ import annotations

import math
from collections import Counter, defaultdict

from hdictl.rebalance.snapshot import Partition
from tests.bench.rebalance_judged import Judged

_SOLVER = 1e-6  # its tolerance


def too_large(judged: Judged) -> list[Partition]:
    """Beside the smallest replicas of other topics that a broker has to hold, its window leaves no room for them."""
    width = judged.wishes.balance_bytes
    if width is None or judged.is_partial:
        return []
    room: dict[str, float] = defaultdict(float)  # by topic: the most that one partition of it may have on any broker
    for change in judged.plan.brokers:
        least, beside = _least(judged, change.fair_replicas), _least(judged, change.fair_replicas, fewer=1)
        most = change.fair_bytes * (1 + width) - sum(least.values())
        for topic in least:
            room[topic] = max(room[topic], most + least[topic] - beside[topic])
    return [partition for partition, _ in judged.pairs if partition.size > room[partition.topic] * (1 + _SOLVER) + 1]


def _least(judged: Judged, fair_replicas: float, fewer: int = 0) -> Counter[str]:
    """Bytes of each topic that a broker with this fair share holds at least; with `fewer` replicas of it."""
    sizes: dict[str, list[int]] = defaultdict(list)
    for partition, _ in judged.pairs:
        sizes[partition.topic].append(partition.size)
    has_shares = len({len(after) for _, after in judged.pairs}) == 1 and not judged.wishes.global_only
    least: Counter[str] = Counter()
    for topic, mine in sizes.items():
        held = math.floor(fair_replicas * len(mine) / len(judged.pairs) + 1e-3) if has_shares else 0
        least[topic] = sum(sorted(mine)[: max(0, held - fewer)])
    return least
