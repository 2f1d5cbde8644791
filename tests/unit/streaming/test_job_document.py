"""A pipeline bound to topics, as the document that a job gets."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from hdictl import assets
from hdictl.errors import PipelineInvalid
from hdictl.streaming.job import JobSpec
from hdictl.streaming.pipeline import load
from hdictl.streaming.spec import Surroundings, to_document, to_java_pattern
from tests.unit.streaming.edit import change

WRITES = {name: f"t-{name}" for name in ("activity", "top_pages", "sessions", "dead_letters")}
JOB = JobSpec("activity", assets.pipeline("page_activity"), "broker:9092", {"page_views": "views"}, WRITES)
PLACE = Surroundings("file:///s")


def without(sink: str) -> dict[str, str]:
    return {name: topic for name, topic in WRITES.items() if name != sink}


def bound(job: JobSpec = JOB, place: Surroundings = PLACE) -> dict:
    return to_document(load(job.pipeline), job, place)


def of(name: str, folder: Path | None = None, **changes: object) -> JobSpec:
    pipeline = load(folder or assets.pipeline(name))
    return JobSpec(
        name=name,
        pipeline=pipeline.folder,
        bootstrap="broker:9092",
        reads={name: name for name, source in pipeline.document.sources.items() if source.sink is None},
        writes={name: f"t-{name}" for name, sink in pipeline.document.sinks.items() if sink.format == "kafka"},
        **changes,
    )


def refusal(job: JobSpec) -> PipelineInvalid:
    with pytest.raises(PipelineInvalid) as failure:
        bound(job)
    assert str(job.pipeline) in str(failure.value)
    assert failure.value.fix
    return failure.value


def test_the_document_is_plain_json():
    made = bound()
    assert json.loads(json.dumps(made)) == made


def test_the_pipeline_says_what_the_job_leaves_open():
    made = bound()
    assert (made["trigger"], made["dead_letters_trigger"]) == ("10000 milliseconds", "10000 milliseconds")
    assert made["sources"]["page_views"]["max_offsets_per_trigger"] == 50_000
    assert made["sources"]["page_views"]["starting_offsets"] == "earliest"
    assert made["configuration"] == {"spark.sql.shuffle.partitions": "8"}
    assert made["parameters"] == {"top": 3, "session_gap": "30 minutes"}


def test_the_job_has_the_last_word():
    job = replace(
        JOB,
        trigger_ms=200,
        max_offsets_per_trigger=7,
        starting_offsets={"page_views": "latest"},
        configuration={"spark.sql.shuffle.partitions": "2"},
        parameters={"top": 5},
        group="g",
    )
    made = bound(job, Surroundings("file:///s/", progress_file="p", reader_options={"client.rack": "a"}))
    source = made["sources"]["page_views"]
    assert (made["trigger"], made["group"], made["progress_file"]) == ("200 milliseconds", "g", "p")
    assert (made["dead_letters_trigger"], made["dead_letters_pace"]) == ("5000 milliseconds", 25)
    assert (source["max_offsets_per_trigger"], source["starting_offsets"]) == (7, "latest")
    assert source["kafka"] == {"bootstrap": "broker:9092", "topic": "views", "options": {"client.rack": "a"}}
    assert made["configuration"] == {"spark.sql.shuffle.partitions": "2"}
    assert made["parameters"] == {"top": 5, "session_gap": "30 minutes"}
    made = bound(replace(JOB, is_available_now=True))
    assert (made["trigger"], made["dead_letters_trigger"]) == ("available now", None)


def test_of_a_part_of_the_flows_only_what_they_use_is_bound():
    job = replace(JOB, flows=("sessions",), writes={"sessions": "t", "dead_letters": "d"})
    made = bound(job)
    assert [list(made[part]) for part in ("flows", "sources", "sinks")] == [["sessions"], ["page_views"], ["sessions"]]
    assert bound(of("order_queue", flows=("decided",)))["tables"]
    assert bound(of("ad_click_attribution", flows=("attributed",)))["tables"] == {}


def test_a_source_that_reads_a_sink_of_the_same_pipeline():
    made = bound(replace(JOB, flows=("top_pages",), reads={}))
    assert list(made["sources"]) == ["minutes"]
    assert made["sources"]["minutes"]["kafka"]["topic"] == "t-activity"


def test_what_comes_back_is_read_beside_what_comes():
    made = bound(of("order_queue"))
    assert made["sources"]["orders"]["kafka"]["topic"] == "orders,t-retries"
    assert made["sources"]["orders"]["event_time"]["max_behind_ms"] == 86_400_000


def test_avro_says_what_it_is_read_and_was_written_by():
    source = bound(of("sales_enrich"))["sources"]["sales"]
    assert "channel" in source["schema"]
    assert list(source["writers"]["schemas"]) == ["1", "2"]
    assert "channel" not in source["writers"]["schemas"]["1"]
    assert bound(of("ad_click_attribution"))["sources"]["clicks"]["writers"] is None


def test_text_says_its_groups_in_their_order():
    source = bound(of("access_log_rollup"))["sources"]["access_log"]
    assert list(source["columns"])[:3] == ["client", "user", "logged_at"]
    assert (source["nothing"], source["event_time"]["format"]) == ("-", "dd/MMM/yyyy:HH:mm:ss Z")


def test_a_group_of_python_as_java_writes_it():
    assert to_java_pattern(r"(?P<a_b>\S+) (?:x)?(?P<c>[(?]*)") == r"(\S+) (?:x)?([(?]*)"


def test_a_file_sink_lies_in_the_jobs_folder_unless_the_job_says_where():
    job = of("sales_enrich")
    assert bound(job)["sinks"]["enriched"]["path"] == "file:///s/tables/enriched"
    elsewhere = replace(job, writes={**job.writes, "enriched": "abfs://c@a/sales"})
    assert bound(elsewhere)["sinks"]["enriched"]["path"] == "abfs://c@a/sales"


def test_tables_are_read_where_the_pipeline_or_its_package_is():
    job = of("sales_enrich")
    assert bound(job)["tables"]["products"]["path"] == (job.pipeline / "tables" / "products.csv").resolve().as_uri()
    on_a_cluster = bound(job, Surroundings("s", tables="abfs://c@a/package/"))["tables"]["products"]
    assert on_a_cluster["path"] == "abfs://c@a/package/tables/products.csv"
    assert on_a_cluster["options"] == {"header": "true"}
    assert on_a_cluster["columns"]["product_id"] == "STRING"


def test_a_table_at_an_address_of_its_own(copied):
    folder = copied("sales_enrich")
    change(folder, "pipeline.yaml", "path: tables/products.csv", "path: abfs://c@a/products")
    assert bound(of("", folder), Surroundings("s", tables="t"))["tables"]["products"]["path"] == "abfs://c@a/products"


@pytest.mark.parametrize(
    ("changes", "what", "fix"),
    [
        ({"reads": {}}, "no topic is named for the source `page_views`", "`reads: {page_views: TOPIC}`"),
        ({"writes": {**WRITES, "sessions": "x", "dead_leters": "x"}}, "no sink `dead_leters` (did you mean", "docs/"),
        ({"writes": without("sessions")}, "the sink `sessions`", "`writes: {sessions: TOPIC}`"),
        ({"writes": without("dead_letters")}, "the sink `dead_letters`", "writes:"),
        ({"reads": {"page_view": "t"}}, "no source `page_view` (did you mean `page_views`?)", "docs/"),
        ({"reads": {**JOB.reads, "minutes": "t"}}, "no source `minutes`", "docs/"),
        ({"flows": ("sesions",)}, "no flow `sesions` (did you mean `sessions`?)", "docs/"),
        ({"parameters": {"tap": 1}}, "no parameter `tap` (did you mean `top`?)", "docs/"),
        ({"starting_offsets": {"page_view": "latest"}}, "no source `page_view` (did you mean `page_views`?)", "docs/"),
    ],
)
def test_a_job_that_does_not_fit_its_pipeline_is_refused(changes, what, fix):
    failure = refusal(replace(JOB, **changes))
    assert what in failure.what
    assert fix in failure.fix
    assert str(failure).startswith(str(JOB.pipeline / "pipeline.yaml"))


VIEW, MINUTE = "schemas/page_view.json", "schemas/page_minute.json"
SALE, LINE = "schemas/sale.avsc", "schemas/access_log.json"
SOLD_AT = '"sold_at", "type": '
TIMESTAMP = '{"type": "long", "logicalType": "timestamp-millis"}'


@pytest.mark.parametrize(
    ("pipeline", "edit", "where", "message"),
    [
        ("page_activity", ("pipeline.yaml", "column: event_time", "column: event_tim"), VIEW, "mean `event_time`?)"),
        ("page_activity", ("pipeline.yaml", "[event_id]", "[evnt_id]"), VIEW, "(did you mean `event_id`?)"),
        ("page_activity", (VIEW, '["event_id", ', "["), VIEW, "`event_id` is used as event time or to find repeated"),
        ("page_activity", (VIEW, '"integer"', '"number"'), VIEW, "must be a whole number of milliseconds"),
        (
            "page_activity",
            ("pipeline.yaml", "column: event_time ", "format: yyyy\n      column: event_time "),
            VIEW,
            "must be text, for it has a `format`",
        ),
        (
            "page_activity",
            ("pipeline.yaml", "    event_time: {column: window_start, watermark: 10m}\n", ""),
            MINUTE,
            "`deduplicate` needs an `event_time`",
        ),
        ("sales_enrich", (SALE, SOLD_AT + '"long"', SOLD_AT + TIMESTAMP), SALE, "of the type TIMESTAMP; it must be"),
        ("sales_enrich", (SALE, SOLD_AT + '"long"', SOLD_AT + '["null", "long"]'), SALE, "and is not required"),
        (
            "sales_enrich",
            ("pipeline.yaml", "tables/products.csv", "tables/product.csv"),
            "pipeline.yaml",
            "tables.products: there is no tables/product.csv",
        ),
        ("access_log_rollup", ("pipeline.yaml", "(?P<client>", "("), "pipeline.yaml", "a group has no name"),
        (
            "access_log_rollup",
            ("pipeline.yaml", "(?P<client>", "(?P<clint>"),
            LINE,
            "no property `clint` (did you mean",
        ),
        ("access_log_rollup", ("pipeline.yaml", "(?P<client>", "(?P<client"), "pipeline.yaml", "pattern: "),
        ("access_log_rollup", ("pipeline.yaml", "(?P<micros>", "(?:"), "pipeline.yaml", "no group gives `micros`"),
    ],
)
def test_a_source_that_does_not_fit_its_schema_is_refused_where_it_is_wrong(copied, pipeline, edit, where, message):
    folder = copied(pipeline)
    change(folder, *edit)
    failure = refusal(of(pipeline, folder))
    assert str(failure).startswith(str(folder / where))
    assert message in failure.what


def test_the_same_job_has_the_same_fingerprint_whoever_writes_it_down():
    mark = bound()["fingerprint"]
    assert bound()["fingerprint"] == mark
    assert bound(place=Surroundings("file:///s", progress_file="elsewhere.jsonl"))["fingerprint"] == mark
    turned = replace(JOB, writes=dict(reversed(WRITES.items())))
    assert bound(turned)["fingerprint"] == mark
    assert bound(replace(JOB, bootstrap="one-broker-more:9092"))["fingerprint"] == mark


def test_a_copy_of_the_pipeline_is_the_same_job(copied):
    assert bound(replace(JOB, pipeline=copied("page_activity")))["fingerprint"] == bound()["fingerprint"]


@pytest.mark.parametrize(
    "changes",
    [
        {"name": "other"},
        {"reads": {"page_views": "other"}},
        {"writes": {**WRITES, "activity": "other"}},
        {"flows": ("page_activity",)},
        {"trigger_ms": 1},
        {"is_available_now": True},
        {"max_offsets_per_trigger": 1},
        {"starting_offsets": {"page_views": "latest"}},
        {"parameters": {"top": 4}},
        {"configuration": {"a": "b"}},
        {"group": "g"},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_another_job_has_another_fingerprint(changes):
    assert bound(replace(JOB, **changes))["fingerprint"] != bound()["fingerprint"]


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("page_activity.sql", "count(*)", "count(1)"),
        ("schemas/page_view.json", '"query": {"type": "string"', '"query": {"type": "integer"'),
        ("pipeline.yaml", "watermark: 10m", "watermark: 11m"),
        ("pipeline.yaml", "known_type", "a_known_type"),
        ("pipeline.yaml", "key: [user_id, session_start]", "key: [session_start, user_id]"),
    ],
)
def test_a_pipeline_that_was_changed_makes_another_job(copied, file, old, new):
    folder = copied("page_activity")
    change(folder, file, old, new)
    assert bound(replace(JOB, pipeline=folder))["fingerprint"] != bound()["fingerprint"]
