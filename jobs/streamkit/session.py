"""The Spark session, with what streaming from Kafka needs."""

from __future__ import annotations

from typing import Mapping

from pyspark.sql import SparkSession

from streamkit.spec import Spec

_SETTINGS = {
    "spark.sql.session.timeZone": "UTC",
    # The default of Spark 3.3 can wait for ever inside the driver when a broker is away.
    "spark.sql.streaming.kafka.useDeprecatedOffsetFetching": "false",
    # Spark turns it off for streams anyway, and warns each time.
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.streaming.minBatchesToRetain": "20",
    # State is copied for every micro-batch. The version before the last is on disk; to keep it in memory as well takes
    # half of it.
    "spark.sql.streaming.maxBatchesToRetainInMemory": "1",
    # By default a date that Spark 2 would have parsed otherwise throws: one such record would stop the job for good.
    "spark.sql.legacy.timeParserPolicy": "CORRECTED",
    # A value that cannot be cast is NULL, and the record a dead letter. It must not be an exception.
    "spark.sql.ansi.enabled": "false",
    # `${…}` in a query is a parameter of the pipeline; in the value of one it is text. Spark would look for variables.
    "spark.sql.variable.substitute": "false",
}
_DELTA = {
    "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
    "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
}


def open_session(name: str, configuration: Mapping[str, str]) -> SparkSession:
    builder = SparkSession.builder.appName(name)
    for key, value in {**_SETTINGS, **configuration}.items():
        builder = builder.config(key, value)
    return builder.getOrCreate()


def session_of(spec: Spec) -> SparkSession:
    formats = {sink.format for sink in spec.sinks.values()} | {table.format for table in spec.tables.values()}
    return open_session(spec.job, {**(_DELTA if "delta" in formats else {}), **spec.configuration})
