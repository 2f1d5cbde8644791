"""Kafka topics as streams of raw records."""

from __future__ import annotations

from typing import Mapping, Protocol

from pyspark.sql import DataFrame, SparkSession

from streamkit.spec import Source

# A task reads thousands of records at once: Kafka's defaults, 500 a poll and 1 MB a fetch, are for those who read few.
CONSUMER = {
    "max.poll.records": "5000",
    "fetch.max.bytes": "67108864",
    "max.partition.fetch.bytes": "8388608",
    "receive.buffer.bytes": "1048576",
    # A consumer that has read to the end waits for more before it can be used for anything else: half a second a task.
    "fetch.max.wait.ms": "50",
}


class Reader(Protocol):
    """Reads one source of a job by its name. A test passes another one in."""

    def __call__(self, spark: SparkSession, name: str, source: Source, *, with_headers: bool) -> DataFrame: ...


def kafka_reader(starting_offsets: Mapping[str, str]) -> Reader:
    """`starting_offsets`: source → where a query without a checkpoint begins, when somebody has said so."""

    def read(spark: SparkSession, name: str, source: Source, *, with_headers: bool) -> DataFrame:
        reader = (
            spark.readStream.format("kafka")
            .option("kafka.bootstrap.servers", source.kafka.bootstrap)
            .option("subscribe", source.kafka.topic)
            .option("startingOffsets", starting_offsets.get(name, source.starting_offsets))
            .option("failOnDataLoss", str(source.fail_on_data_loss).lower())
            .option("includeHeaders", str(with_headers).lower())
        )
        if source.max_offsets_per_trigger is not None:
            # Without a limit, the first micro-batch after an outage is the whole outage.
            reader = reader.option("maxOffsetsPerTrigger", source.max_offsets_per_trigger)
        if source.min_partitions is not None:
            reader = reader.option("minPartitions", source.min_partitions)
        for key, value in {**CONSUMER, **source.kafka.options}.items():
            reader = reader.option("kafka." + key, value)
        return reader.load()

    return read


def read_nothing(spark: SparkSession, name: str, source: Source, *, with_headers: bool) -> DataFrame:  # noqa: ARG001
    """A stream with the columns of a Kafka topic and never a row: enough to analyse a query by."""
    headers = ["CAST(NULL AS ARRAY<STRUCT<key STRING, value BINARY>>) AS headers"] if with_headers else []
    return spark.readStream.format("rate").load().selectExpr(
        "CAST(NULL AS BINARY) AS key",
        "CAST(NULL AS BINARY) AS value",
        "CAST(NULL AS STRING) AS topic",
        "CAST(NULL AS INT) AS partition",
        "value AS offset",
        "timestamp",
        *headers,
    )  # fmt: skip
