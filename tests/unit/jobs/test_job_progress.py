"""A report of Spark as one line of ours."""

from __future__ import annotations

import json

import pytest
from streamkit.checkpoint import Position
from streamkit.outlets import to_file, to_stdout
from streamkit.progress import ProgressLog, batch_line, dead_warning, is_mostly_dead, was_run

REPORT = {
    "name": "page_activity",
    "batchId": 4,
    "timestamp": "2026-01-01T00:00:00.000Z",
    "durationMs": {"addBatch": 900, "triggerExecution": 1200},
    "eventTime": {"watermark": "2026-01-01T00:10:00.000Z"},
    "stateOperators": [
        {
            "operatorName": "stateStoreSave",
            "numRowsTotal": 3,
            "memoryUsedBytes": 1000,
            "numRowsDroppedByWatermark": 0,
            "customMetrics": {},
        },
        {
            "operatorName": "dedupe",
            "numRowsTotal": 40,
            "memoryUsedBytes": 200,
            "numRowsDroppedByWatermark": 5,
            "customMetrics": {"numDroppedDuplicateRows": 7},
        },
    ],
    "sources": [{"numInputRows": 100, "endOffset": {"page-views": {"0": 60, "1": 40}}}],
    "sink": {"numOutputRows": 12},
    "observedMetrics": {"decoded_page_views": {"valid": 90, "tombstones": 1, "dead": 9, "dead_empty": 9}},
}
IDLE = {"name": "page_activity", "batchId": 5, "timestamp": "…", "durationMs": {"triggerExecution": 3}, "sources": []}


class Report:
    """As the JVM has it: text only for who asks."""

    def __init__(self, report: dict) -> None:
        self._report = report
        self.was_read = 0

    def batchId(self) -> int:  # noqa: N802 (Spark's name)
        return self._report["batchId"]

    def json(self) -> str:
        self.was_read += 1
        return json.dumps(self._report)


class Query:
    def __init__(self, name: str, reports: list[dict]) -> None:
        self.name = name
        self._jsq = self
        self.reports = [Report(report) for report in reports]

    def recentProgress(self) -> list[Report]:  # noqa: N802 (Spark's name)
        return self.reports


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
        "state_bytes": 1200,
        "watermark": "2026-01-01T00:10:00.000Z",
        "end_offsets": {"page-views": {"0": 60, "1": 40}},
        "duration_ms": 1200,
        "valid": 90,
        "tombstones": 1,
        "dead": 9,
        "dead_empty": 9,
    }


def test_of_several_sources_records_are_added_up_and_offsets_put_together():
    sources = [*REPORT["sources"], {"numInputRows": 5, "endOffset": {"clicks": {"0": 5}}}]
    observed = {**REPORT["observedMetrics"], "decoded_clicks": {"valid": 4, "tombstones": 0, "dead": 1}}
    line = batch_line({**REPORT, "sources": sources, "observedMetrics": observed}, "output")
    assert (line["input_rows"], line["valid"], line["dead"]) == (105, 94, 10)
    assert line["end_offsets"] == {"page-views": {"0": 60, "1": 40}, "clicks": {"0": 5}}


def test_a_batch_without_data_and_a_sink_that_does_not_count():
    line = batch_line({**REPORT, "sink": {"numOutputRows": -1}, "observedMetrics": {}, "sources": []}, "output")
    assert (line["output_rows"], line["input_rows"], line["end_offsets"]) == (0, 0, {})


def test_a_source_that_is_not_kafka_has_no_offsets_that_mean_anything():
    line = batch_line({**REPORT, "sources": [{"numInputRows": 1, "endOffset": 7}], "observedMetrics": None}, "output")
    assert line["end_offsets"] == {}


def test_an_idle_query_reports_and_has_run_nothing():
    assert was_run(REPORT)
    assert not was_run(IDLE)


def test_each_batch_is_written_once_to_every_outlet(tmp_path, capsys):
    path = tmp_path / "progress.jsonl"
    output = Query("page_activity", [REPORT, IDLE])
    dead = Query("dead", [{**REPORT, "name": "dead", "batchId": 2}])
    log = ProgressLog([(output, "output"), (dead, "dead_letters")], [to_stdout, to_file(path)])
    log.write_new()
    log.write_new()
    output.reports += [Report({**REPORT, "batchId": 5})]
    log.write_new()
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [(line["query"], line["role"], line["batch"]) for line in lines] == [
        ("page_activity", "output", 4),
        ("dead", "dead_letters", 2),
        ("page_activity", "output", 5),
    ]
    assert capsys.readouterr().out == path.read_text()
    assert log.last_batches() == {"page_activity": 5, "dead": 2}


def test_what_was_told_is_not_read_again():
    lines: list = []
    output = Query("page_activity", [{**REPORT, "batchId": number} for number in range(50)])
    log = ProgressLog([(output, "output")], [lines.append])
    for _look in range(3):
        log.write_new()
    assert [line["batch"] for line in lines] == list(range(50))
    assert {report.was_read for report in output.reports} == {1}


def test_a_query_that_resumes_says_where_and_does_not_repeat_itself():
    lines: list = []
    output = Query("page_activity", [REPORT])
    log = ProgressLog([(output, "output"), (Query("dead", []), "dead_letters")], [lines.append])
    log.write_positions({"page_activity": Position(4, {"t": {"0": 9}}, 1_767_226_200_000), "dead": None})
    log.write_new()
    assert lines == [
        {
            "event": "resumed",
            "query": "page_activity",
            "role": "output",
            "after_batch": 4,
            "end_offsets": {"t": {"0": 9}},
            "watermark": "2026-01-01T00:10:00.000Z",
        }
    ]


@pytest.mark.parametrize(
    ("valid", "dead", "is_worth_it"),
    [(0, 20, True), (0, 19, False), (10, 10, False), (10, 11, True), (90, 10, False), (0, 0, False)],
)
def test_a_batch_of_which_most_cannot_be_used_is_worth_a_warning(valid, dead, is_worth_it):
    assert is_mostly_dead({"valid": valid, "dead": dead}) is is_worth_it


def test_the_warning_names_the_kinds_the_most_frequent_first():
    line = {"query": "q", "batch": 3, "valid": 4, "dead": 21, "dead_empty": 1, "dead_missing": 20, "dead_malformed": 0}
    assert dead_warning(line) == {
        "event": "warning",
        "query": "q",
        "what": "21 of 25 records of batch 3 cannot be used: 20 missing, 1 empty",
    }


def test_a_query_that_does_not_know_the_kinds_warns_without():
    assert dead_warning({"query": "q", "batch": 3, "dead": 30})["what"] == (
        "30 of 30 records of batch 3 cannot be used"
    )


def test_the_warning_follows_the_line_of_its_batch():
    lines: list = []
    bad = {**REPORT, "observedMetrics": {"d": {"valid": 1, "dead": 99}}}
    ProgressLog([(Query("q", [bad]), "output")], [lines.append]).write_new()
    assert [line["event"] for line in lines] == ["batch", "warning"]


def test_the_warning_comes_once_until_it_was_better():
    def seen(number: int, valid: int, dead: int) -> dict:
        return {**REPORT, "batchId": number, "observedMetrics": {"d": {"valid": valid, "dead": dead}}}

    lines: list = []
    few = seen(3, 1, 0)  # too few to say that it is better
    reports = [seen(1, 1, 99), seen(2, 1, 99), few, seen(4, 1, 99), seen(5, 99, 1), seen(6, 1, 99)]
    ProgressLog([(Query("q", reports), "output")], [lines.append]).write_new()
    warnings = [line["what"] for line in lines if line["event"] == "warning"]
    assert [what.partition(" cannot")[0] for what in warnings] == [
        "99 of 100 records of batch 1",
        "99 of 100 records of batch 6",
    ]
