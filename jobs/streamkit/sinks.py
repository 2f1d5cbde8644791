"""Data frames to where they go.

kafka    at least once: a micro-batch that was interrupted is written again. So every record carries an identity
         that depends on its content alone, and whoever reads it (or the compaction of the topic) can drop the copy
parquet  exactly once, for readers that honour `_spark_metadata`, as Spark does
delta    exactly once, for every reader of Delta; its jar must be on the class path
console  for a person who looks
"""

from __future__ import annotations

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming import DataStreamWriter

from streamkit.errors import JobError
from streamkit.flow import DEAD_LETTERS, Query
from streamkit.records import LARGEST, dead_letter_records, output_records
from streamkit.spec import Spec, Topic

AVAILABLE_NOW = "available now"
_MOST_BYTES = "67108864"
PRODUCER = {
    "acks": "all",
    "enable.idempotence": "true",
    "compression.type": "lz4",
    "linger.ms": "20",
    # The topic decides what is too large. Kafka's own limit here, 1 MB, counts before compression.
    "max.request.size": _MOST_BYTES,
    "buffer.memory": _MOST_BYTES,
}


def written(query: Query, spec: Spec, largest: int = LARGEST) -> DataFrame:
    """The rows as the sink takes them. `largest`: bytes of a record that a topic of dead letters takes."""
    _require_columns(query)
    if query.role == DEAD_LETTERS:
        return dead_letter_records(query.rows, spec.pipeline, largest)
    if query.sink.format == "kafka":
        return output_records(query.rows, query.sink, spec.pipeline, query.name)
    return query.rows


def writer(query: Query, spec: Spec, largest: int = LARGEST) -> DataStreamWriter:
    """The query, ready to start. Its checkpoint is the job's own."""
    stream = written(query, spec, largest).writeStream.queryName(query.name).outputMode("append")
    stream = stream.option("checkpointLocation", checkpoint(spec, query.name))
    trigger = trigger_of(query, spec)
    is_now = trigger == AVAILABLE_NOW
    stream = stream.trigger(availableNow=True) if is_now else stream.trigger(processingTime=trigger)
    if query.sink.kafka is not None:
        return _to_kafka(stream, query.sink.kafka)
    stream = stream.format(query.sink.format)
    if query.sink.partition_by:
        stream = stream.partitionBy(*query.sink.partition_by)
    return stream.option("path", query.sink.path) if query.sink.path is not None else stream


def trigger_of(query: Query, spec: Spec) -> str:
    if query.role == DEAD_LETTERS and spec.dead_letters_trigger is not None:
        return spec.dead_letters_trigger
    return spec.trigger


def require_formats(spark: SparkSession, spec: Spec) -> None:
    """A sink whose jar is not there is told before anything starts."""
    if any(sink.format == "delta" for sink in spec.sinks.values()) and not _has_delta(spark):
        raise JobError(
            "a sink has the format delta, and the Delta jar is not on the class path",
            "submit the job with its Delta jar (`delta: true` in the stack's job), or use parquet",
        )


def checkpoint(spec: Spec, query: str) -> str:
    return f"{spec.storage.rstrip('/')}/checkpoints/{query}"


def _require_columns(query: Query) -> None:
    names = [name.lower() for name in query.rows.columns]  # Spark does not tell upper from lower case
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice and query.sink.format != "console":
        raise JobError(
            f"flow `{query.name}`: it gives more than one column `{twice[0]}`",
            "name the columns in the query instead of `*`, each with a name of its own",
        )
    for name in [*query.sink.key, *query.sink.partition_by]:
        if name not in query.rows.columns:
            there = ", ".join(query.rows.columns)
            raise JobError(
                f"flow `{query.name}`: its sink names the column `{name}`, and the flow gives {there}",
                "mend `key` or `partition_by` of the sink, or the query",
            )


def _to_kafka(stream: DataStreamWriter, topic: Topic) -> DataStreamWriter:
    stream = stream.format("kafka").option("kafka.bootstrap.servers", topic.bootstrap).option("topic", topic.topic)
    for key, value in {**PRODUCER, **topic.options}.items():
        stream = stream.option("kafka." + key, value)
    return stream


def _has_delta(spark: SparkSession) -> bool:
    loader = spark._jvm.java.lang.Thread.currentThread().getContextClassLoader()  # type: ignore[union-attr]
    return loader.getResource("io/delta/sql/DeltaSparkSessionExtension.class") is not None
