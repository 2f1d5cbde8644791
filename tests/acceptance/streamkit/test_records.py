"""Rows as records of Kafka: keys that tell rows apart, and dead letters that fit into their topic."""

from __future__ import annotations

import base64
from typing import Any

import pytest

ROWS = [
    ("a|b", "c"), ("a", "b|c"), ("a", None), (None, "a"), ("a", ""), ("", "a"), (None, None), ("", ""),
    ("a\\", "b"), ("a", "\\b"), ("a\\|b", None), ("\\N", "a"), ("N", "a"), ("a", "\\\\N"),
]  # fmt: skip


NO_HEADERS = "CAST(NULL AS ARRAY<STRUCT<key: STRING, value: BINARY>>)"


def literal(text: str | None) -> str:
    """Of SQL. (A frame from Python's own values needs a Python worker, which not every Spark has for every Python.)"""
    return f"CAST({binary(None if text is None else text.encode())} AS STRING)"


def binary(content: bytes | None) -> str:
    return "CAST(NULL AS BINARY)" if content is None else f"unbase64('{base64.b64encode(content).decode()}')"


def records(spark: Any, rows: list, flow: str = "flow") -> list[tuple[str, str]]:
    """Key and event id of each row."""
    from streamkit.records import output_records
    from streamkit.spec import Sink

    each = [f"({', '.join(map(literal, row))})" for row in rows]
    table = spark.sql(f"SELECT * FROM VALUES {', '.join(each)} AS t(first, `the second`)")
    found = output_records(table, Sink(key=["first", "the second"]), "p", flow).collect()
    return [(bytes(row.key).decode(), bytes(row.headers[0].value).decode()) for row in found]


def test_rows_with_different_keys_never_share_one(spark):
    assert len({key for key, _identity in records(spark, ROWS)}) == len(ROWS)


def test_ordinary_values_are_written_as_they_are(spark):
    assert records(spark, [("/cart", "1767225780000")]) == [("/cart|1767225780000", "p|flow|/cart|1767225780000")]


def test_what_two_flows_write_to_one_topic_is_told_apart(spark):
    [(key, one)] = records(spark, [("a", "b")], "one")
    [(same, other)] = records(spark, [("a", "b")], "other")
    assert key == same
    assert one != other


def test_a_name_may_have_a_dot_or_a_quote(spark):
    from streamkit.records import output_records
    from streamkit.spec import Sink

    table = spark.sql("SELECT 'a' AS `first.name`, 'b' AS `the``second`")
    [row] = output_records(table, Sink(key=["first.name", "the`second"]), "p", "flow").collect()
    assert bytes(row.key) == b"a|b"
    assert bytes(row.value) == b'{"first.name":"a","the`second":"b"}'


def letter(spark: Any, value: Any, *, key: bytes | None = b"k", own: list | None = None, largest: int = 5_000) -> Any:
    from streamkit.records import dead_letter_records

    headers = [f"named_struct('key', {literal(name)}, 'value', {binary(content)})" for name, content in own or ()]
    rows = spark.sql(f"""
        SELECT named_struct('key', {binary(key)}, 'value', {binary(value)}, 'topic', 'in', 'partition', 2, 'offset', 7L,
                            'timestamp', timestamp_millis(0),
                            'headers', {f"array({', '.join(headers)})" if own else NO_HEADERS}) AS _record,
               'malformed' AS _error""")
    [found] = dead_letter_records(rows, "p", largest).collect()
    return found


def headers(found: Any) -> dict[str, bytes | None]:
    return {each.key: None if each.value is None else bytes(each.value) for each in found.headers}


def size(found: Any) -> int:
    fields = [field for each in found.headers for field in (each.key.encode(), each.value)]
    return sum(len(field) for field in [found.key, found.value, *fields] if field is not None)


TOLD = ["error", "pipeline", "topic", "partition", "offset", "timestamp"]


@pytest.mark.parametrize("value", [b"rubbish", b"", b"\x00" * 2_000], ids=["some", "none", "many"])
def test_a_letter_that_fits_is_the_record_byte_for_byte(spark, value):
    found = letter(spark, value, own=[("trace", b"7"), ("empty", None)])
    assert (bytes(found.key), bytes(found.value)) == (b"k", value)
    assert [each.key for each in found.headers] == ["trace", "empty", *TOLD]


def test_a_record_without_headers_gets_those_of_a_letter(spark):
    assert [each.key for each in letter(spark, b"rubbish").headers] == TOLD


@pytest.mark.parametrize("length", [4_900, 5_000, 1_000_000])
def test_one_that_does_not_fit_keeps_the_first_part_of_its_value_and_says_so(spark, length):
    found = letter(spark, bytes(range(100)) * (length // 100), own=[("trace", b"7")])
    assert bytes(found.key) == b"k"
    assert bytes(found.value).startswith(bytes(range(100)) * 3)
    assert [each.key for each in found.headers] == ["trace", "truncated", *TOLD]
    assert headers(found)["truncated"] == str(length).encode()
    assert size(found) < 5_000


@pytest.mark.parametrize("around", [{"key": b"k" * 4_990}, {"own": [("trace", b"7" * 4_990)]}], ids=["key", "headers"])
def test_a_key_or_headers_that_do_not_fit_are_left_out(spark, around):
    found = letter(spark, b"rubbish", **around)
    assert found.key is None or bytes(found.key) == b"k"
    assert bytes(found.value) == b"rubbish"
    assert [each.key for each in found.headers] == ["truncated", *TOLD]
    assert size(found) < 5_000
