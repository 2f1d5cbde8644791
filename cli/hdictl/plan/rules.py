"""How each field of a topic behaves when it changes: one table, a reason and a source a row. For clusters there is
another, of the same shape, in `cluster_rules`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from hdictl.plan.change import Action


class Behaviour(Enum):
    IN_PLACE = "in place"
    GROWS_ONLY = "grows only"
    MOVES_DATA = "moves data"  # planned here, carried out by a rebalance
    REPLACES = "replaces"  # only a new thing has it; somebody has to ask for that by name
    REFUSED = "refused"  # not even then: too much is lost


@dataclass(frozen=True)
class FieldRule:
    behaviour: Behaviour
    reason: str
    source: str
    action: Action = Action.UPDATE
    refusal_fix: str = ""
    warning: str = ""
    is_irreversible: bool = False


TOPIC_RULES: dict[str, FieldRule] = {
    "partitions": FieldRule(
        Behaviour.GROWS_ONLY,
        reason="Kafka adds partitions in place and never takes one away",
        source="Kafka CreatePartitions: fewer than exist is InvalidPartitions",
        refusal_fix="keep the larger number, or make a new topic and move the readers and writers to it",
        warning="keys move: a key's new records may land on another partition than its old ones, "
        "so order per key holds only within each side of the change",
        is_irreversible=True,
    ),
    "replication": FieldRule(
        Behaviour.MOVES_DATA,
        reason="another number of replicas means copying (or dropping) data between brokers",
        source="Kafka AlterPartitionReassignments",
        warning="planned only: it moves data, which apply does not; "
        "carry it out with: hdictl rebalance run --replication TOPIC=N",
    ),
    "config": FieldRule(
        Behaviour.IN_PLACE,
        reason="topic-level settings change in place",
        source="Kafka IncrementalAlterConfigs",
    ),
}

# Lowering one of these lets Kafka delete data at once.
SHRINKS_RETENTION = ("retention.ms", "retention.bytes", "local.retention.ms", "local.retention.bytes")


def topic_rule(field: str) -> FieldRule:
    """`config.retention.ms` falls under `config`."""
    return TOPIC_RULES[field.partition(".")[0]]
