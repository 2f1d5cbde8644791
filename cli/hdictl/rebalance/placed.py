"""Where a partition is, where it is going, and how that compares with a plan.

Pure. A run that was killed leaves nothing behind but its journal; what is left to do follows from the plan and from
what the cluster says, never from what somebody meant to do next.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from hdictl.rebalance.plan import Step
from hdictl.rebalance.snapshot import PartitionKey

_SHOWN = 5


@dataclass(frozen=True)
class Placed:
    """One partition of a living cluster."""

    replicas: tuple[int, ...]  # while it moves: where it goes, then where it comes from
    isr: frozenset[int]
    leader: int | None

    @property
    def is_in_sync(self) -> bool:
        return set(self.replicas) <= self.isr


@dataclass(frozen=True)
class Ongoing:
    """One partition on the move, as Kafka lists it."""

    replicas: tuple[int, ...]
    adding: tuple[int, ...] = ()
    removing: tuple[int, ...] = ()

    @property
    def target(self) -> tuple[int, ...]:
        return tuple(broker for broker in self.replicas if broker not in self.removing)


@dataclass(frozen=True)
class Standing:
    """The steps of a plan, by what the cluster says of them."""

    done: tuple[Step, ...] = ()
    moving: tuple[Step, ...] = ()
    waiting: tuple[Step, ...] = ()
    gone: tuple[Step, ...] = ()  # the topic was deleted
    strange: tuple[Step, ...] = ()  # neither where it was nor where it goes: somebody else moved it

    @property
    def is_done(self) -> bool:
        return not (self.moving or self.waiting or self.strange)


def standing(
    steps: Iterable[Step], placed: Mapping[PartitionKey, Placed], ongoing: Mapping[PartitionKey, Ongoing]
) -> Standing:
    found: dict[str, list[Step]] = {"done": [], "moving": [], "waiting": [], "gone": [], "strange": []}
    for step in steps:
        found[_stands(step, placed.get(step.key), ongoing.get(step.key))].append(step)
    return Standing(**{name: tuple(members) for name, members in found.items()})


def _stands(step: Step, placed: Placed | None, move: Ongoing | None) -> str:
    if placed is None:
        return "gone"
    if move is not None:
        return "moving" if move.target == step.after else "strange"
    if placed.replicas == step.after:
        return "done"
    # Kafka turns the order when a move is called off: the same brokers in another order are still where it was.
    return "waiting" if set(placed.replicas) in (set(step.before), set(step.after)) else "strange"


def foreign(ongoing: Mapping[PartitionKey, Ongoing], steps: Iterable[Step]) -> dict[PartitionKey, Ongoing]:
    """Moves under way that no step of ours asked for."""
    ours = {step.key: step.after for step in steps}
    return {key: move for key, move in sorted(ongoing.items()) if ours.get(key) != move.target}


def turned(steps: Iterable[Step], placed: Mapping[PartitionKey, Placed]) -> dict[PartitionKey, tuple[int, ...]]:
    """Partitions that are where they were, but in another order than they were, with that order."""
    return {
        step.key: step.before
        for step in steps
        if step.key in placed
        and set(placed[step.key].replicas) == set(step.before)
        and placed[step.key].replicas not in (step.before, step.after)
    }


def between(steps: Iterable[Step], placed: Mapping[PartitionKey, Placed]) -> list[PartitionKey]:
    """Partitions that stand on the old and on the new brokers: they move, or the news of their end are on the way."""
    return [
        step.key
        for step in steps
        if step.adding
        and step.removing
        and step.key in placed
        and set(placed[step.key].replicas) == {*step.before, *step.after}
    ]


def brokers_text(brokers: Collection[int], one: str, many: str) -> str:
    """`broker 1001 is`, `brokers 1001, 1002 are`."""
    names = ", ".join(map(str, sorted(brokers)))
    return f"broker {names} {one}" if len(brokers) == 1 else f"brokers {names} {many}"


def listed(keys: Iterable[PartitionKey]) -> str:
    """The first few, for a message."""
    names = [f"{topic}/{partition}" for topic, partition in sorted(keys)]
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f"{', '.join(names[:_SHOWN])}{more}"
