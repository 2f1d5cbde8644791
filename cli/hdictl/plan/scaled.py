"""What came of a scale."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Scaled:
    cluster: str
    name: str
    before: int
    after: int
    brokers: tuple[int, ...] | None  # ids that Kafka itself knows; None: it cannot be asked from here
    new_brokers: tuple[int, ...]
    stated: int  # what the stack file says


@dataclass(frozen=True)
class Moved:
    """What the rebalance after a scale moved."""

    run: str | None  # its id in the journal; None: nothing had to be moved
    moves: int
    bytes: int
    leader_changes: int
