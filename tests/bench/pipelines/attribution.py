"""ad_click_attribution, from Kafka to Kafka: against reading the same records and doing nothing, and against a loop."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

from hdictl import assets
from hdictl.streaming.job import JobSpec
from hdictl.streaming.pipeline import Pipeline, load
from hdictl.streaming.spec import Surroundings, to_document
from tests.bench.pipelines import python_run, spark_run
from tests.bench.pipelines.events import CLICKED, AvroWriter, clicks, impressions
from tests.bench.pipelines.measured import in_turn
from tests.bench.pipelines.topics import Cluster

TOPICS = {"impressions": "impressions", "clicks": "clicks"}
SINKS = {"attributed": "attributed", "campaigns": "campaigns", "dead_letters": "dead"}
SETTINGS = {"spark.sql.shuffle.partitions": "2"}


def pipeline() -> Pipeline:
    return load(assets.pipeline("ad_click_attribution"))


def writers() -> dict[str, AvroWriter]:
    schemas = pipeline().schemas
    return {name: AvroWriter(json.loads(schemas[name].text)) for name in TOPICS}


def document(kafka: Cluster, batch: int, place: Surroundings, prefix: str = "", trigger_ms: int | None = None) -> Any:
    """The job that joins; what counts campaigns reads its output, and is a job like any other."""
    job = JobSpec(
        "bench",
        pipeline().folder,
        kafka.bootstrap,
        {name: prefix + topic for name, topic in TOPICS.items()},
        {name: prefix + topic for name, topic in SINKS.items()},
        flows=("attributed",),
        max_offsets_per_trigger=batch,
        configuration=SETTINGS,
        trigger_ms=trigger_ms,
    )
    made = to_document(pipeline(), job, place)
    # Both streams come as they were written: as many clicks in a batch as belong to its impressions.
    made["sources"]["clicks"]["max_offsets_per_trigger"] = batch // CLICKED
    return made


def measure(kafka: Cluster, number: int, repeats: int) -> dict[str, Any]:
    batch = number // 2
    kafka.make(*TOPICS.values(), *SINKS.values())
    write = writers()
    total = kafka.fill("impressions", impressions(number), write["impressions"])
    total += kafka.fill("clicks", clicks(number), write["clicks"])
    base = {"bootstrap": kafka.bootstrap, "batch": batch, "configuration": SETTINGS}
    schemas = {name: json.loads(pipeline().schemas[name].text) for name in TOPICS}
    loop = {"bootstrap": kafka.bootstrap, "total": total, "schemas": schemas, "topics": TOPICS, "sink": "attributed"}
    ours = {**base, "spec": document(kafka, batch, Surroundings("file:///nowhere")), "sink": "attributed"}
    return in_turn(
        {
            "ceiling": partial(spark_run.measure, "ceiling", {**base, "topics": "impressions,clicks"}),
            "ad_click_attribution": partial(spark_run.measure, "ours", ours),
            "python loop": partial(python_run.measure, "attribution", loop),
        },
        repeats,
    )
