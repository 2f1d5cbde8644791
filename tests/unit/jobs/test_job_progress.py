"""A report of Spark as one line of ours."""

from __future__ import annotations

import json

from streamkit.checkpoint import Position
from streamkit.progress import ProgressLog, batch_line, was_run

REPORT = {
    "name": "page_activity",
    "batchId": 4,
    "timestamp": "2026-01-01T00:00:00.000Z",
    "durationMs": {"addBatch": 900, "triggerExecution": 1200},
    "eventTime": {"watermark": "2026-01-01T00:10:00.000Z"},
    "stateOperators": [
        {"operatorName": "stateStoreSave", "numRowsTotal": 3, "numRowsDroppedByWatermark": 0, "customMetrics": {}},
        {
            "operatorName": "dedupe",
            "numRowsTotal": 40,
            "numRowsDroppedByWatermark": 5,
            "customMetrics": {"numDroppedDuplicateRows": 7},
        },
    ],
    "sources": [{"numInputRows": 100, "endOffset": {"page-views": {"0": 60, "1": 40}}}],
    "sink": {"numOutputRows": 12},
    "observedMetrics": {"decoded_page_views": {"valid": 90, "tombstones": 1, "dead": 9, "dead_empty": 9}},
}
IDLE = {"name": "page_activity", "batchId": 5, "timestamp": "…", "durationMs": {"triggerExecution": 3}, "sources": []}


class Query:
    def __init__(self, name: str, reports: list[dict]) -> None:
        self.name = name
        self.recentProgress = reports


def test_a_batch_says_all_that_is_counted():
    assert batch_line(REPORT, "output") == {
        "event": "batch",
        "query": "page_activity",
        "role": "output",
        "batch": 4,
        "at": "2026-01-01T00:00:00.000Z",
        "input_rows": 100,
        "output_rows": 12,
        "late_rows": 5,
        "duplicate_rows": 7,
        "state_rows": 43,
        "watermark": "2026-01-01T00:10:00.000Z",
        "end_offsets": {"page-views": {"0": 60, "1": 40}},
        "duration_ms": 1200,
        "valid": 90,
        "tombstones": 1,
        "dead": 9,
        "dead_empty": 9,
    }


def test_a_batch_without_data_and_a_sink_that_does_not_count():
    line = batch_line({**REPORT, "sink": {"numOutputRows": -1}, "observedMetrics": {}, "sources": []}, "output")
    assert (line["output_rows"], line["input_rows"], line["end_offsets"]) == (0, 0, {})


def test_an_idle_query_reports_and_has_run_nothing():
    assert was_run(REPORT)
    assert not was_run(IDLE)


def test_each_batch_is_written_once_to_the_file_and_to_stdout(tmp_path, capsys):
    path = tmp_path / "progress.jsonl"
    output = Query("page_activity", [REPORT, IDLE])
    dead = Query("dead", [{**REPORT, "name": "dead", "batchId": 2}])
    log = ProgressLog(output, [dead], str(path))
    log.write_new()
    log.write_new()
    output.recentProgress = [REPORT, {**REPORT, "batchId": 5}]
    log.write_new()
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [(line["query"], line["role"], line["batch"]) for line in lines] == [
        ("page_activity", "output", 4),
        ("dead", "dead_letters", 2),
        ("page_activity", "output", 5),
    ]
    assert capsys.readouterr().out == path.read_text()
    assert log.last_batches() == {"page_activity": 5, "dead": 2}


def test_a_query_that_resumes_says_where_and_does_not_repeat_itself(tmp_path, capsys):
    output = Query("page_activity", [REPORT])
    log = ProgressLog(output, [Query("dead", [])], None)
    log.write_positions({"page_activity": Position(4, {"t": {"0": 9}}, 1_767_226_200_000), "dead": None})
    log.write_new()
    assert json.loads(capsys.readouterr().out) == {
        "event": "resumed",
        "query": "page_activity",
        "role": "output",
        "after_batch": 4,
        "end_offsets": {"t": {"0": 9}},
        "watermark": "2026-01-01T00:10:00.000Z",
    }
