"""Partitions that no broker can have inside its window on bytes, and what they count as.

A broker has to hold something of every topic. A partition that is larger than a window leaves room for, beside the
least of that, puts every broker that holds it out of its window, wherever it lies. Planned for as it is, it would drive
everything else away from those brokers, at the price of many moves and to no end. So it counts as much less as lets
half a fair share of others lie beside it, and what is fair for everybody is reckoned with that.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hdictl.rebalance.solver import Bools, Floats, Ints

_BESIDE = 0.5  # of a fair share


def counted(sizes: Floats, share: Floats, width: float, topics: Sequence[tuple[Ints, Floats]]) -> Floats:
    """What each partition counts as. `topics`: their rows, and the replicas that each broker has to hold at least."""
    is_too_large = np.zeros(len(sizes), dtype=bool)
    while True:
        fair = _fair(sizes, share, width, is_too_large)
        found = is_too_large | _too_large(sizes, fair * (1 + width), topics)
        if (found == is_too_large).all():
            return np.where(is_too_large, np.minimum(sizes, _counts_as(fair, width)), sizes)
        is_too_large = found


def _counts_as(fair: Floats, width: float) -> float:
    return float((1 + width - _BESIDE) * fair[fair > 0].min()) if (fair > 0).any() else 0.0


def _fair(sizes: Floats, share: Floats, width: float, is_too_large: Bools) -> Floats:
    """Each broker's share of what is counted. What is counted depends on it in turn: that settles quickly."""
    fair = sizes @ share
    for _ in range(60 if is_too_large.any() else 0):
        fair = np.where(is_too_large, np.minimum(sizes, _counts_as(fair, width)), sizes) @ share
    return np.asarray(fair)


def _too_large(sizes: Floats, most: Floats, topics: Sequence[tuple[Ints, Floats]]) -> Bools:
    """`most`: that a broker may have. Of each topic the smallest partitions are the least that it holds."""
    sums = [np.concatenate([[0.0], np.cumsum(np.sort(sizes[rows]))]) for rows, _ in topics]
    least = [smallest[held.astype(int)] for smallest, (_, held) in zip(sums, topics, strict=True)]
    beside = np.sum(least, axis=0)
    is_too_large = np.zeros(len(sizes), dtype=bool)
    for (rows, held), smallest, mine in zip(topics, sums, least, strict=True):
        others = smallest[np.maximum(held - 1, 0).astype(int)]  # the partition itself is one of those it has to hold
        is_too_large[rows] = sizes[rows] > (most - beside + mine - others).max() + 1e-9
    return is_too_large
