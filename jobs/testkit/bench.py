"""All queries of a pipeline on topics that are fed by hand."""

from __future__ import annotations

import json
import re
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Iterator, List, Mapping

from pyspark.sql import DataFrame, SparkSession
from streamkit.flow import Query, assemble
from streamkit.progress import batch_line, was_run
from streamkit.sinks import written
from streamkit.spec import Source, Spec

from testkit.fake_topic import FakeRecord, FakeTopic

Batch = Mapping[str, List[FakeRecord]]  # source → its records

_ROUNDS = 20  # of records that come back; a pipeline that never ends is a fault of its own


class Stage:
    """One query, with topics of its own, and a table in memory for what it puts out."""

    def __init__(self, spark: SparkSession, spec: Spec, name: str, folder: Path, first: Batch) -> None:
        self._spark = spark
        self.topics: dict[str, FakeTopic] = {}
        self.query = self._assembled(spec, name)
        self._given = 0
        self._table = f"out_{name}"
        self._feed(first)
        stream = written(self.query, spec).writeStream.format("memory").queryName(self._table).outputMode("append")
        self.running = stream.option("checkpointLocation", str(folder / name)).start()

    def add(self, batch: Batch) -> None:
        with self._between_batches():
            self._feed(batch)

    @contextmanager
    def _between_batches(self) -> Iterator[None]:
        """A micro-batch that begins meanwhile would get the records of one source, and the next those of the other."""
        execution: Any = self.running._jsq.streamingQuery()
        execution.awaitProgressLock().lock()
        try:
            yield
        finally:
            execution.awaitProgressLock().unlock()

    def _feed(self, batch: Batch) -> None:
        for source, records in batch.items():
            if source in self.topics and records:
                self.topics[source].add(records)

    def _assembled(self, spec: Spec, name: str) -> Query:
        def read(spark: SparkSession, name: str, source: Source, *, with_headers: bool) -> DataFrame:  # noqa: ARG001
            """Of a dead-letter query, the last one that is read is its own."""
            self.topics[name] = FakeTopic(spark, source.kafka.topics[0])
            return self.topics[name].rows()

        flow = spec.flows.get(name)
        flows = {} if flow is None else {name: flow}
        sources = {}
        for each, source in spec.sources.items():
            if flow is None and each == name[: -len("_dead_letters")]:
                sources[each] = source
            elif flow is not None and re.search(rf"\b{each}\b", flow.sql or flow.python or ""):
                sources[each] = replace(source, dead_letters=None)
        [query] = assemble(self._spark, replace(spec, flows=flows, sources=sources), read)
        return query

    def records(self) -> list[tuple[str, str | None, dict[str, str]]]:
        """Key, value and headers of what went to a topic."""
        rows = self._spark.table(self._table).selectExpr(
            "CAST(key AS STRING) AS key",
            "CAST(value AS STRING) AS value",
            "map_from_arrays(headers.key, transform(headers.value, v -> CAST(v AS STRING))) AS headers",
        )
        return [(row.key, row.value, row.headers) for row in rows.collect()]

    def letters(self) -> list[tuple[bytes, str, str]]:
        """Value, error and offset of each dead letter."""
        rows = self._spark.table(self._table).selectExpr(
            "value",
            "CAST(filter(headers, h -> h.key = 'error')[0].value AS STRING) AS error",
            "CAST(filter(headers, h -> h.key = 'offset')[0].value AS STRING) AS offset",
        )
        return [(bytes(row.value), row.error, row.offset) for row in rows.collect()]

    def rows(self) -> list[dict[str, Any]]:
        """What was put out, as JSON, whatever the sink."""
        table = self._spark.table(self._table)
        if "headers" in table.columns:
            texts = table.selectExpr("CAST(value AS STRING) AS value")
        else:
            texts = table.selectExpr("to_json(struct(*)) AS value")
        return [json.loads(row.value) for row in texts.collect()]

    def new_records(self, timestamp: int) -> list[FakeRecord]:
        """What has come since the last time, as records for whoever reads this sink."""
        found = self.records()
        new, self._given = found[self._given :], len(found)
        return [FakeRecord(_bytes(value), timestamp, _bytes(key)) for key, value, _headers in new]

    def totals(self) -> dict[str, int]:
        """Amounts of all micro-batches, added up."""
        sums: dict[str, int] = {}
        for report in self.running.recentProgress:
            if was_run(report):
                for name, amount in batch_line(report, self.query.role).items():
                    if isinstance(amount, int) and name not in ("batch", "duration_ms", "state_rows", "state_bytes"):
                        sums[name] = sums.get(name, 0) + amount
        return sums


class Bench:
    """`feeds`: source → the sinks whose records come (back) into it.

    A query that has its first batch starts to work while the next is being made: `first` is for whoever has no time.
    """

    def __init__(
        self, spark: SparkSession, spec: Spec, folder: Path, feeds: Mapping[str, list[str]], first: Batch | None = None
    ) -> None:
        self._spark, self._spec, self._folder = spark, spec, folder
        self._feeds = feeds
        self._sent: dict[str, list[FakeRecord]] = {}
        self.stages = {name: Stage(spark, spec, name, folder, first or {}) for name in spec.flows}
        if first is not None:
            self._settle(first)

    def send(self, batch: Batch) -> None:
        """One micro-batch of each source, and those without data that Spark runs when the watermark has moved."""
        self._add(batch)
        self._settle(batch)

    def _settle(self, batch: Batch) -> None:
        for source, records in batch.items():
            self._sent.setdefault(source, []).extend(records)
        newest = max((record.timestamp for records in batch.values() for record in records), default=0)
        for _round in range(_ROUNDS):
            for stage in self.stages.values():
                stage.running.processAllAvailable()
            came_back = self._came_back(newest)
            if not came_back:
                return
            self._add(came_back)
        raise RuntimeError(f"records still come back after {_ROUNDS} rounds")

    def dead_letters(self) -> dict[str, Stage]:
        return dead_letters(self._spark, self._spec, self._folder, self._sent)

    def stop(self) -> None:
        for stage in self.stages.values():
            stage.running.stop()

    def _add(self, batch: Batch) -> None:
        for stage in self.stages.values():
            stage.add(batch)

    def _came_back(self, timestamp: int) -> dict[str, list[FakeRecord]]:
        fed = {sink for sinks in self._feeds.values() for sink in sinks}
        new: dict[str, list[FakeRecord]] = {}
        for name, flow in self._spec.flows.items():
            if flow.sink in fed:
                new.setdefault(flow.sink, []).extend(self.stages[name].new_records(timestamp))
        found = {
            source: [each for sink in sinks for each in new.get(sink, [])] for source, sinks in self._feeds.items()
        }
        return {source: records for source, records in found.items() if records}


def dead_letters(spark: SparkSession, spec: Spec, folder: Path, records: Batch) -> dict[str, Stage]:
    """Of each source that keeps them, by the name of their query; at work, and to be waited for.

    All records at once: whether one can be used does not depend on those before it.
    """
    names = [name for name, source in spec.sources.items() if source.dead_letters is not None]
    return {f"{name}_dead_letters": Stage(spark, spec, f"{name}_dead_letters", folder, records) for name in names}


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else text.encode()
