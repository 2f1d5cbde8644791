"""The Spark session, with what streaming from Kafka needs."""

from __future__ import annotations

from pyspark.sql import SparkSession

_SETTINGS = {
    "spark.sql.session.timeZone": "UTC",
    # The default of Spark 3.3 can wait for ever inside the driver when a broker is away.
    "spark.sql.streaming.kafka.useDeprecatedOffsetFetching": "false",
    # Spark turns it off for streams anyway, and warns each time.
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.streaming.minBatchesToRetain": "20",
}


def open_session(name: str, configuration: dict[str, str]) -> SparkSession:
    builder = SparkSession.builder.appName(name)
    for key, value in {**_SETTINGS, **configuration}.items():
        builder = builder.config(key, value)
    return builder.getOrCreate()
