"""Schemas of records as columns of Spark."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hdictl.errors import PipelineInvalid
from hdictl.streaming.record_schema import RecordSchema, read_record_schema


def of_json(properties: object, required: object = ()) -> RecordSchema:
    document = {"properties": properties, "required": required}
    return read_record_schema(Path("schemas/event.json"), json.dumps(document))


def of_avro(*fields: dict) -> RecordSchema:
    document = {"type": "record", "name": "Event", "fields": list(fields)}
    return read_record_schema(Path("schemas/event.avsc"), json.dumps(document))


def test_json_types_as_columns():
    properties = {
        "a": {"type": "string"},
        "b": {"type": "array", "items": {"type": "integer"}},
        "c": {"type": "object", "properties": {"d": {"type": "number"}, "e": {"type": "boolean"}}},
        "f": {"type": ["string", "null"]},
        "g": {"type": ["null", "array"], "items": {"type": ["integer", "null"]}},
    }
    schema = of_json(properties, ["a"])
    assert schema.columns == {
        "a": "STRING",
        "b": "ARRAY<BIGINT>",
        "c": "STRUCT<`d`: DOUBLE, `e`: BOOLEAN>",
        "f": "STRING",
        "g": "ARRAY<BIGINT>",
    }
    assert schema.required == ("a",)


@pytest.mark.parametrize(
    ("properties", "required", "message"),
    [
        ({"a": {"type": "date"}}, [], "`a` has the type `date`"),
        ({"a": {}}, [], "`a` has the type `None`"),
        ({"a": True}, [], "`a` has the type `True`"),
        ({"a": {"type": ["string", "integer"]}}, [], "`a` has the type `string or integer`"),
        ({"a": {"type": {"b": 1}}}, [], "which has no column type"),
        ({"a": {"type": "array"}}, [], "`a` has the type `None`"),
        ({"a": {"type": "string"}}, ["b"], "`b` is required and not among the `properties`"),
        ({"a": {"type": "string"}}, "a", "`a` is required and not among"),
        ([], [], "not a JSON Schema of an object with `properties`"),
    ],
)
def test_what_has_no_columns_is_refused(properties, required, message):
    with pytest.raises(PipelineInvalid) as failure:
        of_json(properties, required)
    assert str(failure.value).startswith("schemas/event.json: ")
    assert message in failure.value.what
    assert failure.value.fix


def test_avro_types_as_columns():
    schema = of_avro(
        {"name": "id", "type": "string"},
        {"name": "n", "type": "int"},
        {"name": "at", "type": {"type": "long", "logicalType": "timestamp-millis"}},
        {"name": "day", "type": {"type": "int", "logicalType": "date"}},
        {"name": "ms", "type": "long"},
        {"name": "x", "type": ["null", "double"]},
        {"name": "kind", "type": {"type": "enum", "name": "Kind", "symbols": ["A"]}},
        {"name": "place", "type": {"type": "record", "name": "Place", "fields": [{"name": "x", "type": "long"}]}},
        {"name": "either", "type": ["string", "long"]},
        {"name": "raw", "type": "bytes"},
    )
    assert schema.columns == {
        "id": "STRING",
        "n": "INT",
        "at": "TIMESTAMP",
        "day": "DATE",
        "ms": "BIGINT",
        "x": "DOUBLE",
        "kind": "STRING",
        "place": "STRUCT",
        "either": "STRUCT",
        "raw": "BINARY",
    }


ARRAY, MAP = {"type": "array", "items": "string"}, {"type": "map", "values": "long"}


@pytest.mark.parametrize(
    ("kind", "named"),
    [
        (ARRAY, "array"),
        (MAP, "map"),
        (["null", ARRAY], "array"),
        ({"type": "record", "name": "Inner", "fields": [{"name": "deep", "type": ["null", MAP]}]}, "map"),
    ],
)
def test_an_avro_collection_is_refused_for_what_a_broken_record_could_claim(kind, named):
    with pytest.raises(PipelineInvalid) as failure:
        of_avro({"name": "id", "type": "string"}, {"name": "tags", "type": kind})
    assert failure.value.what.startswith(f"`tags` has the type `{named}`: one broken record could take all memory")
    assert "format json" in (failure.value.fix or "")


def test_an_avro_field_is_required_when_it_cannot_be_null():
    schema = of_avro(
        {"name": "a", "type": ["null", "string"]}, {"name": "b", "type": "long"}, {"name": "c", "type": "null"}
    )
    assert schema.required == ("b",)


def test_an_avro_schema_of_which_all_may_be_null_is_refused():
    with pytest.raises(PipelineInvalid, match="a broken record could not be told from a good one"):
        of_avro({"name": "a", "type": ["null", "string"]})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not JSON"),
        ('"string"', "not the Avro schema of a record"),
        ('{"type": "record"}', "not an Avro schema"),
        ('{"type": "record", "name": "E", "fields": [{"name": "a", "type": "strng"}]}', "not an Avro schema"),
        ("[]", "not the Avro schema of a record"),
    ],
)
def test_what_is_no_avro_schema_is_refused(text, message):
    with pytest.raises(PipelineInvalid) as failure:
        read_record_schema(Path("schemas/event.avsc"), text)
    assert str(failure.value).startswith("schemas/event.avsc: ")
    assert message in failure.value.what
