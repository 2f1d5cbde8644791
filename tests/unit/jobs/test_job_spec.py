"""The document that a job is started with: what hdictl writes is what the job reads, and nothing else passes."""

from __future__ import annotations

import json

import pytest
from streamkit.errors import SpecError
from streamkit.spec import EventTime, Spec, Topic, parse, to_ddl

from hdictl import assets
from hdictl.streaming.job import JobSpec
from hdictl.streaming.pipeline import load
from hdictl.streaming.spec import Surroundings, to_document

SOURCE = {"kafka": {"bootstrap": "broker:9092", "topic": "in"}, "columns": {"id": "STRING"}}
SINK = {"kafka": {"bootstrap": "broker:9092", "topic": "out"}, "key": ["id"]}
FLOW = {"sink": "out", "sql": "SELECT * FROM events"}


def document(**changes: object) -> dict:
    made = {
        "version": 2,
        "pipeline": "p",
        "job": "j",
        "storage": "file:///s",
        "sources": {"events": SOURCE},
        "flows": {"counts": FLOW},
        "sinks": {"out": SINK},
    }
    return {**made, **changes}


def parsed(**changes: object) -> Spec:
    return parse(json.dumps(document(**changes)))


def of_a_pipeline(name: str, **changes: object) -> Spec:
    pipeline = load(assets.pipeline(name))
    job = JobSpec(
        name="a-job",
        pipeline=pipeline.folder,
        bootstrap="broker:9092",
        reads={name: f"topic-{name}" for name, source in pipeline.document.sources.items() if source.sink is None},
        writes={name: f"topic-{name}" for name, sink in pipeline.document.sinks.items() if sink.format == "kafka"},
        **changes,
    )
    return parse(json.dumps(to_document(pipeline, job, Surroundings("file:///s", progress_file="p.jsonl"))))


def test_the_job_reads_what_hdictl_writes():
    spec = of_a_pipeline("page_activity", trigger_ms=500, max_offsets_per_trigger=7, group="stack.job")
    source = spec.sources["page_views"]
    assert (spec.pipeline, spec.job, spec.storage) == ("page_activity", "a-job", "file:///s")
    assert (spec.trigger, spec.group, spec.progress_file) == ("500 milliseconds", "stack.job", "p.jsonl")
    assert source.kafka == Topic("broker:9092", "topic-page_views")
    assert source.dead_letters == Topic("broker:9092", "topic-dead_letters")
    assert source.event_time == EventTime("event_time", "600000 milliseconds", None, 3_600_000, None)
    assert source.required == ["event_id", "event_type", "event_time"]
    assert source.deduplicate == ["event_id"]
    assert (source.max_offsets_per_trigger, source.fail_on_data_loss) == (7, True)
    assert spec.sources["minutes"].kafka.topic == "topic-activity"
    assert list(spec.flows) == ["page_activity", "top_pages", "sessions"]
    assert spec.sinks["activity"].key == ["page", "window_start"]
    assert spec.parameters == {"top": 3, "session_gap": "30 minutes"}
    assert spec.fingerprint


@pytest.mark.parametrize("folder", sorted(assets.pipeline(".").glob("*/pipeline.yaml")), ids=lambda f: f.parent.name)
def test_the_job_reads_what_hdictl_writes_of_every_pipeline_that_ships(folder):
    spec = of_a_pipeline(folder.parent.name)
    assert set(spec.flows) == set(load(folder.parent).document.flows)
    assert all(source.columns for source in spec.sources.values())


def test_formats_have_what_only_they_need():
    avro = of_a_pipeline("sales_enrich").sources["sales"]
    assert avro.writers is not None
    assert list(avro.writers.schemas) == ["1", "2"]
    text = of_a_pipeline("access_log_rollup").sources["access_log"]
    assert text.pattern is not None
    assert (text.nothing, "(?P<" in text.pattern) == ("-", False)
    assert of_a_pipeline("order_queue").sources["orders"].kafka.topics == ["topic-orders", "topic-retries"]


def test_what_is_left_out_has_a_default():
    spec = parsed()
    source = spec.sources["events"]
    assert (source.format, source.starting_offsets, source.fail_on_data_loss) == ("json", "earliest", True)
    assert (spec.trigger, spec.group, spec.tables, spec.parameters) == ("1 second", None, {}, {})


def test_columns_as_spark_writes_them():
    assert to_ddl({"a": "STRING", "b c": "BIGINT"}) == "`a` STRING, `b c` BIGINT"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"version": 1}, "not a job document of version 2"),
        ({"version": None}, "not a job document of version 2"),
        ({"sources": {}}, "sources: at least one is needed"),
        ({"flows": {}}, "flows: at least one is needed"),
        ({"sinks": {}}, "sinks: at least one is needed"),
        ({"sources": [SOURCE]}, "sources: not a map"),
        ({"sources": {"a": None}}, "sources.a: missing"),
        ({"sources": {"a": {}}}, "sources.a.kafka: missing"),
        ({"sources": {"a": {**SOURCE, "kafka": {"topic": "t"}}}}, "sources.a.kafka: .*bootstrap"),
        ({"sources": {"a": {**SOURCE, "colour": "red"}}}, "sources.a: unknown colour"),
        ({"sources": {"a": {**SOURCE, "event_time": {"columm": "x"}}}}, "sources.a.event_time: unknown columm"),
        ({"sources": {"a": {**SOURCE, "writers": []}}}, "sources.a.writers: missing"),
        ({"sources": {"a": {**SOURCE, "dead_letters": {"topic": "t"}}}}, "sources.a.dead_letters: .*bootstrap"),
        ({"sinks": {"out": 7}}, "sinks.out: missing"),
        ({"sinks": {"out": {"format": "kafka"}}}, "sinks.out.kafka: a topic for the format kafka, and for no other"),
        ({"sinks": {"out": {**SINK, "format": "parquet"}}}, "sinks.out.kafka: a topic for the format kafka"),
        ({"sinks": {"other": SINK}}, "flows.counts: there is no sink out"),
        ({"flows": {"counts": {"sink": "out"}}}, "flows.counts: either sql or python"),
        ({"flows": {"counts": {**FLOW, "python": "x"}}}, "flows.counts: either sql or python"),
        ({"flows": {"counts": {"sql": "SELECT 1"}}}, "flows.counts: .*sink"),
        ({"tables": {"t": {"format": "csv"}}}, "tables.t: .*path"),
        ({"extra": 1}, "document: unknown extra"),
    ],
)
def test_another_document_is_refused(changes, message):
    with pytest.raises(SpecError, match=message):
        parsed(**changes)


@pytest.mark.parametrize(
    ("text", "message"), [("rubbish", "not JSON"), ("[]", "not a job document"), ("7", "not a job")]
)
def test_what_is_no_document_is_refused(text, message):
    with pytest.raises(SpecError, match=message):
        parse(text)


def test_a_part_that_is_missing_is_named():
    without = document()
    del without["storage"]
    with pytest.raises(SpecError, match=r"document: .*storage"):
        parse(json.dumps(without))
