"""No query starts on a checkpoint that belongs to something else."""

from __future__ import annotations

from dataclasses import replace

from pyspark.sql import SparkSession

from streamkit import checkpoint, sidecar
from streamkit.errors import Refused
from streamkit.flow import DEAD_LETTERS, Query, metrics_of
from streamkit.kafka_admin import KafkaAdmin
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
    """The topics that a query reads, found in its plan by the views of the sources."""
    if query.role == DEAD_LETTERS:
        sources = {query.name[: -len("_dead_letters")]}
    else:
        plan = str(query.rows._jdf.queryExecution().analyzed().toString())
        sources = {name for name in spec.sources if f"CollectMetrics {metrics_of(name)}," in plan}
    return {topic for name in sources for topic in spec.sources[name].kafka.topics}


def identify(spark: SparkSession, spec: Spec) -> tuple[dict[str, str | None], str | None]:
    """Ids of all topics that are read, and of their cluster. A topic that is not there is told here."""
    topics: dict[str, str | None] = {}
    cluster = None
    for source in spec.sources.values():
        with KafkaAdmin(spark, source.kafka) as kafka:
            topics.update(kafka.topic_ids(source.kafka.topics))
            cluster = kafka.cluster_id()
    for topic in (sink.kafka for sink in spec.sinks.values()):
        if topic is not None:
            with KafkaAdmin(spark, topic) as kafka:
                kafka.topic_ids(topic.topics)
    return topics, cluster


def admit(storage: Storage, wanted: Sidecar) -> list[sidecar.Difference]:
    """Let a query start on its checkpoint, and note what it is. Returns what has changed and does no harm."""
    folder = checkpoint.folder(wanted.query)
    place = f"{folder}/{sidecar.FILE}"
    text = storage.read(place)
    if text is None:
        if storage.latest(folder + "/offsets") >= 0:
            raise Refused(f"query `{wanted.query}`: {folder} has a checkpoint that nobody wrote a note beside", RESET)
        differences = []
    else:
        before = read_note(wanted.query, text)
        differences = sidecar.compare(before, wanted)
        if sidecar.verdict(differences) != sidecar.IN_PLACE:
            worst = [each for each in differences if each.verdict != sidecar.IN_PLACE]
            raise Refused(f"query `{wanted.query}`: {'; '.join(map(_said, worst))}", RESET)
        wanted = replace(wanted, configuration=before.configuration)  # what the checkpoint keeps
    storage.write(place, sidecar.to_text(wanted))
    return differences


def read_note(query: str, text: str) -> Sidecar:
    try:
        return sidecar.parse(text)
    except ValueError as error:
        place = f"{checkpoint.folder(query)}/{sidecar.FILE}"
        raise Refused(f"query `{query}`: {place} cannot be read: {error}", RESET) from None


def _said(difference: sidecar.Difference) -> str:
    """The reason in the first line, which is what everybody sees; details may follow."""
    first, *details = difference.what.split("\n")
    return "\n".join([f"{first.rstrip(':')}: {difference.why}", *details])


def to_place(sink: Sink) -> str:
    where = sink.kafka.topic if sink.kafka is not None else sink.path
    return f"{sink.format} {where}" if where else sink.format
