"""Records to JSON lines and back; values are JSON, text or, when the topic names a schema, Avro."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from hdictl.errors import BadRecord, UsageError
from hdictl.ports.kafka import Record

_CONFLUENT_HEADER = 5  # a zero byte and a four-byte schema id before the Avro body


def codec_for(schema: Path | None) -> Codec:
    if schema is None:
        return Codec(None)
    from fastavro.schema import SchemaParseException, UnknownType, parse_schema

    try:
        return Codec(parse_schema(json.loads(schema.read_text(encoding="utf-8"))))
    except FileNotFoundError:
        raise UsageError(
            "the schema file does not exist", where=str(schema), fix="mend `schema` of the topic"
        ) from None
    except (SchemaParseException, UnknownType, ValueError) as error:
        raise UsageError(f"not an Avro schema: {error}", where=str(schema), fix="mend the schema") from None


class Codec:
    def __init__(self, schema: Any | None) -> None:
        self._schema = schema

    def to_line(self, record: Record) -> dict[str, Any]:
        """A record as `tail` prints it and `produce` takes it back."""
        line = {
            "partition": record.partition,
            "offset": record.offset,
            "timestamp": record.timestamp,
            "key": _readable(record.key),
            "value": self._decoded(record),
        }
        if record.headers:
            line["headers"] = {name: _readable(value) for name, value in record.headers}
        return line

    def from_lines(
        self, lines: Iterable[bytes], *, values_only: bool, name: str
    ) -> Iterator[tuple[bytes | None, bytes | None]]:
        """Key and value of each line; a line that cannot be used ends it, with its number."""
        given = 0
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                record = self._record(line, values_only=values_only)
            except (ValueError, TypeError) as error:
                raise BadRecord(
                    f"{error}; {given} records before it are written",
                    where=f"{name}, line {number}",
                    fix='write one JSON object a line, {"key": …, "value": …}, or use --values',
                ) from None
            given += 1
            yield record

    def _record(self, line: bytes, *, values_only: bool) -> tuple[bytes | None, bytes | None]:
        if values_only and self._schema is None:
            return None, line.rstrip(b"\r\n")
        try:
            parsed = json.loads(line)
        except ValueError as error:
            raise ValueError(f"not JSON ({error})") from None
        if values_only:
            return None, self._encoded(parsed)
        if not isinstance(parsed, dict) or "value" not in parsed:
            raise ValueError("no object with a `value`")
        return _bytes(parsed.get("key")), self._encoded(parsed["value"])

    def _encoded(self, value: Any) -> bytes | None:
        if value is None or self._schema is None:
            return _bytes(value)
        from fastavro import schemaless_writer

        buffer = io.BytesIO()
        try:
            schemaless_writer(buffer, self._schema, value)
        except Exception as error:  # fastavro raises whatever a wrong value makes its encoder raise
            raise ValueError(f"does not fit the topic's schema ({error})") from None
        return buffer.getvalue()

    def _decoded(self, record: Record) -> Any:
        if record.value is None or self._schema is None:
            return _readable(record.value)
        for skipped in (0, _CONFLUENT_HEADER) if record.value[:1] == b"\0" else (0,):
            decoded = self._avro(record.value[skipped:])
            if decoded is not None:
                return decoded
        return {"not_avro": _readable(record.value)}

    def _avro(self, body: bytes) -> Any | None:
        from fastavro import schemaless_reader

        buffer = io.BytesIO(body)
        try:
            value = schemaless_reader(buffer, self._schema or {}, None)
        except Exception:  # a foreign record may break the decoder in any way
            return None
        # Bytes left over mean that another schema, or a header, was at work.
        return value if buffer.tell() == len(body) else None


def _readable(raw: bytes | None) -> Any:
    if raw is None:
        return None
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(raw).decode()}
    if text[:1] in ("{", "["):
        try:
            return json.loads(text)
        except ValueError:
            return text
    return text


def _bytes(value: Any) -> bytes | None:
    """What `_readable` gave, back to bytes; text stays text, everything else is JSON."""
    if value is None:
        return None
    if isinstance(value, str):
        return value.encode("utf-8")
    if isinstance(value, dict) and set(value) == {"base64"}:
        return base64.b64decode(value["base64"], validate=True)
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
