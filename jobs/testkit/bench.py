"""All queries of a pipeline on topics that are fed by hand."""

from __future__ import annotations

import json
import re
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Dict, Iterator, List, Mapping, Optional, Tuple

from pyspark.sql import DataFrame, SparkSession
from streamkit.flow import Query, assemble
from streamkit.progress import batch_line, was_run
from streamkit.sinks import written
from streamkit.spec import Source, Spec

from testkit.fake_topic import FakeRecord, FakeTopic

Batch = Mapping[str, List[FakeRecord]]  # source → its records
Record = Tuple[Optional[bytes], Optional[bytes], Dict[str, str]]  # key, value and headers

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

    def records(self) -> list[Record]:
        """What went to a topic, in its order. No query is asked for it: one costs more than a micro-batch."""
        rows = self.running._jsq.streamingQuery().sink().allData()
        return [_record(rows.apply(index)) for index in range(rows.length())]

    def letters(self) -> list[tuple[bytes, str, str]]:
        """Value, error and offset of each dead letter."""
        return [(value or b"", headers["error"], headers["offset"]) for _key, value, headers in self.records()]

    def rows(self) -> list[dict[str, Any]]:
        """What was put out, as JSON, whatever the sink."""
        if self.query.sink.format == "kafka":
            return [json.loads(value or b"null") for _key, value, _headers in self.records()]
        texts = self._spark.table(self._table).selectExpr("to_json(struct(*)) AS value")
        return [json.loads(row.value) for row in texts.collect()]

    def new_records(self, timestamp: int) -> list[FakeRecord]:
        """What has come since the last time, as records for whoever reads this sink."""
        found = self.records()
        new, self._given = found[self._given :], len(found)
        return [FakeRecord(value, timestamp, key) for key, value, _headers in new]

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

    A query is waited for when it gets its next batch, or when another one reads what it writes: all others work on.
    Each has the same micro-batches, whoever else is at work.
    """

    def __init__(
        self, spark: SparkSession, spec: Spec, folder: Path, feeds: Mapping[str, list[str]], first: Batch | None = None
    ) -> None:
        """With `first`, a query starts to work while the next is being made."""
        self._spark, self._spec, self._folder = spark, spec, folder
        self._feeds = feeds
        self._sent: dict[str, list[FakeRecord]] = {}
        self._newest = 0
        self._note(first or {})
        self.stages = {name: Stage(spark, spec, name, folder, first or {}) for name in spec.flows}

    def send(self, batch: Batch) -> None:
        """One micro-batch of each source, and those without data that Spark runs when the watermark has moved."""
        self.carry()
        self._note(batch)
        self._add(batch)
        self.carry()

    def carry(self) -> None:
        """What flows have written goes to those who read it, until there is nothing new."""
        for _round in range(_ROUNDS):
            came_back = self._came_back()
            if not came_back:
                return
            self._add(came_back)
        raise RuntimeError(f"records still come back after {_ROUNDS} rounds")

    def settle(self) -> None:
        """Until no query has anything to do."""
        for stage in self.stages.values():
            stage.running.processAllAvailable()

    def _note(self, batch: Batch) -> None:
        for source, records in batch.items():
            self._sent.setdefault(source, []).extend(records)
        self._newest = max((record.timestamp for records in batch.values() for record in records), default=self._newest)

    def dead_letters(self) -> dict[str, Stage]:
        return dead_letters(self._spark, self._spec, self._folder, self._sent)

    def stop(self) -> None:
        for stage in self.stages.values():
            stage.running.stop()

    def _add(self, batch: Batch) -> None:
        for stage in self.stages.values():
            if any(records and source in stage.topics for source, records in batch.items()):
                stage.running.processAllAvailable()
                stage.add(batch)

    def _came_back(self) -> dict[str, list[FakeRecord]]:
        fed = {sink for sinks in self._feeds.values() for sink in sinks}
        new: dict[str, list[FakeRecord]] = {}
        for name, flow in self._spec.flows.items():
            if flow.sink in fed:
                self.stages[name].running.processAllAvailable()
                new.setdefault(flow.sink, []).extend(self.stages[name].new_records(self._newest))
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


def _record(row: Any) -> Record:
    key, value, headers = (row.get(row.fieldIndex(name)) for name in ("key", "value", "headers"))
    pairs = [headers.apply(index) for index in range(headers.length())]
    return key, value, {pair.getString(0): (pair.get(1) or b"").decode() for pair in pairs}
