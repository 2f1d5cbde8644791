"""What a checkpoint belongs to, written beside it, and what a change means for it.

Spark itself checks little of this. A topic that was deleted, made anew and filled beyond the old offset is read on from
there, and what lies below is lost without a word. So a query that resumes is compared with what it was:

    in_place        it goes on from its checkpoint
    new_checkpoint  it cannot: the checkpoint's offsets or state mean something else now. A new one must begin, and
                    where it begins is for a person to say
    forbidden       not even that: a file sink knows batches by their number, and would skip those of a new checkpoint

Pure: no Spark, no files.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import Any

VERSION = 1
FILE = "hdictl.json"
IN_PLACE, NEW_CHECKPOINT, FORBIDDEN = "in_place", "new_checkpoint", "forbidden"
VERDICTS = (IN_PLACE, NEW_CHECKPOINT, FORBIDDEN)

# Fixed by the first micro-batch: Spark takes them from the checkpoint, whatever a later start says.
PINNED = (
    "spark.sql.shuffle.partitions",
    "spark.sql.streaming.stateStore.providerClass",
    "spark.sql.streaming.join.stateFormatVersion",
    "spark.sql.streaming.aggregation.stateFormatVersion",
    "spark.sql.streaming.multipleWatermarkPolicy",
)


@dataclass(frozen=True)
class Sidecar:
    """One query of one pipeline, as far as its checkpoint depends on it."""

    pipeline: str
    query: str
    spark: str
    operators: list[str]
    topics: dict[str, str | None]  # topic that is read → its id; None where nobody asked Kafka
    cluster: str | None  # id of the Kafka cluster
    sink: str  # format and place
    fingerprint: str = ""
    configuration: dict[str, str] = field(default_factory=dict)  # those that are pinned
    state: list[str] = field(default_factory=list)  # columns that operators keep; older notes do not say

    @property
    def sink_format(self) -> str:
        return self.sink.partition(" ")[0]


@dataclass(frozen=True)
class Difference:
    verdict: str
    what: str
    why: str


def to_text(sidecar: Sidecar) -> str:
    return json.dumps({"version": VERSION, **asdict(sidecar)}, indent=2)


def parse(text: str) -> Sidecar:
    """ValueError when it is not one."""
    document = json.loads(text)
    if not isinstance(document, dict) or document.pop("version", None) != VERSION:
        raise ValueError(f"not a sidecar of version {VERSION}")
    try:
        return Sidecar(**document)
    except TypeError as error:
        raise ValueError(str(error)) from None


def compare(before: Sidecar, after: Sidecar) -> list[Difference]:
    """What has changed, the worst first."""
    found = [*_foreign(before, after), *_topics(before, after), *_state(before, after), *_harmless(before, after)]
    if before.sink != after.sink:
        found.append(_sink(before, after))
    if verdict(found) == NEW_CHECKPOINT and before.sink == after.sink and after.sink_format == "parquet":
        found.append(
            Difference(
                FORBIDDEN,
                f"the sink stays {after.sink}",
                "its _spark_metadata knows batches by number, and would skip those of a new checkpoint: "
                "write to another folder",
            )
        )
    return sorted(found, key=lambda each: -VERDICTS.index(each.verdict))


def verdict(differences: list[Difference]) -> str:
    return max((each.verdict for each in differences), key=VERDICTS.index, default=IN_PLACE)


def _foreign(before: Sidecar, after: Sidecar) -> list[Difference]:
    if (before.pipeline, before.query) == (after.pipeline, after.query):
        return []
    return [
        Difference(
            FORBIDDEN,
            f"the checkpoint belongs to {before.pipeline}/{before.query}, and this is {after.pipeline}/{after.query}",
            "two pipelines never share a folder: give this job a storage of its own",
        )
    ]


def _topics(before: Sidecar, after: Sidecar) -> list[Difference]:
    if before.cluster and after.cluster and before.cluster != after.cluster:
        return [
            Difference(
                NEW_CHECKPOINT,
                f"the Kafka cluster was {before.cluster} and is {after.cluster}",
                "offsets of one cluster mean nothing on another, a mirror among them: translate them first",
            )
        ]
    found = []
    if set(before.topics) != set(after.topics):
        found.append(
            Difference(
                NEW_CHECKPOINT,
                f"it read {', '.join(sorted(before.topics))} and reads {', '.join(sorted(after.topics))}",
                "a checkpoint holds the offsets of just the topics it began with",
            )
        )
    for topic, was in before.topics.items():
        now = after.topics.get(topic)
        if was and now and was != now:
            found.append(
                Difference(
                    NEW_CHECKPOINT,
                    f"topic `{topic}` was deleted and made anew (its id was {was}, and is {now})",
                    "the checkpoint's offsets are those of the old one: reading on would skip records without a word",
                )
            )
    return found


def _state(before: Sidecar, after: Sidecar) -> list[Difference]:
    if before.operators != after.operators:
        what = _listed("stateful operators", before.operators, after.operators)
        why = "state is kept by operator and key; the old state does not fit the new query"
        return [Difference(NEW_CHECKPOINT, what, why)]
    if before.state and before.state != after.state:
        what = _listed("columns that are kept in state", before.state, after.state)
        why = "Spark would fail on the old ones, or take them for the new ones"
        return [Difference(NEW_CHECKPOINT, what, why)]
    return []


def _listed(things: str, before: list[str], after: list[str]) -> str:
    gone = [f"- {each}" for each in before if each not in after]
    new = [f"+ {each}" for each in after if each not in before]
    return "\n".join([f"{things} differ:", *gone, *new]) if gone or new else f"{things} moved"


def _sink(before: Sidecar, after: Sidecar) -> Difference:
    what = f"the sink was {before.sink} and is {after.sink}"
    if before.sink_format == after.sink_format == "kafka":
        return Difference(IN_PLACE, what, "another topic gets what comes from now on")
    return Difference(NEW_CHECKPOINT, what, "the new sink would begin in the middle of the stream")


def _harmless(before: Sidecar, after: Sidecar) -> list[Difference]:
    found = []
    for key in PINNED:
        was, now = before.configuration.get(key), after.configuration.get(key)
        if before.operators and was != now and was is not None:
            found.append(
                Difference(IN_PLACE, f"{key} was {was} and is {now}", f"without effect: the checkpoint keeps {was}")
            )
    if _line(before.spark) > _line(after.spark):
        what = f"Spark was {before.spark} and is {after.spark}"
        found.append(Difference(NEW_CHECKPOINT, what, "an older Spark need not understand what a newer one wrote"))
    elif before.spark != after.spark:
        is_newer = _line(before.spark) < _line(after.spark)
        why = "newer reads older" if is_newer else "the same line of Spark"
        found.append(Difference(IN_PLACE, f"Spark was {before.spark} and is {after.spark}", why))
    return found


def _line(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".")[:2])


def to_document(differences: list[Difference]) -> list[dict[str, Any]]:
    return [asdict(each) for each in differences]
