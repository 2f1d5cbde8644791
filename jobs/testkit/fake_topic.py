"""A topic that is fed by hand: Spark's own in-memory stream behind the columns of a Kafka topic."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import Any

from pyspark.sql import DataFrame, SparkSession


@dataclass(frozen=True)
class FakeRecord:
    value: bytes | None
    timestamp: int  # milliseconds since the epoch
    key: bytes | None = None


class FakeTopic:
    """Of one reader: Spark's in-memory stream forgets what one has committed. No Python object crosses into a row."""

    def __init__(self, spark: SparkSession, topic: str) -> None:
        self._spark = spark
        self._topic = topic
        self._jvm: Any = spark._jvm
        text = self._jvm.org.apache.spark.sql.Encoders.STRING()
        row = self._jvm.org.apache.spark.sql.Encoders.tuple(text, text, text, text)
        memory = self._jvm.org.apache.spark.sql.execution.streaming.MemoryStream
        session: Any = spark._jsparkSession
        self._stream = memory.apply(row, session.sqlContext())
        self._next = 0

    def add(self, records: list[FakeRecord]) -> None:
        rows = []
        for record in records:
            fields = (_text(record.key), _text(record.value), str(self._next), str(record.timestamp))
            rows.append(self._jvm.scala.Tuple4(*fields))
            self._next += 1
        self._stream.addData(self._jvm.org.apache.spark.api.python.PythonUtils.toSeq(rows))

    def rows(self) -> DataFrame:
        return DataFrame(self._stream.toDF(), self._spark).selectExpr(
            "unbase64(_1) AS key",
            "unbase64(_2) AS value",
            f"'{self._topic}' AS topic",
            "0 AS partition",
            "CAST(_3 AS BIGINT) AS offset",
            "timestamp_millis(CAST(_4 AS BIGINT)) AS timestamp",
            "CAST(NULL AS ARRAY<STRUCT<key STRING, value BINARY>>) AS headers",
        )


def _text(value: bytes | None) -> str | None:
    return None if value is None else base64.b64encode(value).decode("ascii")
