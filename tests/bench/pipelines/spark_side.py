"""One measurement, inside Spark: `spark-submit … spark_side.py WHAT TASK.json`. Prints one JSON line.

    ceiling     Kafka → nothing: what reading alone costs
    naive       the obvious query: from_json, its fields, a filter, a window
    checked     the same, and a record that is malformed or lacks a field is left out
    ours        the same through streamkit, JSON or Avro as the document says

Every run reads its topics several times over: first to warm up (a JVM needs seconds at full speed until it is at its
best, and jobs run for weeks), then to be counted. Seconds are those of micro-batches, CPU is that of Spark's process.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import psutil
import pyspark.sql.functions as F  # noqa: N812 (as everyone writes it)
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming import StreamingQuery
from streamkit.flow import assemble
from streamkit.session import open_session
from streamkit.sinks import PRODUCER, written
from streamkit.sources import CONSUMER, kafka_reader
from streamkit.spec import parse, to_ddl

WARM_UP, COUNTED = 3, 2


def main(what: str, file: str) -> None:
    task = json.loads(Path(file).read_text(encoding="utf-8"))
    spark = open_session("bench", task.get("configuration", {}))
    spark.sparkContext.setLogLevel("ERROR")
    rows = {"ceiling": ceiling, "naive": naive, "checked": checked, "ours": ours}[what](spark, task)
    sys.stdout.write(json.dumps(measured(rows, task)) + "\n")
    spark.stop()


def raw(spark: SparkSession, task: dict[str, Any]) -> DataFrame:
    """With the options that the toolkit sets for its consumers, where only what comes behind is to be compared."""
    reader = spark.readStream.format("kafka").option("subscribe", task["topics"]).option("startingOffsets", "earliest")
    reader = reader.option("maxOffsetsPerTrigger", task["batch"])
    options = {} if task.get("consumer") == "default" else CONSUMER
    for key, value in {**options, "bootstrap.servers": task["bootstrap"]}.items():
        reader = reader.option("kafka." + key, value)
    return reader.load()


def ceiling(spark: SparkSession, task: dict[str, Any]) -> DataFrame:
    return raw(spark, task).select("key", "value", "timestamp")


def naive(spark: SparkSession, task: dict[str, Any]) -> DataFrame:
    parsed = raw(spark, task).select(F.from_json(F.col("value").cast("string"), to_ddl(task["columns"])).alias("j"))
    return views(parsed.select("j.*"))


def checked(spark: SparkSession, task: dict[str, Any]) -> DataFrame:
    columns, options = f"{to_ddl(task['columns'])}, _bad STRING", {"columnNameOfCorruptRecord": "_bad"}
    parsed = raw(spark, task).select(F.from_json(F.col("value").cast("string"), columns, options).alias("j"))
    are_there = " AND ".join(f"`{name}` IS NOT NULL" for name in task["columns"])
    return views(parsed.select("j.*").where(f"_bad IS NULL AND {are_there}"))


def views(events: DataFrame) -> DataFrame:
    events = events.withColumn("event_time", F.expr("timestamp_millis(event_time)"))
    timed = events.where("event_type = 'view'").withWatermark("event_time", "10 seconds")
    return timed.groupBy(F.window("event_time", "10 seconds"), "ad_id").count()


def ours(spark: SparkSession, task: dict[str, Any]) -> DataFrame:
    spec = parse(json.dumps(task["spec"]))
    query = assemble(spark, spec, kafka_reader({}))[0]
    return written(query, spec) if task.get("sink") else query.rows


def measured(rows: DataFrame, task: dict[str, Any]) -> dict[str, Any]:
    for number in range(WARM_UP):
        read(rows, task, f"warm-up-{number}")
    counted = [read(rows, task, f"counted-{number}") for number in range(COUNTED)]
    batches = [each for query, _cpu in counted for each in query.recentProgress if each["numInputRows"]]
    seconds = sum(each["durationMs"]["triggerExecution"] for each in batches) / 1000
    rows_read = sum(each["numInputRows"] for each in batches)
    return {"rows": rows_read, "seconds": seconds, "cpu_seconds": sum(cpu for _query, cpu in counted)}


def read(rows: DataFrame, task: dict[str, Any], name: str) -> tuple[StreamingQuery, float]:
    """All there is, once; and the seconds of CPU it took."""
    stream = rows.writeStream.outputMode("append").option("checkpointLocation", f"{task['checkpoint']}/{name}")
    stream = stream.trigger(availableNow=True)
    if task.get("sink"):
        stream = stream.format("kafka").option("topic", task["sink"])
        for key, value in {**PRODUCER, "bootstrap.servers": task["bootstrap"]}.items():
            stream = stream.option("kafka." + key, value)
    else:
        stream = stream.format("noop")
    before = cpu_seconds()
    query = stream.start()
    query.awaitTermination()
    used = cpu_seconds() - before
    forget_state(rows.sparkSession)
    return query, used


def forget_state(spark: SparkSession) -> None:
    """A job has one state. Spark keeps that of a query that has ended for a minute: the next would carry it along."""
    jvm: Any = spark._jvm
    jvm.org.apache.spark.sql.execution.streaming.state.StateStore.stop()
    jvm.java.lang.System.gc()


def cpu_seconds() -> float:
    """Of the JVM, whose child this Python is."""
    times = psutil.Process(os.getppid()).cpu_times()
    return float(times.user + times.system)


if __name__ == "__main__":
    main(*sys.argv[1:3])
