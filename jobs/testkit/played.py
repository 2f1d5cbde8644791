"""A document of batches played through a pipeline, and what came of them."""

from __future__ import annotations

import base64
import json
import tempfile
from pathlib import Path
from typing import Any, Mapping

from streamkit.errors import JobError
from streamkit.session import session_of
from streamkit.spec import parse

from testkit.bench import Batch, Bench, dead_letters
from testkit.fake_topic import FakeRecord


def played(document: Mapping[str, Any]) -> dict[str, Any]:
    """`spark` and `queries`; or `what` is wrong with the pipeline, and its `fix`."""
    try:
        spec = parse(json.dumps(document["spec"]))
        spark = session_of(spec)
        spark.sparkContext.setLogLevel("ERROR")
        with tempfile.TemporaryDirectory() as folder:
            first, *others = [to_batch(each) for each in document["batches"]]
            bench = Bench(spark, spec, Path(folder), document["feeds"], first)
            dead = dead_letters(spark, spec, Path(folder), together([first, *others]))
            for batch in others:
                bench.send(batch)
            bench.carry()
            bench.settle()
            for stage in dead.values():
                stage.running.processAllAvailable()
            queries = {name: outcome(stage) for name, stage in {**bench.stages, **dead}.items()}
            return {"spark": spark.version, "queries": queries}
    except JobError as error:
        return {"what": error.what, "fix": error.fix}


def to_batch(given: dict[str, list[Any]]) -> Batch:
    return {source: [to_record(each) for each in records] for source, records in given.items()}


def together(batches: list[Batch]) -> Batch:
    all_records: dict[str, list[FakeRecord]] = {}
    for batch in batches:
        for source, records in batch.items():
            all_records.setdefault(source, []).extend(records)
    return all_records


def to_record(given: list[Any]) -> FakeRecord:
    key, value, timestamp = given
    return FakeRecord(to_bytes(value), timestamp, to_bytes(key))


def to_bytes(text: str | None) -> bytes | None:
    return None if text is None else base64.b64decode(text)


def outcome(stage: Any) -> dict[str, Any]:
    if stage.query.role == "output":
        return {"role": "output", "rows": stage.rows(), "totals": stage.totals()}
    letters = [
        {"value": base64.b64encode(value).decode(), "error": error, "offset": int(offset)}
        for value, error, offset in stage.letters()
    ]
    return {
        "role": "dead_letters",
        "letters": sorted(letters, key=lambda each: each["offset"]),
        "totals": stage.totals(),
    }
