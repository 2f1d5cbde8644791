"""The plan as a value: changes, refusals, notes and the fingerprint of what they were computed from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from hdictl.plan.wishes import PlanPart, Wishes


class Action(str, Enum):
    """What happens to a thing; the worst field decides."""

    UPDATE = "update"
    CREATE = "create"
    REPLACE = "replace"
    DELETE = "delete"

    @property
    def rank(self) -> int:
        return list(Action).index(self)


class Value(BaseModel):
    """A part of a plan; unknown keys in a saved one mean that it is not ours."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class FieldChange(Value):
    field: str
    before: Any = None
    after: Any = None
    action: Action
    reason: str


class Change(Value):
    """One thing that will be different."""

    action: Action
    address: str  # topic:ingest/page-views
    fields: tuple[FieldChange, ...] = ()
    before: dict[str, Any] | None = None
    after: dict[str, Any] | None = None
    notes: tuple[str, ...] = ()
    is_irreversible: bool = False  # nothing brings back what it takes away: a person has to agree
    is_deferred: bool = False  # shown and counted, but `apply` leaves it: it moves data

    @property
    def kind(self) -> str:
        """topic, cluster, resource or group."""
        return self.address.partition(":")[0]

    @property
    def cluster(self) -> str:
        return self.address.partition(":")[2].partition("/")[0]

    @property
    def name(self) -> str:
        return self.address.partition("/")[2]


class Refusal(Value):
    """What the stack asks for and cannot be had. One refusal and nothing is touched."""

    address: str
    what: str
    fix: str


@dataclass(frozen=True)
class Comparison:
    """What one look at desired and observed gives."""

    changes: tuple[Change, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    notes: tuple[str, ...] = ()

    def __add__(self, other: Comparison) -> Comparison:
        return Comparison(self.changes + other.changes, self.refusals + other.refusals, self.notes + other.notes)


class Pin(Value):
    """The living cluster that a plan was made for."""

    cluster_id: str
    brokers: tuple[int, ...]


class Plan(Value):
    version: Literal[1] = 1
    stack: str
    env: str | None = None
    target: str
    clusters: dict[str, Pin]
    changes: tuple[Change, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    notes: tuple[str, ...] = ()
    skipped: tuple[PlanPart, ...] = ()  # what a person chose not to have looked at
    fingerprint: str

    @property
    def is_empty(self) -> bool:
        return not self.changes and not self.refusals

    @property
    def to_do(self) -> tuple[Change, ...]:
        """What `apply` carries out."""
        return tuple(change for change in self.changes if not change.is_deferred)

    @property
    def wishes(self) -> Wishes:
        """Those under which the same plan comes out again."""
        return Wishes(
            delete_topics=any(change.kind == "topic" and change.action is Action.DELETE for change in self.changes),
            replace=frozenset(change.cluster for change in self.changes if change.action is Action.REPLACE),
            skip=frozenset(self.skipped),
        )

    def count(self, action: Action) -> int:
        return sum(1 for change in self.changes if change.action is action)


_KINDS = ("group", "resource", "cluster", "topic")
_ACTIONS = (Action.CREATE, Action.UPDATE, Action.REPLACE, Action.DELETE)


def in_order(changes: Iterable[Change]) -> tuple[Change, ...]:
    """What others stand on comes first; within a kind creations, then updates, deletions last; then by address."""
    return tuple(
        sorted(changes, key=lambda change: (_KINDS.index(change.kind), _ACTIONS.index(change.action), change.address))
    )
