"""`hdictl pipeline`, as a person types it: from a new pipeline to a green one, and what is said on the way."""

from __future__ import annotations

import json
from pathlib import Path

from tests.workspace import Workspace

EXPECTED = Path("pipelines/mine/fixtures/expected")


def test_a_new_pipeline_is_green(workspace: Workspace):
    workspace.run("pipeline", "new", "mine").ok()
    trial = workspace.run("pipeline", "test", "--json").ok().json
    assert trial["is_green"]
    assert [each["pipeline"] for each in trial["trials"]] == ["mine"]
    assert [flow["name"] for flow in trial["trials"][0]["flows"]] == ["counts", "dead_letters"]


def test_a_red_trial_shows_what_is_missing_and_what_is_too_much_and_an_update_makes_it_green(workspace: Workspace):
    workspace.run("pipeline", "new", "mine").ok()
    rows, counts = workspace.folder / EXPECTED / "counts.jsonl", workspace.folder / EXPECTED / "counts.json"
    right = json.loads(rows.read_text())
    rows.write_text(json.dumps({**right, "kind": "z"}))
    counts.write_text(json.dumps({"counts": {"late_rows": 7}}))
    red = workspace.run("pipeline", "test", "mine").failed(4, "✗ mine", "mine: what came is not what is expected")
    text = " ".join((red.out + red.err).split())
    assert '- {"events"' in text
    assert '"kind": "z"' in text.partition("+ {")[0]
    assert '"kind": "a"' in text.partition("+ {")[2]
    assert "late_rows: 7 expected, 1 came" in text
    assert "hdictl pipeline test --update" in text
    workspace.run("pipeline", "test", "mine", "--update").ok()
    assert json.loads(rows.read_text()) == right
    assert json.loads(counts.read_text())["counts"]["late_rows"] == 1


def test_a_query_that_names_a_column_nobody_has_is_told_in_one_line(workspace: Workspace):
    workspace.run("pipeline", "new", "mine").ok()
    query = workspace.folder / "pipelines" / "mine" / "transform.sql"
    query.write_text(query.read_text().replace("kind", "kidn"))
    failure = workspace.run("pipeline", "test", "mine").failed(4, "mine/transform.sql: ", "kidn")
    assert "Py4JJavaError" not in failure.err
    assert len(failure.err.splitlines()) < 12


def test_a_fixture_that_is_wrong_is_named_by_file_and_line(workspace: Workspace):
    workspace.run("pipeline", "new", "mine").ok()
    fixtures = workspace.folder / "pipelines" / "mine" / "fixtures" / "input.jsonl"
    fixtures.write_text('{"value": "x"}\n{"vaule": "x"}\n')
    workspace.run("pipeline", "test", "mine").failed(4, "fixtures/input.jsonl:2:", "`value` is missing")


def test_a_pipeline_that_is_not_there_is_asked_back(workspace: Workspace):
    workspace.run("pipeline", "test", "page_activty").failed(4, "(did you mean `page_activity`?)")


def test_a_name_that_cannot_be_one_and_one_that_is_taken(workspace: Workspace):
    workspace.run("pipeline", "new", "my-errors").failed(2, "`my-errors` cannot be a pipeline's name")
    workspace.run("pipeline", "new", "mine").ok()
    workspace.run("pipeline", "new", "mine").failed(2, "is there already")
