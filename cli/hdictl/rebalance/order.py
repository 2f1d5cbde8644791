"""Replica lists from sets: the leader first, those that stay in their order, those that come in the places left."""

from __future__ import annotations

from collections.abc import Collection


def ordered(before: tuple[int, ...], after: Collection[int], leader: int) -> tuple[int, ...]:
    """A list that changes as little as it can."""
    coming = sorted(broker for broker in after if broker not in before)
    kept = [broker if broker in after else None for broker in before]
    filled = [broker if broker is not None else (coming.pop(0) if coming else None) for broker in kept]
    replicas = [broker for broker in filled if broker is not None] + coming
    return (leader, *(broker for broker in replicas if broker != leader))
