"""No query starts on a checkpoint that belongs to something else."""

from __future__ import annotations

from dataclasses import replace
from typing import Sequence

from pyspark.sql import SparkSession

from streamkit import checkpoint, sidecar
from streamkit.errors import Refused
from streamkit.flow import DEAD_LETTERS, Query, metrics_of
from streamkit.sidecar import Sidecar
from streamkit.signature import kept_state, stateful_operators
from streamkit.spec import Sink, Spec
from streamkit.storage import Storage

RESET = "see `hdictl pipeline plan`; to begin anew: hdictl jobs checkpoint reset JOB --to committed"


def describe(
    spark: SparkSession, spec: Spec, query: Query, topics: dict[str, str | None], cluster: str | None
) -> Sidecar:
    """`topics`: those of all sources, with their ids."""
    pinned = {key: spark.conf.get(key, None) for key in sidecar.PINNED}
    read = read_by(spec, query)
    return Sidecar(
        pipeline=spec.pipeline,
        query=query.name,
        spark=spark.version,
        operators=stateful_operators(query.rows),
        topics={topic: known for topic, known in topics.items() if topic in read},
        cluster=cluster,
        sink=to_place(query.sink),
        fingerprint=spec.fingerprint,
        configuration={key: value for key, value in pinned.items() if value is not None},
        state=kept_state(query.rows),
    )


def read_by(spec: Spec, query: Query) -> set[str]:
    """The topics that a query reads."""
    return {topic for name in sources_of(spec, query) for topic in spec.sources[name].kafka.topics}


def sources_of(spec: Spec, query: Query) -> list[str]:
    """Found in its plan by the views of the sources."""
    if query.role == DEAD_LETTERS:
        return [query.name[: -len("_dead_letters")]]
    plan = str(query.rows._jdf.queryExecution().analyzed().toString())
    return [name for name in spec.sources if f"CollectMetrics {metrics_of(name)}," in plan]


def admit(storage: Storage, wanted: Sequence[Sidecar]) -> list[list[sidecar.Difference]]:
    """Let queries start on their checkpoints, and note what they are. Returns what has changed and does no harm.

    All or none: a note says what a checkpoint was made by, so none is written while one of them is refused.
    """
    admitted, refusals = [], []
    for query in wanted:
        try:
            admitted.append(_admitted(storage, query))
        except Refused as refusal:
            refusals.append(refusal.what)
    if refusals:
        raise Refused(_together(refusals), RESET)
    for note, _differences in admitted:
        storage.write(note_of(note.query), sidecar.to_text(note))
    return [differences for _note, differences in admitted]


def _admitted(storage: Storage, wanted: Sidecar) -> tuple[Sidecar, list[sidecar.Difference]]:
    """The note that is to be written, and what has changed."""
    text = storage.read(note_of(wanted.query))
    # A query that never began a micro-batch has neither offsets nor state, whatever a note says.
    has_begun = storage.latest(checkpoint.folder(wanted.query) + "/offsets") >= 0
    if not has_begun:
        return wanted, []
    if text is None:
        raise Refused(without_note(wanted.query))
    before = read_note(wanted.query, text)
    differences = sidecar.compare(before, wanted)
    if sidecar.verdict(differences) != sidecar.IN_PLACE:
        worst = [each for each in differences if each.verdict != sidecar.IN_PLACE]
        raise Refused(f"query `{wanted.query}`: {'; '.join(map(_said, worst))}")
    return replace(wanted, configuration=before.configuration), differences  # what the checkpoint keeps


def _together(refusals: list[str]) -> str:
    """The reasons in the first line, which is what everybody sees; details may follow."""
    lines = [refusal.split("\n") for refusal in refusals]
    return "\n".join(["; ".join(first for first, *_details in lines), *(each for line in lines for each in line[1:])])


def note_of(query: str) -> str:
    return f"{checkpoint.folder(query)}/{sidecar.FILE}"


def without_note(query: str) -> str:
    return f"query `{query}`: {checkpoint.folder(query)} has a checkpoint that nobody wrote a note beside"


def read_note(query: str, text: str) -> Sidecar:
    try:
        return sidecar.parse(text)
    except ValueError as error:
        raise Refused(f"query `{query}`: {note_of(query)} cannot be read: {error}", RESET) from None


def _said(difference: sidecar.Difference) -> str:
    """The reason in the first line, which is what everybody sees; details may follow."""
    first, *details = difference.what.split("\n")
    return "\n".join([f"{first.rstrip(':')}: {difference.why}", *details])


def to_place(sink: Sink) -> str:
    where = sink.kafka.topic if sink.kafka is not None else sink.path
    return f"{sink.format} {where}" if where else sink.format
