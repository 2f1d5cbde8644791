"""A flow that runs on topics fed by hand, and jobs to try it with. The bench itself is jobs/testkit."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from pathlib import Path
from typing import Any, Union

from tests.acceptance.streamkit import given

MINUTE = 60_000
START = 1_767_225_600_000  # 2026-01-01T00:00Z
SENT_AT = START + 24 * 60 * MINUTE
SHIPPED = sorted(given.pipelines())

Value = Union[str, bytes, dict, None]


def shipped(name: str) -> Any:
    """A pipeline that ships, as the job gets it."""
    from streamkit.spec import parse

    return parse(json.dumps(given.pipelines()[name]))


def a_source(columns: dict[str, str], **parts: Any) -> Any:
    from streamkit.spec import Source, Topic

    return Source(Topic("nowhere:9092", "in"), columns, **parts)


def events(watermark: str = "10 minutes", **parts: Any) -> Any:
    """Records {"id": …, "at": milliseconds, "n": …} with an event time."""
    from streamkit.spec import EventTime

    columns = {"id": "STRING", "at": "BIGINT", "n": "BIGINT"}
    return a_source(columns, event_time=EventTime("at", watermark), required=["id", "at"], **parts)


def a_job(sources: dict[str, Any], sql: str | None = None, python: str | None = None, **parts: Any) -> Any:
    """One flow, `out`, whose rows are looked at as they are."""
    from streamkit.spec import Flow, Sink, Spec

    flow = Flow("out", sql, python, "p/out." + ("sql" if sql else "py"))
    sinks = {"out": parts.pop("sink", Sink("console"))}
    return Spec("p", "j", "file:///nowhere", sources, {"out": flow}, sinks, **parts)


def transform(body: str) -> str:
    lines = ["import pyspark.sql.functions as F", "from streamkit.ops import *", "def transform(inputs, parameters):"]
    return "\n".join([*lines, *("    " + line for line in body.splitlines())])


class Stream:
    def __init__(self, spark: Any, spec: Any, flow: str, folder: Path) -> None:
        from testkit.bench import Bench

        self._bench = Bench(spark, replace(spec, flows={flow: spec.flows[flow]}), folder, {})
        self._sources = list(spec.sources)
        self._stage = self._bench.stages[flow]

    @property
    def query(self) -> Any:
        return self._stage.running

    def send(self, *values: Value, at: int = SENT_AT, **others: list[Value]) -> None:
        """One micro-batch, and those without data that Spark runs when the watermark has moved."""
        batch = {self._sources[0]: values, **others} if values else others
        self._bench.send({source: [_record(value, at) for value in each] for source, each in batch.items()})
        self._bench.settle()

    def begin(self, *values: Value) -> None:
        """Give it records, and do not wait for what comes of them."""
        self._stage.add({self._sources[0]: [_record(value, SENT_AT) for value in values]})

    def rows(self) -> list[dict[str, Any]]:
        return sorted(self._stage.rows(), key=lambda row: json.dumps(row, sort_keys=True))

    def records(self) -> list[tuple[str, str | None, dict[str, str]]]:
        return _as_texts(self._stage)

    def total(self, amount: str) -> int:
        return int(self._stage.totals().get(amount, 0))

    def dead(self) -> tuple[list[tuple[str, str | None, dict[str, str]]], dict[str, int]]:
        """All dead letters in their order, and what their query has counted. To be asked once."""
        [stage] = self._bench.dead_letters().values()
        try:
            stage.running.processAllAvailable()
            return sorted(_as_texts(stage), key=lambda record: int(record[2]["offset"])), stage.totals()
        finally:
            stage.running.stop()

    def stop(self) -> None:
        self._bench.stop()


def _as_texts(stage: Any) -> list[tuple[str, str | None, dict[str, str]]]:
    return [
        (key.decode(), None if value is None else value.decode(errors="replace"), headers)
        for key, value, headers in stage.records()
    ]


def _record(value: Value, at: int) -> Any:
    from testkit.fake_topic import FakeRecord

    text = json.dumps(value) if isinstance(value, dict) else value
    return FakeRecord(text.encode() if isinstance(text, str) else text, at, b"key")


def decoded(spark: Any, source: Any, *values: Value, at: int = SENT_AT) -> list[Any]:
    """The same values as rows of a table: whether a record can be used does not depend on those before it."""
    from streamkit.decode import explained

    return list(explained(_table(spark, values, at), source).collect())


def judgements(spark: Any, source: Any, *values: Value, at: int = SENT_AT) -> list[tuple[bool, bool]]:
    """Whether each is a tombstone, and whether it is dead."""
    from streamkit.decode import judged

    return [(row._is_tombstone, row._is_dead) for row in judged(_table(spark, values, at), source).collect()]


def _table(spark: Any, values: tuple[Value, ...], at: int) -> Any:
    rows = []
    for offset, value in enumerate(values):
        content = _record(value, at).value
        text = "NULL" if content is None else f"unbase64('{base64.b64encode(content).decode()}')"
        rows.append(f"SELECT CAST('k' AS BINARY) AS key, {text} AS value, 'in' AS topic, 0 AS partition, "
                    f"{offset}L AS offset, timestamp_millis({at}) AS timestamp")  # fmt: skip
    return spark.sql(" UNION ALL ".join(rows))


def optimised_plan(query: Any) -> str:
    return str(query._jsq.streamingQuery().lastExecution().optimizedPlan().toString())


def view(identity: str, minute: float, page: str = "/", user: str = "u1", **changes: object) -> dict:
    at = START + round(minute * MINUTE)
    return {
        "event_id": identity,
        "event_type": "page_view",
        "event_time": at,
        "page": page,
        "user_id": user,
        **changes,
    }


def heartbeat(identity: str, minute: float) -> dict:
    return {"event_id": identity, "event_type": "heartbeat", "event_time": START + round(minute * MINUTE)}


def event(identity: str, minute: float, n: int | None = None) -> dict:
    return {"id": identity, "at": START + round(minute * MINUTE), "n": n}
