"""Partitions that no broker can have inside its window on bytes, and what they count as.

A broker has to hold something of every topic. A partition that is larger than a window leaves room for, beside the
least of that, puts every broker that holds it out of its window, wherever it lies. Planned for as it is, it would drive
everything else away from those brokers, at the price of many moves and to no end. So it counts as much less as lets
half a fair share of others lie beside it, or what has to, and what is fair for everybody is reckoned with that. If that
were more than brokers without one can reach, it counts as less again: they are not to blame.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from hdictl.rebalance.solver import Bools, Floats, Ints

_BESIDE = 0.5  # of a fair share

Topics = Sequence[tuple[Ints, Floats]]  # their rows, and the replicas that each broker has to hold at least


def counted(sizes: Floats, share: Floats, width: float, topics: Topics) -> Floats:
    """What each partition counts as."""
    is_too_large = np.zeros(len(sizes), dtype=bool)
    while True:
        sizes_so = _reduced(sizes, share, width, topics, is_too_large)
        found = is_too_large | _too_large(sizes, sizes_so @ share * (1 + width), topics)
        if (found == is_too_large).all():
            return sizes_so
        is_too_large = found


def _reduced(sizes: Floats, share: Floats, width: float, topics: Topics, is_too_large: Bools) -> Floats:
    """What they count as depends on fair shares, and these on that in turn: it settles quickly."""
    if not is_too_large.any():
        return sizes
    others = np.where(is_too_large, 0.0, sizes)
    beside = np.sum(_least(others, topics), axis=0)
    most = _most(float((others @ share).sum()), float(beside[share.any(axis=0)].mean()), share, is_too_large, width)
    reduced = sizes
    for _ in range(60):
        fair = reduced @ share
        room = (1 + width) * fair - np.maximum(_BESIDE * fair, beside)
        counts = min(float(room[fair > 0].min(initial=np.inf)), most)
        reduced = np.where(is_too_large, np.minimum(sizes, max(0.0, counts)), sizes)
    return reduced


def _most(whole: float, beside: float, share: Floats, is_too_large: Bools, width: float) -> float:
    """What one may count as, if brokers without one shall be well inside their windows while those with one hold no
    more of the others than they have to. `whole`: all others; `beside`: what a broker has to hold of them."""
    brokers = int((share.sum(axis=0) > 0).sum())
    with_one = float(share[is_too_large].sum())
    if with_one >= brokers:
        return math.inf
    fair = (whole - with_one * beside) / (brokers - with_one) / (1 - width / 2)
    return (fair * brokers - whole) / with_one


def _least(sizes: Floats, topics: Topics, fewer: int = 0) -> list[Floats]:
    """By topic and broker: the smallest partitions are the least that it holds."""
    sums = [np.concatenate([[0.0], np.cumsum(np.sort(sizes[rows]))]) for rows, _ in topics]
    return [smallest[np.maximum(held - fewer, 0).astype(int)] for smallest, (_, held) in zip(sums, topics, strict=True)]


def _too_large(sizes: Floats, most: Floats, topics: Topics) -> Bools:
    """`most`: that a broker may have."""
    least, beside = _least(sizes, topics), _least(sizes, topics, fewer=1)  # itself is one of those it has to hold
    room = most - np.sum(least, axis=0)
    is_too_large = np.zeros(len(sizes), dtype=bool)
    for (rows, _), mine, others in zip(topics, least, beside, strict=True):
        is_too_large[rows] = sizes[rows] > (room + mine - others).max() + 1e-9
    return is_too_large
