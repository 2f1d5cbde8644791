"""JSON with lines; and whatever is wrong with a text, there is a finding and no traceback."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hdictl.arm.lint import lint_file_text, lint_text
from hdictl.arm.lint.fields import walk
from hdictl.arm.lint.reading import read
from tests.unit.arm_lint.good import good

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=20,
)


@given(st.dictionaries(st.text(max_size=8), VALUES, max_size=5), st.sampled_from([None, 1, 2]), st.booleans())
def test_reads_what_json_reads(document, indent, ascii_only):
    text = json.dumps(document, indent=indent, ensure_ascii=ascii_only)
    source, repeated = read(text, "t.json")
    assert source.data == document
    assert repeated == ()


def test_every_value_knows_its_line():
    text = json.dumps(good(), indent=2)
    lines = text.splitlines()
    source, _ = read(text, "t.json")
    leaves = [(path, value) for path, value in walk(good(), ()) if not isinstance(value, (dict, list)) and path]
    assert len(leaves) > 300
    for path, value in leaves:
        shown = lines[source.marks[path].line - 1]
        assert f'"{path[-1]}"' in shown or json.dumps(value) in shown, (path, shown)


def test_comments_and_long_text_are_read_as_azure_reads_them():
    text = '{ // a comment\n  /* another\n one */ "a": "two\nlines",\n  "b": 1 }'
    source, _ = read(text, "t.json")
    assert source.data == {"a": "two\nlines", "b": 1}
    assert source.mark(("b",)).line == 5


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("", 1, "ends too early"),
        ("[]", 1, "not an object"),
        ('{\n  "a": 1,\n}', 3, "comma before `}`"),
        ('{\n  "a": [1, 2\n', 2, "the `[` of line 2 is never closed"),
        ('{\n  "a": nope\n}', 2, "a value is expected, `n` is there"),
        ('{"a": 1} x', 1, "`x` comes after the end"),
        ('{\n  a: 1}', 2, "a name in double quotes"),
        ('{"a": 1\n "b": 2}', 2, "`,` or `}` is expected"),
        ('{"a": "\\q"}', 1, "Invalid \\escape"),
        ('{"a":' * 200, 1, "nested deeper"),
    ],
)  # fmt: skip
def test_text_that_is_no_json_is_one_finding(text, line, says):
    [found] = lint_text(text, source="t.json")
    assert (found.rule, found.mark.file, found.mark.line) == ("X001", "t.json", line)
    assert says in found.message


def test_a_name_given_twice():
    text = json.dumps(good(), indent=2).replace('"name": "demo-nat"', '"name": "demo-nat",\n"name": "demo-nat"')
    [found] = lint_text(text)
    assert (found.rule, found.address) == ("X002", "resources[1].name")
    assert '"name"' in text.splitlines()[found.mark.line - 1]


def test_a_parameter_file_that_cannot_be_read():
    [found] = lint_file_text(json.dumps(good()), "{", "t.json")
    assert (found.rule, found.mark.file) == ("X001", "the parameter file")


def test_a_parameter_file():
    parameters = {"$schema": "…", "contentVersion": "1.0.0.0", "parameters": {"location": {"value": "northeurope"}}}
    assert lint_file_text(json.dumps(good()), json.dumps(parameters), "t.json") == ()
    parameters["parameters"]["location"]["value"] = 3
    assert [found.rule for found in lint_file_text(json.dumps(good()), json.dumps(parameters), "t.json")] == ["X022"]
