"""Topics of one cluster: created in small batches, grown, set, deleted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from hdictl.errors import ApplyFailed
from hdictl.plan.change import Action, Change
from hdictl.ports.kafka import ClusterWriter, NewTopic

# Kafka's controller works on a request as a whole; small ones keep well under every time-out.
_REPLICAS_A_REQUEST = 600


def apply_topics(changes: Sequence[Change], writer: ClusterWriter, finished: Callable[[int], None]) -> None:
    """The changes of one cluster's topics, in an order that survives a crash after each."""
    for batch in _batches([change for change in changes if change.action is Action.CREATE]):
        _create(batch, writer)
        finished(len(batch))
    for change in changes:
        if change.action is Action.UPDATE:
            _update(change, writer)
            finished(1)
    gone = [change.name for change in changes if change.action is Action.DELETE]
    if gone:
        writer.delete_topics(gone)
        writer.settle(dict.fromkeys(gone, 0))
        finished(len(gone))


def _create(batch: Sequence[Change], writer: ClusterWriter) -> None:
    outcome = writer.create_topics([_new_topic(change) for change in batch])
    failed = {name: error for name, error in outcome.items() if error is not None}
    if failed:
        name, error = next(iter(failed.items()))
        more = f" (and {len(failed) - 1} more)" if len(failed) > 1 else ""
        raise ApplyFailed(f"{error}{more}", where=f"topic `{name}`", fix="see hdictl plan")
    # The next batch waits for this one: a controller that is never hurried never times out.
    writer.settle({change.name: (change.after or {})["partitions"] for change in batch})


def _new_topic(change: Change) -> NewTopic:
    after = change.after or {}
    return NewTopic(change.name, tuple(tuple(replicas) for replicas in after["assignment"]), after["config"])


def _update(change: Change, writer: ClusterWriter) -> None:
    after = change.after or {}
    settings = {
        field.field.partition(".")[2]: field.after for field in change.fields if field.field.startswith("config.")
    }
    # Partitions first: a topic that fails there keeps its settings, so that the next plan shows both.
    if "added" in after:
        writer.add_partitions(change.name, after["partitions"], tuple(tuple(replicas) for replicas in after["added"]))
        writer.settle({change.name: after["partitions"]})
    if settings:
        writer.alter_config(change.name, settings)


def _batches(changes: Sequence[Change]) -> Iterator[Sequence[Change]]:
    batch: list[Change] = []
    replicas = 0
    for change in changes:
        size = sum(len(partition) for partition in (change.after or {})["assignment"])
        if batch and replicas + size > _REPLICAS_A_REQUEST:
            yield batch
            batch, replicas = [], 0
        batch.append(change)
        replicas += size
    if batch:
        yield batch
