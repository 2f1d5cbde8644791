"""Kafka topics as streams of raw records."""

from __future__ import annotations

from typing import Callable

from pyspark.sql import DataFrame, SparkSession

from streamkit.spec import Source

# Reads one source of a job. A test passes another one in.
Reader = Callable[[SparkSession, Source], DataFrame]


def read_kafka(spark: SparkSession, source: Source) -> DataFrame:
    reader = (
        spark.readStream.format("kafka")
        .option("kafka.bootstrap.servers", source.kafka.bootstrap)
        .option("subscribe", source.kafka.topic)
        .option("startingOffsets", source.starting_offsets)
        .option("failOnDataLoss", str(source.fail_on_data_loss).lower())
    )
    if source.max_offsets_per_trigger is not None:
        # Without a limit, the first micro-batch after an outage is the whole outage.
        reader = reader.option("maxOffsetsPerTrigger", source.max_offsets_per_trigger)
    for key, value in source.kafka.options.items():
        reader = reader.option("kafka." + key, value)
    return reader.load()
