"""A pipeline's folder: what is wrong with it is said before Spark is started."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from hdictl import assets
from hdictl.drivers.spark.pipeline import load
from hdictl.drivers.spark.spec import to_columns, to_document
from hdictl.errors import PipelineInvalid
from hdictl.ports.jobs import JobSpec

READS = {"page_views": "page-views"}
WRITES = {"activity": "page-activity", "dead_letters": "page-views-dead"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(assets.pipeline("page_activity"), tmp_path / "page_activity"))


def change(folder: Path, name: str, old: str, new: str) -> None:
    text = (folder / name).read_text()
    assert old in text
    (folder / name).write_text(text.replace(old, new))


def bound(folder: Path, reads: dict[str, str] = READS, writes: dict[str, str] = WRITES) -> dict:
    job = JobSpec("activity", folder, "broker:9092", reads, writes)
    return to_document(load(folder), job, storage="s", progress_file=None)


def test_every_pipeline_that_ships_is_sound():
    folders = [path.parent for path in assets.pipeline(".").glob("*/pipeline.yaml")]
    assert folders
    for each in folders:
        assert load(each).document.name == each.name


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("pipeline.yaml", "name: page_activity", "name: [", "not YAML"),
        ("pipeline.yaml", "trigger: 10s", "trigger: soon", "trigger: Value error, `soon` is not a duration"),
        ("pipeline.yaml", "trigger: 10s", "trigered: 10s", "trigered: Extra inputs are not permitted"),
        ("pipeline.yaml", "format: json", "format: xml", "sources.page_views.format: Input should be 'json'"),
        ("pipeline.yaml", "sink: activity", "sink: activty", "no sink `activty` (did you mean `activity`?)"),
        ("pipeline.yaml", "    key: [page, window_start]", "    key: []", "sinks.activity: `key` is missing"),
        ("pipeline.yaml", "transform: transform.sql", "transform: other.sql", "cannot be read: No such file"),
        (
            "pipeline.yaml",
            "column: event_time",
            "column: event_tim",
            "(did you mean `event_time`?)",
        ),
        ("schemas/page_view.json", '"properties"', '"props"', "not a JSON Schema of an object with `properties`"),
        ("schemas/page_view.json", "{", "", "not JSON"),
        ("schemas/page_view.json", '"type": "integer"', '"type": "date"', "`event_time` has the type `date`"),
        ("schemas/page_view.json", '["event_id", ', "[", "`event_id` is used as event time or to find repeated events"),
    ],
)
def test_what_is_wrong_is_named(folder, name, old, new, message):
    change(folder, name, old, new)
    with pytest.raises(PipelineInvalid) as failure:
        bound(folder)
    assert message in str(failure.value)
    assert str(folder) in str(failure.value)
    assert failure.value.fix


def test_a_folder_without_a_pipeline(tmp_path):
    with pytest.raises(PipelineInvalid, match="cannot be read"):
        load(tmp_path)


def test_an_input_without_a_topic_says_what_to_write(folder):
    with pytest.raises(PipelineInvalid) as failure:
        bound(folder, reads={})
    assert failure.value.fix == "name it in the job: `reads: {page_views: TOPIC}`"


def test_an_output_that_the_pipeline_does_not_have(folder):
    with pytest.raises(PipelineInvalid, match="no sink `dead_leters`"):
        bound(folder, writes={**WRITES, "dead_leters": "x"})


def test_columns_of_every_type():
    schema = {
        "properties": {
            "a": {"type": "string"},
            "b": {"type": "array", "items": {"type": "integer"}},
            "c": {"type": "object", "properties": {"d": {"type": "number"}, "e": {"type": "boolean"}}},
        }
    }
    columns = to_columns(schema, Path("s.json"))
    assert columns == "`a` STRING, `b` ARRAY<BIGINT>, `c` STRUCT<`d`: DOUBLE, `e`: BOOLEAN>"


def test_the_document_is_plain_json(folder):
    made = bound(folder)
    assert json.loads(json.dumps(made)) == made
