"""Plays a document of batches through a pipeline, and prints what came of them as JSON on stdout's last line.

{"spec": the job's document, "feeds": {source: [sink]}, "batches": [{source: [[key, value, timestamp], …]}, …],
 "archive": [draft, file] or null}

Keys and values are base64, or null. With an archive, the JVM writes down its classes when it ends (to the draft, as its
own options say), and what it has written takes its name: the next trial starts faster.
"""

from __future__ import annotations

import base64
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession
from streamkit.errors import JobError
from streamkit.session import session_of
from streamkit.spec import parse

from testkit.bench import Batch, Bench, dead_letters
from testkit.fake_topic import FakeRecord

REFUSED = 2


def main(path: str) -> int:
    document = json.loads(Path(path).read_text(encoding="utf-8"))
    try:
        spec = parse(json.dumps(document["spec"]))
        spark = session_of(spec)
        spark.sparkContext.setLogLevel("ERROR")
        with tempfile.TemporaryDirectory() as folder:
            first, *others = [to_batch(each) for each in document["batches"]]
            dead = dead_letters(spark, spec, Path(folder), together([first, *others]))
            bench = Bench(spark, spec, Path(folder), document["feeds"], first)
            for batch in others:
                bench.send(batch)
            for stage in dead.values():
                stage.running.processAllAvailable()
            queries = {name: outcome(stage) for name, stage in {**bench.stages, **dead}.items()}
            found = {"spark": spark.version, "queries": queries}
    except JobError as error:
        say({"what": error.what, "fix": error.fix})
        return REFUSED
    say(found)
    if document["archive"] is not None:
        keep_archive(spark, *(Path(each) for each in document["archive"]))
    return 0


def say(answer: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


def keep_archive(spark: SparkSession, draft: Path, file: Path) -> None:
    gateway: Any = spark.sparkContext._gateway
    spark.stop()
    gateway.shutdown()
    gateway.proc.stdin.close()  # what Spark's JVM waits for
    gateway.proc.wait()
    if draft.exists() and draft.stat().st_size:
        draft.replace(file)


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


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
