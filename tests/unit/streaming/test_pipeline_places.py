"""Where pipelines are, how one is made, and how what came becomes what is expected."""

from __future__ import annotations

import json

import pytest

from hdictl import assets
from hdictl.drivers.pipeline_folders import (
    find_pipeline,
    new_pipeline,
    own_pipelines,
    shipped_pipelines,
    write_expected,
)
from hdictl.errors import PipelineInvalid, UsageError
from hdictl.streaming.fixtures import read_fixtures
from hdictl.streaming.pipeline import load


def test_a_pipeline_is_found_by_its_name_the_stacks_own_first(tmp_path):
    assert find_pipeline("page_activity", tmp_path) == assets.pipeline("page_activity")
    own = new_pipeline("page_activity", tmp_path)
    assert find_pipeline("page_activity", tmp_path) == own


def test_a_pipeline_is_found_by_its_folder(tmp_path):
    own = new_pipeline("mine", tmp_path)
    assert find_pipeline(str(own), tmp_path / "elsewhere") == own


def test_one_that_is_not_there_is_asked_back(tmp_path):
    new_pipeline("mine", tmp_path)
    with pytest.raises(PipelineInvalid) as failure:
        find_pipeline("page_activty", tmp_path)
    assert failure.value.what == "there is no pipeline `page_activty` (did you mean `page_activity`?)"
    assert failure.value.where == str(tmp_path / "pipelines")
    assert failure.value.fix.startswith("there are: mine, access_log_rollup, ")
    assert failure.value.fix.endswith("make one: hdictl pipeline new page_activty")


def test_folders_without_a_pipeline_are_none(tmp_path):
    assert own_pipelines(tmp_path) == []
    (tmp_path / "pipelines" / "empty").mkdir(parents=True)
    new_pipeline("b", tmp_path)
    new_pipeline("a", tmp_path)
    assert [folder.name for folder in own_pipelines(tmp_path)] == ["a", "b"]
    assert len(shipped_pipelines()) == 5


def test_a_new_pipeline_is_sound_and_has_its_name(tmp_path):
    folder = new_pipeline("page_errors", tmp_path)
    assert folder == tmp_path / "pipelines" / "page_errors"
    pipeline = load(folder)
    assert pipeline.document.name == "page_errors"
    assert read_fixtures(pipeline).records
    assert [each.name for each in folder.parent.iterdir()] == ["page_errors"]


def test_what_is_there_is_not_written_over(tmp_path):
    folder = new_pipeline("mine", tmp_path)
    (folder / "transform.sql").write_text("SELECT 1")
    with pytest.raises(UsageError, match="is there already"):
        new_pipeline("mine", tmp_path)
    assert (folder / "transform.sql").read_text() == "SELECT 1"


def test_what_a_crash_has_left_is_in_nobodys_way(tmp_path):
    (tmp_path / "pipelines" / ".mine.draft").mkdir(parents=True)
    assert load(new_pipeline("mine", tmp_path)).document.name == "mine"
    assert [folder.name for folder in own_pipelines(tmp_path)] == ["mine"]


def test_what_came_becomes_what_is_expected(tmp_path):
    folder = new_pipeline("mine", tmp_path)
    rows = {"counts": [{"b": 2, "a": "z\u2028"}, {"a": "a"}], "dead_letters": [{"value": "z"}, {"value": "a"}]}
    written = write_expected(folder, rows, json.dumps({"counts": {"valid": 2}}))
    assert [file.name for file in written] == ["counts.jsonl", "dead_letters.jsonl", "counts.json"]
    # Rows in an order that does not depend on chance; letters in that of their topic.
    assert written[0].read_text() == '{"a": "a"}\n{"a": "z\u2028", "b": 2}\n'
    expected = read_fixtures(load(folder)).expected
    assert expected.rows["counts"] == [{"a": "a"}, {"b": 2, "a": "z\u2028"}]
    assert expected.letters == rows["dead_letters"]
    assert expected.counts == {"counts": {"valid": 2}}
