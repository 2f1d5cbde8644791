"""The document that a job is started with: what hdictl writes is what the job reads, and nothing else passes."""

from __future__ import annotations

import json

import pytest
from streamkit.spec import EventTime, SpecError, Topic, parse

from hdictl import assets
from hdictl.drivers.spark.pipeline import load
from hdictl.drivers.spark.spec import to_document
from hdictl.ports.jobs import JobSpec

JOB = JobSpec(
    name="activity",
    pipeline=assets.pipeline("page_activity"),
    bootstrap="broker:9092",
    reads={"page_views": "page-views"},
    writes={"activity": "page-activity", "dead_letters": "page-views-dead"},
    trigger_ms=500,
    max_offsets_per_trigger=7,
    configuration={"spark.sql.shuffle.partitions": "2"},
)


def document(**changes: object) -> dict:
    made = to_document(load(JOB.pipeline), JOB, storage="file:///s", progress_file="p.jsonl")
    return {**made, **changes}


def test_the_job_reads_what_hdictl_writes():
    spec = parse(json.dumps(document()))
    source = spec.sources["page_views"]
    assert (spec.name, spec.storage, spec.trigger) == ("page_activity", "file:///s", "500 milliseconds")
    assert source.kafka == Topic("broker:9092", "page-views")
    assert source.dead_letters == Topic("broker:9092", "page-views-dead")
    assert source.event_time == EventTime("event_time", "600000 milliseconds", 3_600_000)
    assert source.required == ["event_id", "event_type", "event_time"]
    assert source.deduplicate == ["event_id"]
    assert source.max_offsets_per_trigger == 7
    assert source.fail_on_data_loss
    assert spec.sink.key == ["page", "window_start"]
    assert spec.configuration == {"spark.sql.shuffle.partitions": "2"}
    assert spec.progress_file == "p.jsonl"


def test_the_pipeline_says_what_the_job_leaves_open():
    job = JobSpec("activity", JOB.pipeline, JOB.bootstrap, JOB.reads, JOB.writes)
    spec = parse(json.dumps(to_document(load(job.pipeline), job, storage="s", progress_file=None)))
    assert spec.trigger == "10000 milliseconds"
    assert spec.sources["page_views"].max_offsets_per_trigger == 50_000
    assert spec.configuration == {"spark.sql.shuffle.partitions": "8"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rubbish", "not JSON"),
        ("[]", "not a job document of version 1"),
        (json.dumps(document(version=2)), "not a job document of version 1"),
        (json.dumps(document(sources={})), "sources: at least one is needed"),
        (json.dumps(document(sources={"a": {}})), "sources.a.kafka: missing"),
        (json.dumps(document(sink=None)), "sink.kafka: missing"),
        (json.dumps(document(extra=1)), "document: unknown extra"),
        (json.dumps({"version": 1, "sources": document()["sources"], "sink": document()["sink"]}), "document: "),
    ],
)
def test_another_document_is_refused(text, message):
    with pytest.raises(SpecError, match=message):
        parse(text)
