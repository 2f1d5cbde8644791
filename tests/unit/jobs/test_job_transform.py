"""Parameters in SQL: values, never syntax."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamkit.errors import JobError
from streamkit.transform import first_line, to_literal, with_parameters


@pytest.mark.parametrize(
    ("value", "literal"),
    [
        (True, "TRUE"),
        (False, "FALSE"),
        (3, "3"),
        (-1, "-1"),
        (0.25, "0.25"),
        ("10 minutes", "'10 minutes'"),
        ("", "''"),
        ("it's", r"'it\'s'"),
        ("a\\", r"'a\\'"),
        (r"\'; DROP", r"'\\\'; DROP'"),
        ("ü\n", "'ü\n'"),
    ],
)
def test_a_value_as_sql_writes_it(value, literal):
    assert to_literal(value) == literal


@given(st.text())
def test_no_text_ends_its_literal(text):
    literal = to_literal(text)
    inner, read, place = literal[1:-1], "", 0
    while place < len(inner):
        assert inner[place] != "'"
        place += inner[place] == "\\"
        read += inner[place]
        place += 1
    assert read == text


def test_every_parameter_is_put_in_its_place():
    sql = "SELECT ${a}, ${b} FROM t WHERE x > ${a} AND y = '$' AND z = '{a}'"
    assert with_parameters(sql, {"a": 1, "b": "x"}, "f") == "SELECT 1, 'x' FROM t WHERE x > 1 AND y = '$' AND z = '{a}'"


def test_what_a_parameter_holds_is_no_parameter():
    assert with_parameters("${a}", {"a": "${b}", "b": 1}, "f") == "'${b}'"


def test_a_parameter_that_nobody_has_named():
    with pytest.raises(JobError) as failure:
        with_parameters("SELECT ${top}", {"to": 1}, "p/top.sql")
    assert failure.value.what == "p/top.sql: there is no parameter `top`"
    assert failure.value.fix == "name it under `parameters` of the pipeline"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("\ncannot resolve 'pag';\n'Project [...]\n+- ...", "cannot resolve 'pag'"),
        ("one line", "one line"),
        ("", "ValueError"),
    ],
)
def test_of_what_spark_says_the_first_line(text, line):
    assert first_line(ValueError(text)) == line
