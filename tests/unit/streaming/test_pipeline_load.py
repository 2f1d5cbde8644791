"""A pipeline's folder: what is wrong with it is said before Spark is started."""

from __future__ import annotations

from pathlib import Path

import pytest

from hdictl import assets
from hdictl.errors import PipelineInvalid, UsageError
from hdictl.streaming.pipeline import load, require_name
from tests.unit.streaming.edit import change

SHIPPED = sorted(file.parent for file in assets.pipeline(".").glob("*/pipeline.yaml"))
SINK = "  activity:\n    key: [page, window_start]"


def refusal(folder: Path) -> str:
    with pytest.raises(PipelineInvalid) as failure:
        load(folder)
    assert str(folder) in str(failure.value)
    assert failure.value.fix
    return str(failure.value)


@pytest.mark.parametrize("folder", SHIPPED, ids=lambda folder: folder.name)
def test_every_pipeline_that_ships_is_sound(folder):
    pipeline = load(folder)
    assert pipeline.document.name == folder.name
    assert pipeline.document.description
    assert set(pipeline.transforms) == set(pipeline.document.flows)
    assert set(pipeline.schemas) == set(pipeline.document.sources)


def test_there_are_five():
    assert len(SHIPPED) == 5


@pytest.mark.parametrize(
    ("pipeline", "old", "new", "message"),
    [
        ("page_activity", "name: page_activity", "name: [", "not YAML"),
        ("page_activity", "trigger: 10s", "trigger: soon", "trigger: Value error, `soon` is not a duration"),
        ("page_activity", "trigger: 10s", "trigered: 10s", "trigered: Extra inputs are not permitted"),
        ("page_activity", "format: json", "format: xml", "sources.page_views.format: Input should be 'json'"),
        (
            "page_activity",
            "watermark: 10m",
            "watermerk: 10m",
            "sources.page_views.event_time.watermark: Field required",
        ),
        ("page_activity", "max_offsets_per_trigger: 50000", "max_offsets_per_trigger: 0", "greater than 0"),
        ("page_activity", "top: 3", "top: [3]", "parameters.top"),
        (
            "page_activity",
            "    sink: activity\n  top",
            "    sink: activty\n  top",
            "no sink `activty` (did you mean `activity`?)",
        ),
        ("page_activity", "sink: activity\n    format", "sink: actvity\n    format", "(did you mean `activity`?)"),
        ("page_activity", "dead_letters: dead_letters", "dead_letters: dead_leters", "(did you mean `dead_letters`?)"),
        ("page_activity", SINK, "  activity:\n    key: []", "sinks.activity: `key` is missing"),
        (
            "page_activity",
            SINK,
            "  activity:\n    format: parquet",
            "sources.minutes: the sink `activity` is not a topic",
        ),
        ("page_activity", "transform: sessions.sql", "transform: other.sql", "other.sql: cannot be read: No such file"),
        ("page_activity", "schemas/page_view.json", "schemas/page_vew.json", "page_vew.json: cannot be read: No such"),
        ("page_activity", "schemas/page_view.json", "schemas/page_view.avsc", "has a schema in a .json file"),
        (
            "page_activity",
            "    format: json",
            "    format: avro",
            "a source of the format avro has a schema in a .avsc",
        ),
        ("page_activity", "    format: json", "    format: text", "sources.page_views.pattern: for the format text"),
        (
            "page_activity",
            "    format: json",
            "    format: json\n    pattern: x",
            "for the format text, and for no other",
        ),
        ("page_activity", "    format: json", "    format: json\n    writers: {1: x.avsc}", "only Avro records say"),
        ("page_activity", "  page_views:  ", "  page-views:  ", "sources: `page-views` cannot be a name"),
        ("page_activity", "  sessions:\n    tr", "  my sessions:\n    tr", "flows: `my sessions` cannot be a name"),
        ("order_queue", "feedback: [retries]", "feedback: [retry]", "no sink `retry` (did you mean `retries`?)"),
        ("order_queue", "  catalogue:\n", "  orders:\n", "`orders` is a source and a table: one name, one view"),
        ("sales_enrich", "1: schemas/sale.v1.avsc", "1: schemas/sale.v3.avsc", "sale.v3.avsc: cannot be read"),
        ("sales_enrich", "    sink: revenue", "    sink: enriched", "sinks.enriched: two flows write to it"),
        ("sales_enrich", "schema: schemas/product.json", "schema: schemas/none.json", "none.json: cannot be read"),
    ],
)
def test_what_is_wrong_is_named(copied, pipeline, old, new, message):
    folder = copied(pipeline)
    change(folder, "pipeline.yaml", old, new)
    assert message in refusal(folder)


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("schemas/page_view.json", '"properties"', '"props"', "not a JSON Schema of an object with `properties`"),
        ("schemas/page_view.json", "{", "", "not JSON"),
        ("schemas/page_view.json", '"integer"', '"date"', "`event_time` has the type `date`, which has no column type"),
        ("schemas/page_view.json", '["event_id", ', '["event", ', "`event` is required and not among the `properties`"),
    ],
)
def test_what_is_wrong_in_another_file_is_named_there(copied, file, old, new, message):
    folder = copied("page_activity")
    change(folder, file, old, new)
    said = refusal(folder)
    assert said.startswith(str(folder / file))
    assert message in said


def test_a_folder_without_a_pipeline(tmp_path):
    assert "pipeline.yaml: cannot be read: No such file" in refusal(tmp_path)


@pytest.mark.parametrize("text", ["", "[]", "just words"])
def test_a_file_that_says_something_else(tmp_path, text):
    (tmp_path / "pipeline.yaml").write_text(text)
    assert "document: " in refusal(tmp_path)


def test_a_file_that_is_not_text(copied):
    folder = copied("page_activity")
    (folder / "sessions.sql").write_bytes(b"\xff\xfe")
    assert f"{folder / 'sessions.sql'}: cannot be read: not UTF-8 text" in refusal(folder)


@pytest.mark.parametrize("name", ["", "9lives", "a-b", "a b", "../x", "x" * 65, "ä"])
def test_what_cannot_be_a_name(name):
    with pytest.raises(UsageError) as failure:
        require_name(name)
    assert failure.value.fix == "use letters, digits and _, a letter first"


def test_what_a_transform_speaks_of_without_its_comments(copied):
    folder = copied("page_activity")
    sql = "-- minutes, don't\nSELECT '#--', \"/*\" /* minutes\n */ FROM page_views -- it's minutes\n"
    (folder / "sessions.sql").write_text(sql)
    assert load(folder).inputs_of("sessions", ["page_views", "minutes", "page"]) == {"page_views"}


def test_what_a_transform_in_python_speaks_of(copied):
    folder = copied("ad_click_attribution")
    code = [
        "def transform(inputs, parameters):",
        "    # clicks, don't",
        "    return inputs['impressions'].where(\"'#'\")",
    ]
    (folder / "attributed.py").write_text("\n".join(code))
    assert load(folder).inputs_of("attributed", ["impressions", "clicks"]) == {"impressions"}
