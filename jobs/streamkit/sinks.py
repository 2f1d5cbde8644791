"""Data frames to Kafka.

Kafka's sink writes at least once: a micro-batch that was interrupted is written again. So every record carries an
identity that depends on its content alone, and whoever reads it (or the compaction of the topic) can drop the copy.
"""

from __future__ import annotations

import pyspark.sql.functions as F  # noqa: N812 (as everyone writes it)
from pyspark.sql import Column, DataFrame
from pyspark.sql.streaming import DataStreamWriter

from streamkit.spec import Sink, Spec, Topic

_PRODUCER = {"acks": "all", "enable.idempotence": "true", "compression.type": "lz4", "linger.ms": "20"}


def output_records(rows: DataFrame, sink: Sink, pipeline: str) -> DataFrame:
    key = F.concat_ws("|", *[F.col(name).cast("string") for name in sink.key])
    value = F.to_json(F.struct(*rows.columns))
    return rows.select(
        key.cast("binary").alias("key"),
        value.cast("binary").alias("value"),
        _headers({"event_id": F.concat(F.lit(pipeline + "|"), key), "pipeline": F.lit(pipeline)}),
    )


def dead_letter_records(rows: DataFrame, pipeline: str) -> DataFrame:
    """The record byte for byte, and in its headers where it lay and what is wrong with it."""
    record = F.col("_record")
    return rows.select(
        record["key"].alias("key"),
        record["value"].alias("value"),
        _headers(
            {
                "error": F.col("_error"),
                "pipeline": F.lit(pipeline),
                "topic": record["topic"],
                "partition": record["partition"],
                "offset": record["offset"],
                "timestamp": F.expr("unix_millis(_record.timestamp)"),
            }
        ),
    )


def writer(records: DataFrame, topic: Topic, query: str, spec: Spec) -> DataStreamWriter:
    stream = (
        records.writeStream.queryName(query)
        .format("kafka")
        .outputMode("append")
        .option("kafka.bootstrap.servers", topic.bootstrap)
        .option("topic", topic.topic)
        .option("checkpointLocation", checkpoint(spec, query))
        .trigger(processingTime=spec.trigger)
    )
    for key, value in {**_PRODUCER, **topic.options}.items():
        stream = stream.option("kafka." + key, value)
    return stream


def checkpoint(spec: Spec, query: str) -> str:
    return f"{spec.storage.rstrip('/')}/checkpoints/{query}"


def _headers(values: dict[str, Column]) -> Column:
    pairs = [
        F.struct(F.lit(name).alias("key"), value.cast("string").cast("binary").alias("value"))
        for name, value in values.items()
    ]
    return F.array(*pairs).alias("headers")
