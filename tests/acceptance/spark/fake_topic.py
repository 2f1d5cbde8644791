"""A topic that is fed by hand, and a pipeline that runs on it: micro-batches begin when the test says so."""

from __future__ import annotations

import json
from pathlib import Path

MINUTE = 60_000
START = 1_767_225_600_000  # 2026-01-01T00:00Z
SENT_AT = START + 24 * 60 * MINUTE


class FakeTopic:
    """Spark's own in-memory stream behind the columns of a Kafka topic. No Python object crosses into a row."""

    def __init__(self, spark) -> None:
        self._spark = spark
        jvm = spark._jvm
        text = jvm.org.apache.spark.sql.Encoders.STRING()
        row = jvm.org.apache.spark.sql.Encoders.tuple(text, text, text)
        memory = jvm.org.apache.spark.sql.execution.streaming.MemoryStream
        self._stream = memory.apply(row, spark._jsparkSession.sqlContext())
        self._next = 0

    def add(self, *values: str | dict | None) -> None:
        rows = []
        for value in values:
            text = json.dumps(value) if isinstance(value, dict) else value
            rows.append(self._spark._jvm.scala.Tuple3("key", text, str(self._next)))
            self._next += 1
        self._stream.addData(self._spark._jvm.org.apache.spark.api.python.PythonUtils.toSeq(rows))

    def read(self, _spark, _source):
        from pyspark.sql import DataFrame

        return DataFrame(self._stream.toDF(), self._spark).selectExpr(
            "CAST(_1 AS BINARY) AS key",
            "CAST(_2 AS BINARY) AS value",
            "'page-views' AS topic",
            "0 AS partition",
            "CAST(_3 AS BIGINT) AS offset",
            f"timestamp_millis({SENT_AT}) AS timestamp",
        )


class Bench:
    """The output of a pipeline as it runs; its dead letters when a test asks for them.

    Each query has a topic of its own: Spark's in-memory stream forgets what one reader has committed.
    """

    def __init__(self, spark, spec, folder: Path) -> None:
        from streamkit.flow import assemble
        from streamkit.sinks import output_records

        self._spark = spark
        self._spec = spec
        self._folder = folder
        self._topic = FakeTopic(spark)
        self._sent: list[str | dict | None] = []
        flow = assemble(spark, spec, self._topic.read)
        self.output = self._start(output_records(flow.output, spec.sink, spec.name), "activity")

    def _start(self, records, name: str):
        stream = records.writeStream.format("memory").queryName(name).outputMode("append")
        return stream.option("checkpointLocation", str(self._folder / name)).start()

    def send(self, *values: str | dict | None) -> None:
        """One micro-batch, and the one without data that Spark runs when the watermark has moved."""
        self._sent += values
        self._topic.add(*values)
        self.output.processAllAvailable()

    def windows(self) -> list[dict]:
        rows = self._spark.table("activity").selectExpr("CAST(value AS STRING) AS value").collect()
        return sorted((json.loads(row.value) for row in rows), key=lambda row: (row["window_start"], row["page"]))

    def records(self) -> list[tuple[str, str, dict[str, str]]]:
        return self._records("activity")

    def dead_letters(self) -> list[tuple[str, str, dict[str, str]]]:
        self.run_dead_letters().stop()
        return sorted(self._records("dead"), key=lambda record: int(record[2]["offset"]))

    def run_dead_letters(self):
        from streamkit.flow import assemble
        from streamkit.sinks import dead_letter_records

        topic = FakeTopic(self._spark)
        [(_query, _topic, rows)] = assemble(self._spark, self._spec, topic.read).dead_letters
        query = self._start(dead_letter_records(rows, self._spec.name), "dead")
        topic.add(*self._sent)
        query.processAllAvailable()
        return query

    def errors(self) -> dict[str, str]:
        return {value: headers["error"] for _key, value, headers in self.dead_letters()}

    def _records(self, table: str) -> list[tuple[str, str, dict[str, str]]]:
        rows = self._spark.table(table).selectExpr(
            "CAST(key AS STRING) AS key",
            "CAST(value AS STRING) AS value",
            "map_from_arrays(headers.key, transform(headers.value, v -> CAST(v AS STRING))) AS headers",
        )
        return [(row.key, row.value, row.headers) for row in rows.collect()]

    def total(self, amount: str) -> int:
        from streamkit.progress import batch_line, was_run

        lines = [batch_line(report, "output") for report in self.output.recentProgress if was_run(report)]
        return sum(line.get(amount, 0) for line in lines)

    def stop(self) -> None:
        self.output.stop()


def optimised_plan(query) -> str:
    return query._jsq.streamingQuery().lastExecution().optimizedPlan().toString()


def view(identity: str, minute: float, page: str = "/", user: str = "u1", **changes: object) -> dict:
    at = START + round(minute * MINUTE)
    return {
        "event_id": identity,
        "event_type": "page_view",
        "event_time": at,
        "page": page,
        "user_id": user,
        **changes,
    }


def heartbeat(identity: str, minute: float) -> dict:
    return {"event_id": identity, "event_type": "heartbeat", "event_time": START + round(minute * MINUTE)}
