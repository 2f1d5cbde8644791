"""The one file that spark-submit gets: run the pipeline that a JSON document describes.

    spark-submit --py-files streamkit.zip run_pipeline.py --spec spec.json

It ends with 0 after it was asked to stop, and with 1 when a query failed. All it says goes to stdout as JSON lines:
`started`, `resumed` for each query that ran before, one `batch` a committed micro-batch, and `stopped` or `failed`.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from pyspark.sql import SparkSession
from pyspark.sql.streaming import StreamingQuery
from pyspark.sql.utils import StreamingQueryException
from streamkit.checkpoint import Storage
from streamkit.control import stop_between_batches
from streamkit.flow import Flow, assemble
from streamkit.progress import ProgressLog
from streamkit.session import open_session
from streamkit.sinks import dead_letter_records, output_records, writer
from streamkit.sources import read_kafka
from streamkit.spec import Spec, SpecError, parse

POLL_SECONDS = 0.1
STOP_PATIENCE_SECONDS = 60.0


def main(arguments: list[str]) -> int:
    options = argparse.ArgumentParser(description="Run one streaming pipeline.")
    options.add_argument("--spec", required=True, help="the job's document")
    path = options.parse_args(arguments).spec
    try:
        spec = parse(Path(path).read_text(encoding="utf-8"))
    except (OSError, SpecError) as error:
        sys.stderr.write(f"SpecError: {path}: {error}\n")
        return 2
    spark = open_session(spec.name, spec.configuration)
    try:
        return run(spark, spec)
    finally:
        spark.stop()


def run(spark: SparkSession, spec: Spec) -> int:
    storage = Storage(spark, spec.storage)
    flow = assemble(spark, spec, read_kafka)
    positions = {query: storage.position(query) for query in (spec.name, *(name for name, _, _ in flow.dead_letters))}
    queries = start(flow, spec)
    log = ProgressLog(queries[0], queries[1:], spec.progress_file)
    log.write({"event": "started", "name": spec.name, "spark": spark.version})
    log.write_positions(positions)
    while all(query.isActive for query in queries) and not storage.is_stop_asked():
        log.write_new()
        time.sleep(POLL_SECONDS)
    was_asked = storage.is_stop_asked()
    stop_between_batches(queries, STOP_PATIENCE_SECONDS)
    log.write_new()
    failure = first_failure(queries)
    if failure is not None:
        log.write({"event": "failed", "name": spec.name, "error": failure})
        sys.stderr.write(failure + "\n")
        return 1
    if was_asked:
        storage.clear_stop()
    settled = {query.name: storage.is_settled(query.name) for query in queries}
    log.write({"event": "stopped", "name": spec.name, "last_batch": log.last_batches(), "settled": settled})
    return 0


def start(flow: Flow, spec: Spec) -> list[StreamingQuery]:
    output = output_records(flow.output, spec.sink, spec.name)
    queries = [writer(output, spec.sink.kafka, spec.name, spec).start()]
    for query, topic, rows in flow.dead_letters:
        queries.append(writer(dead_letter_records(rows, spec.name), topic, query, spec).start())
    return queries


def first_failure(queries: list[StreamingQuery]) -> str | None:
    for query in queries:
        failure = query.exception()
        if isinstance(failure, StreamingQueryException):
            return f"{query.name}: {failure}"
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
