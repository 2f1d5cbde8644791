"""Records to JSON lines and back."""

from __future__ import annotations

import io
import json

import pytest
from fastavro import parse_schema, schemaless_writer
from hypothesis import given
from hypothesis import strategies as st

from hdictl.drivers.kafka.codec import Codec, codec_for
from hdictl.errors import BadRecord, UsageError
from hdictl.ports.kafka import Record

SCHEMA = {
    "type": "record",
    "name": "View",
    "fields": [{"name": "page", "type": "string"}, {"name": "at", "type": "long"}],
}


def record(key: bytes | None, value: bytes | None) -> Record:
    return Record(0, 7, 1_700_000_000_000, key, value)


@given(key=st.none() | st.binary(), value=st.none() | st.binary())
def test_what_tail_prints_produce_writes_back(key, value):
    """Byte for byte, unless it was JSON: then the same value, as JSON without spaces."""
    line = json.dumps(Codec(None).to_line(record(key, value))).encode()
    ((key_again, value_again),) = Codec(None).from_lines([line], values_only=False, name="stdin")
    for before, after in ((key, key_again), (value, value_again)):
        if before is not None and before[:1] in (b"{", b"["):
            assert Codec(None).to_line(record(None, after)) == Codec(None).to_line(record(None, before))
        else:
            assert after == before


def avro(value: dict) -> bytes:
    buffer = io.BytesIO()
    schemaless_writer(buffer, parse_schema(SCHEMA), value)
    return buffer.getvalue()


@pytest.fixture
def codec(tmp_path):
    file = tmp_path / "view.avsc"
    file.write_text(json.dumps(SCHEMA))
    return codec_for(file)


def test_avro_is_decoded_with_and_without_a_registry_header(codec):
    value = {"page": "/a", "at": 5}
    assert codec.to_line(record(None, avro(value)))["value"] == value
    assert codec.to_line(record(None, b"\0\0\0\0\x07" + avro(value)))["value"] == value
    assert codec.to_line(record(None, None))["value"] is None


def test_what_is_not_avro_is_shown_as_it_is(codec):
    assert codec.to_line(record(None, b"plain"))["value"] == {"not_avro": "plain"}


def test_avro_is_encoded(codec):
    lines = [b'{"key": "k", "value": {"page": "/a", "at": 5}}\n']
    assert list(codec.from_lines(lines, values_only=False, name="f")) == [(b"k", avro({"page": "/a", "at": 5}))]


@pytest.mark.parametrize("line", [b"{", b"[]", b'{"key": 1}', b'"text"'])
def test_a_bad_line_is_named(line):
    lines = [b'{"value": 1}', b"\n", line]
    with pytest.raises(BadRecord) as bad:
        list(Codec(None).from_lines(lines, values_only=False, name="in.jsonl"))
    assert bad.value.where == "in.jsonl, line 3"


def test_a_value_that_does_not_fit_the_schema_is_named(codec):
    with pytest.raises(BadRecord, match="does not fit the topic's schema"):
        list(codec.from_lines([b'{"value": {"page": 5}}'], values_only=False, name="f"))


def test_values_only_takes_lines_as_they_are():
    assert list(Codec(None).from_lines([b"a b\r\n", b"c"], values_only=True, name="f")) == [
        (None, b"a b"),
        (None, b"c"),
    ]


def test_a_missing_or_broken_schema_is_named(tmp_path):
    with pytest.raises(UsageError, match="does not exist"):
        codec_for(tmp_path / "none.avsc")
    (tmp_path / "bad.avsc").write_text("{")
    with pytest.raises(UsageError, match="not an Avro schema"):
        codec_for(tmp_path / "bad.avsc")
