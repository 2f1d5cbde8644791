"""Avro, plain and with a registry's five bytes in front."""

from __future__ import annotations

import json
import struct
from io import BytesIO

import fastavro
import pytest

from tests.acceptance.streamkit import given
from tests.acceptance.streamkit.streams import SENT_AT, START, a_source, decoded, judgements

V1 = {
    "type": "record",
    "name": "Sale",
    "fields": [{"name": "id", "type": "string"}, {"name": "at", "type": "long"}, {"name": "cents", "type": "long"}],
}
V2 = {
    **V1,
    "fields": [
        {"name": "note", "type": ["null", "string"], "default": None},
        *V1["fields"],
        {"name": "channel", "type": "string", "default": "store"},
    ],
}
COLUMNS = {"note": "STRING", "id": "STRING", "at": "BIGINT", "cents": "BIGINT", "channel": "STRING"}
SALE = {"id": "s", "at": START, "cents": 3}
LONGEST_STRING = b"\xfe\xff\xff\xff\x0f"  # 2,147,483,647 bytes, it says


def written(schema: dict, value: dict, schema_id: int | None = None) -> bytes:
    content = BytesIO()
    fastavro.schemaless_writer(content, fastavro.parse_schema(schema), value)
    return (b"" if schema_id is None else header(schema_id)) + content.getvalue()


def header(schema_id: int) -> bytes:
    return b"\x00" + struct.pack(">I", schema_id)


@pytest.fixture(scope="module")
def plain():
    from streamkit.spec import EventTime

    event_time = EventTime("at", "1 minute", max_ahead_ms=0)
    return a_source(COLUMNS, format="avro", schema=json.dumps(V2), required=["id", "at"], event_time=event_time)


@pytest.fixture(scope="module")
def registered(plain):
    from dataclasses import replace

    from streamkit.spec import Writers

    # The second is an id whose four bytes are a high number and none that a signed integer has.
    return replace(plain, writers=Writers({"1": json.dumps(V1), "4294967295": json.dumps(V2)}))


def test_a_plain_record(spark, plain):
    [row] = decoded(spark, plain, written(V2, {**SALE, "note": "n", "channel": "web"}))
    assert (row._error, row.note, row.id, row.at, row.cents, row.channel) == (None, "n", "s", START, 3, "web")


def test_each_record_is_read_by_the_schema_it_was_written_with_and_gets_the_default_of_the_other(spark, registered):
    rows = decoded(spark, registered, written(V1, SALE, 1), written(V2, {**SALE, "channel": "web"}, 4294967295))
    assert [(row._error, row.id, row.cents, row.note, row.channel) for row in rows] == [
        (None, "s", 3, None, "store"),
        (None, "s", 3, None, "web"),
    ]
    assert "_schema_id" not in rows[0].asDict()


def test_what_cannot_be_used_says_why(spark, registered):
    good = written(V1, SALE, 1)
    errors = {
        None: "tombstone",
        b"": "empty",
        b"\x00\x00": "bad_header",
        b"\x01" + good[1:]: "bad_header",
        json.dumps(SALE).encode(): "bad_header",
        header(7) + good[5:]: "unknown_schema:7",
        header(4294967294) + good[5:]: "unknown_schema:4294967294",
        header(1): "malformed",
        good[:-1]: "malformed",
        good[:8]: "malformed",
        header(1) + LONGEST_STRING + b"xxx": "malformed",
        header(1) + b"\x01" + good[6:]: "malformed",  # a length below zero
        header(1) + b"\xff" * 20: "malformed",
        written(V1, {**SALE, "at": SENT_AT + 1}, 1): "event_time:in_the_future",
        written(V1, {**SALE, "at": 2**62}, 1): "event_time:out_of_range",
    }
    assert [row._error for row in decoded(spark, registered, *errors, good)] == [*errors.values(), None]
    is_dead = [dead for _is_tombstone, dead in judgements(spark, registered, *errors, good)]
    assert is_dead == [error != "tombstone" for error in errors.values()] + [False]


def test_a_plain_record_that_cannot_be_used(spark, plain):
    good = written(V2, SALE)
    values = {b"": "empty", b"x": "malformed", good[:-2]: "malformed", b"\x02" + LONGEST_STRING: "malformed"}
    assert [row._error for row in decoded(spark, plain, *values, good)] == [*values.values(), None]


def test_a_text_of_two_gigabytes_that_is_none_does_not_end_the_job(spark, plain):
    """The process lives on, because a limit of Avro is set: without it, it would ask for two gigabytes and die."""
    options = spark.sparkContext.getConf().get("spark.driver.extraJavaOptions")
    assert all(option in options for option in given.spark()["safe"])
    [row] = decoded(spark, plain, b"\x00" + LONGEST_STRING)
    assert row._error == "malformed"
    assert spark.range(3).count() == 3


def test_a_schema_of_which_every_field_may_be_null_is_refused(spark):
    from streamkit.errors import SpecError

    schema = {"type": "record", "name": "E", "fields": [{"name": "a", "type": ["null", "string"]}]}
    with pytest.raises(SpecError, match="a field that is never null"):
        decoded(spark, a_source({"a": "STRING"}, format="avro", schema=json.dumps(schema)), b"\x00")
