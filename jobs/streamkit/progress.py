"""What each committed micro-batch did, as one JSON line.

A line is written after Spark has committed the batch, never before. When a batch is run again after a crash its line
has the same number: who adds lines up keeps the last one of each query and batch.
"""

from __future__ import annotations

import json
from datetime import datetime, timezone
from typing import Any, Callable, Mapping

from pyspark.sql.streaming import StreamingQuery

from streamkit.checkpoint import Position

Line = Mapping[str, Any]
Outlet = Callable[[Line], None]

_WORTH_A_WARNING = 0.5  # of a batch's records that cannot be used
_LEAST_RECORDS = 20


class ProgressLog:
    """Spark 3.3 cannot call Python when a batch ends, so it is asked again and again for its last reports."""

    def __init__(self, queries: list[tuple[StreamingQuery, str]], outlets: list[Outlet]) -> None:
        self._queries = queries  # each with its role
        self._outlets = outlets
        self._last: dict[str, int] = {}
        self._mostly_dead: set[str] = set()  # queries of which it was said, until they are better again

    def write_positions(self, positions: Mapping[str, Position | None]) -> None:
        """Where each query goes on. With a checkpoint, the starting offsets of the document have no effect."""
        for query, role in self._queries:
            position = positions.get(query.name)
            if position is not None:
                self._last[query.name] = position.batch
                self.write(
                    {
                        "event": "resumed",
                        "query": query.name,
                        "role": role,
                        "after_batch": position.batch,
                        "end_offsets": position.end_offsets,
                        "watermark": _moment(position.watermark_ms),
                    }
                )

    def write_new(self) -> None:
        for query, role in self._queries:
            for report in reports_after(query, self._last.get(query.name, -1)):
                if was_run(report):
                    self._last[query.name] = int(report["batchId"])
                    line = batch_line(report, role)
                    self.write(line)
                    self._warn_of_dead(line)

    def _warn_of_dead(self, line: Line) -> None:
        """Once, until it was better: a line a batch would leave no room on the board for anything else."""
        if not is_mostly_dead(line):
            if is_judged(line):
                self._mostly_dead.discard(line["query"])
        elif line["query"] not in self._mostly_dead:
            self._mostly_dead.add(line["query"])
            self.write(dead_warning(line))

    def write(self, line: Line) -> None:
        for outlet in self._outlets:
            outlet(line)

    def last_batches(self) -> dict[str, int]:
        return dict(self._last)


def reports_after(query: StreamingQuery, batch: int) -> list[dict[str, Any]]:
    """Of the batches after this one, the oldest first; each batch once, of several reports the last.

    Python's own `recentProgress` turns all of the last 100 reports into text and reads it, which several times a second
    is more work than many a micro-batch.
    """
    found: dict[int, dict[str, Any]] = {}
    for report in reversed(query._jsq.recentProgress()):
        if report.batchId() <= batch:
            break
        found.setdefault(int(report.batchId()), json.loads(report.json()))
    return list(reversed(list(found.values())))


def was_run(report: Mapping[str, Any]) -> bool:
    """An idle query reports too, about the batch that it would run next."""
    return "addBatch" in report.get("durationMs", {})


def batch_line(report: Mapping[str, Any], role: str) -> dict[str, Any]:
    operators = report.get("stateOperators", [])
    sources = report.get("sources", [])
    line = {
        "event": "batch",
        "query": report["name"],
        "role": role,
        "batch": report["batchId"],
        "at": report["timestamp"],
        "input_rows": sum(source["numInputRows"] for source in sources),
        "output_rows": max(0, report.get("sink", {}).get("numOutputRows", 0)),
        "late_rows": sum(operator.get("numRowsDroppedByWatermark", 0) for operator in operators),
        "duplicate_rows": sum(_custom(operator, "numDroppedDuplicateRows") for operator in operators),
        "state_rows": sum(operator.get("numRowsTotal", 0) for operator in operators),
        "state_bytes": sum(operator.get("memoryUsedBytes", 0) for operator in operators),
        "watermark": report.get("eventTime", {}).get("watermark"),
        "end_offsets": _end_offsets(sources),
        "duration_ms": report.get("durationMs", {}).get("triggerExecution", 0),
    }
    for metrics in (report.get("observedMetrics") or {}).values():
        for name, value in metrics.items():
            line[name] = line.get(name, 0) + value
    return line


def is_judged(line: Line) -> bool:
    """Of a few records, no share means anything."""
    return bool(line.get("valid", 0) + line.get("dead", 0) >= _LEAST_RECORDS)


def is_mostly_dead(line: Line) -> bool:
    judged = line.get("valid", 0) + line.get("dead", 0)
    return is_judged(line) and bool(line.get("dead", 0) > judged * _WORTH_A_WARNING)


def dead_warning(line: Line) -> dict[str, Any]:
    """A producer with another schema breaks no job; but somebody should know. The query of dead letters knows why."""
    kinds = {name[len("dead_") :]: value for name, value in line.items() if name.startswith("dead_") and value}
    said = ", ".join(f"{value} {kind}" for kind, value in sorted(kinds.items(), key=lambda each: -each[1]))
    judged = line.get("valid", 0) + line["dead"]
    what = f"{line['dead']} of {judged} records of batch {line['batch']} cannot be used{': ' if said else ''}{said}"
    return {"event": "warning", "query": line["query"], "what": what}


def _moment(ms: int) -> str:
    """As Spark writes it in its own reports."""
    return datetime.fromtimestamp(ms / 1000, timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _custom(operator: Mapping[str, Any], metric: str) -> int:
    return int(operator.get("customMetrics", {}).get(metric, 0))


def _end_offsets(sources: list[dict[str, Any]]) -> dict[str, dict[str, int]]:
    offsets: dict[str, dict[str, int]] = {}
    for source in sources:
        end = source.get("endOffset")
        if isinstance(end, dict):  # a source that is not Kafka has offsets of another shape
            offsets.update(end)
    return offsets
