"""Records to try a pipeline with: what they become, and where they are wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hdictl.errors import PipelineInvalid
from hdictl.streaming.fixtures import read_fixtures
from hdictl.streaming.pipeline import load


def given(folder: Path, *lines: object, file: str = "input.jsonl") -> Path:
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    (folder / "fixtures" / file).write_text("\n".join(texts) + "\n")
    return folder


def refusal(folder: Path) -> str:
    with pytest.raises(PipelineInvalid) as failure:
        read_fixtures(load(folder))
    assert failure.value.fix
    return str(failure.value)


def test_values_keys_times_and_batches(copied):
    folder = given(
        copied("page_activity"),
        {"batch": 2, "value": {"a": 1}, "key": "k", "timestamp": 5},
        {"value": "as it is"},
        {"batch": 1, "value": None},
        {"batch": 7, "base64": "AAE="},
        "",
    )
    fixtures = read_fixtures(load(folder))
    sent_at = 1_767_312_000_000
    assert fixtures.batches == (
        {"page_views": [(None, b"as it is", sent_at), (None, None, sent_at)]},
        {"page_views": [(b"k", b'{"a": 1}', 5)]},
        {"page_views": [(None, b"\x00\x01", sent_at)]},
    )
    assert fixtures.records == 4


def test_avro_is_written_by_the_schema_that_a_line_names(copied):
    sale = {"sale_id": "a", "sold_at": 1, "product_id": "p", "store_id": "s", "quantity": 1, "unit_price_cents": 2}
    folder = given(copied("sales_enrich"), {"value": sale, "schema_id": 1}, {"value": {**sale, "channel": "web"}})
    [batch] = read_fixtures(load(folder)).batches
    first, second = (value for _key, value, _time in batch["sales"])
    assert first[:6] == b"\x00\x00\x00\x00\x01\x02"
    assert second[:5] == b"\x00\x00\x00\x00\x02"
    assert second.endswith(b"\x06web")


def test_avro_without_a_registry_is_plain(copied):
    click = {"click_id": "k", "clicked_at": 1, "impression_id": "i"}
    folder = given(copied("ad_click_attribution"), {"source": "clicks", "value": click})
    [batch] = read_fixtures(load(folder)).batches
    assert batch["clicks"][0][1] == b"\x02k\x02\x02i"


@pytest.mark.parametrize(
    ("pipeline", "line", "message"),
    [
        ("page_activity", "rubbish", "not JSON"),
        ("page_activity", "[]", "not a JSON object"),
        ("page_activity", {"vaule": 1}, "`value` is missing"),
        ("page_activity", {"value": "x", "batch": "one"}, "`batch` is not a whole number"),
        ("page_activity", {"value": "x", "timestamp": "yesterday"}, "`timestamp` is not a whole number"),
        ("page_activity", {"value": "x", "key": 7}, "`key` is not a text"),
        ("page_activity", {"base64": "?"}, "`base64` is not base64"),
        ("page_activity", {"base64": 7}, "`base64` is not base64"),
        ("page_activity", {"source": "page_view", "value": "x"}, "no source `page_view` (did you mean `page_views`?)"),
        ("page_activity", {"source": ["x"], "value": "x"}, "there is no source"),
        ("page_activity", {"source": "minutes", "value": "x"}, "there is no source `minutes`"),
        ("ad_click_attribution", {"value": "x"}, "`source` is missing: the pipeline has impressions, clicks"),
        ("ad_click_attribution", {"source": "clicks", "value": {"click_id": 7}}, "`value` does not fit the schema"),
        ("sales_enrich", {"value": {}, "schema_id": 9}, "no writer's schema with the id 9"),
    ],
)
def test_a_line_that_is_wrong_is_named_by_its_number(copied, pipeline, line, message):
    folder = given(copied(pipeline), "", line)
    said = refusal(folder)
    assert said.startswith(f"{folder / 'fixtures' / 'input.jsonl'}:2: ")
    assert message in said


def test_a_pipeline_without_records(copied):
    folder = given(copied("page_activity"), "")
    assert "there is no record to try the pipeline with" in refusal(folder)
    (folder / "fixtures" / "input.jsonl").unlink()
    assert "input.jsonl: cannot be read: No such file" in refusal(folder)


def test_what_is_expected(copied):
    expected = read_fixtures(load(copied("page_activity"))).expected
    assert set(expected.rows) == {"page_activity", "top_pages", "sessions"}
    assert expected.counts["page_activity"]["dead"] == len(expected.letters)


def test_what_nobody_has_written_down_is_not_expected(copied):
    folder = copied("page_activity")
    for file in (folder / "fixtures" / "expected").iterdir():
        file.unlink()
    expected = read_fixtures(load(folder)).expected
    assert (expected.rows, expected.letters, expected.counts) == ({}, None, {})


def test_a_line_ends_where_json_lines_end(copied):
    """Python would end a line at characters that JSON may have within a text."""
    row = '{"page": "a\u2028b\u0085c"}'
    folder = given(copied("page_activity"), row, file="expected/page_activity.jsonl")
    assert read_fixtures(load(folder)).expected.rows["page_activity"] == [{"page": "a\u2028b\u0085c"}]


@pytest.mark.parametrize(
    ("file", "text", "where", "message"),
    [
        ("sessions.jsonl", "{}\nrubbish\n", "sessions.jsonl:2: ", "not JSON"),
        ("dead_letters.jsonl", "7\n", "dead_letters.jsonl:1: ", "not a JSON object"),
        ("counts.json", "[]", "counts.json: ", "not a JSON object"),
        ("counts.json", '{"sesions": {}}', "counts.json: ", "no flow `sesions` (did you mean `sessions`?)"),
        ("counts.json", '{"sessions": 7}', "counts.json: ", "`sessions` has no amounts"),
    ],
)
def test_an_expectation_that_is_wrong_is_named_by_its_file(copied, file, text, where, message):
    folder = copied("page_activity")
    (folder / "fixtures" / "expected" / file).write_text(text)
    said = refusal(folder)
    assert said.startswith(f"{folder / 'fixtures' / 'expected'}/{where}")
    assert message in said


def test_an_expectation_that_is_not_text_is_named(copied):
    folder = copied("page_activity")
    (folder / "fixtures" / "expected" / "counts.json").write_bytes(b"\xff")
    assert "counts.json: cannot be read: not UTF-8 text" in refusal(folder)
