"""A filter and a window count over ad events: formats, and what people write instead."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

from tests.bench.pipelines import python_run, spark_run
from tests.bench.pipelines.events import AD_EVENT, AvroWriter, ad_events, to_json
from tests.bench.pipelines.measured import in_turn
from tests.bench.pipelines.topics import Cluster

COLUMNS = {field["name"]: "BIGINT" if field["type"] == "long" else "STRING" for field in AD_EVENT["fields"]}
WINDOW = (
    "SELECT ad_id, window.start AS start, count(*) AS views FROM events WHERE event_type = 'view' "
    "GROUP BY ad_id, window(event_time, '10 seconds')"
)
SETTINGS = {"spark.sql.shuffle.partitions": "2"}
_SLOW = 200_000  # records for those that would take minutes


def measure(kafka: Cluster, number: int, repeats: int) -> dict[str, Any]:
    batch = number // 2
    kafka.make("events-json", "events-avro", "events-few")
    kafka.fill("events-json", ad_events(number), to_json, key="ad_id")
    kafka.fill("events-avro", ad_events(number), AvroWriter(AD_EVENT), key="ad_id")
    kafka.fill("events-few", ad_events(_SLOW), AvroWriter(AD_EVENT), key="ad_id")
    base = {"bootstrap": kafka.bootstrap, "batch": batch, "configuration": SETTINGS, "columns": COLUMNS}
    loop = {"bootstrap": kafka.bootstrap, "total": number, "schema": AD_EVENT}
    few = {**loop, "topic": "events-few", "total": _SLOW}

    def ours(topic: str, kind: str) -> partial[dict[str, Any]]:
        return partial(spark_run.measure, "ours", {**base, "spec": spec(kafka.bootstrap, topic, kind, batch)})

    return in_turn(
        {
            "ceiling json": partial(spark_run.measure, "ceiling", {**base, "topics": "events-json"}),
            "ceiling avro": partial(spark_run.measure, "ceiling", {**base, "topics": "events-avro"}),
            "naive json, Kafka's defaults": partial(
                spark_run.measure, "naive", {**base, "topics": "events-json", "consumer": "default"}
            ),
            "naive json": partial(spark_run.measure, "naive", {**base, "topics": "events-json"}),
            "naive json with checks": partial(spark_run.measure, "checked", {**base, "topics": "events-json"}),
            "toolkit json": ours("events-json", "json"),
            "toolkit avro": ours("events-avro", "avro"),
            "python loop avro": partial(
                python_run.measure, "window_count", {**loop, "topic": "events-avro", "format": "avro"}
            ),
            "python loop json": partial(
                python_run.measure, "window_count", {**loop, "topic": "events-json", "format": "json"}
            ),
            "quixstreams avro": partial(python_run.measure, "quix", few),
            "bytewax avro": partial(python_run.measure, "waxed", few),
        },
        repeats,
    )


def spec(bootstrap: str, topic: str, kind: str, batch: int) -> dict[str, Any]:
    source: dict[str, Any] = {
        "kafka": {"bootstrap": bootstrap, "topic": topic},
        "columns": COLUMNS,
        "format": kind,
        "event_time": {"column": "event_time", "watermark": "10 seconds"},
        "required": list(COLUMNS),
        "max_offsets_per_trigger": batch,
    }
    if kind == "avro":
        source["schema"] = json.dumps(AD_EVENT)
    return {
        "version": 2,
        "pipeline": "bench",
        "job": "bench",
        "storage": "file:///nowhere",
        "sources": {"events": source},
        "flows": {"views": {"sink": "out", "sql": WINDOW}},
        "sinks": {"out": {"format": "console"}},
    }
