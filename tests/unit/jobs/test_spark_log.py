"""Out of a Spark log of a thousand lines, the few that say why."""

from __future__ import annotations

from hdictl.drivers.spark.log import read_lines, reasons

LOG = """\
03:17:03.524 WARN SparkConf: something else
{"event": "started", "name": "page_activity"}
org.apache.spark.sql.streaming.StreamingQueryException: Query page_activity terminated
\tat org.apache.spark.sql.execution.streaming.StreamExecution.run(StreamExecution.scala:330)
Caused by: org.apache.spark.SparkException: Job aborted due to stage failure: Lost task 0.0
\tat java.base/java.lang.Thread.run(Thread.java:840)
Caused by: org.apache.kafka.common.errors.TimeoutException: Timed out waiting for a node assignment.
Caused by: org.apache.kafka.common.errors.TimeoutException: Timed out waiting for a node assignment.
{"event": "failed", "error": "Caused by: not a line of the log"}
""".splitlines()


def test_the_innermost_cause_comes_last_and_each_once():
    assert reasons(LOG) == (
        "org.apache.spark.sql.streaming.StreamingQueryException: Query page_activity terminated",
        "Caused by: org.apache.spark.SparkException: Job aborted due to stage failure: Lost task 0.0",
        "Caused by: org.apache.kafka.common.errors.TimeoutException: Timed out waiting for a node assignment.",
    )


def test_a_python_failure():
    lines = [
        "Traceback (most recent call last):",
        "  File …",
        "pyspark.sql.utils.AnalysisException: cannot resolve 'pag'",
    ]
    assert reasons(lines) == ("pyspark.sql.utils.AnalysisException: cannot resolve 'pag'",)


def test_the_end_of_a_log_without_a_reason():
    assert reasons(["one", "", "two"]) == ("one", "two")
    assert reasons([]) == ()


def test_only_the_end_of_a_long_log_is_read(tmp_path):
    log = tmp_path / "spark.log"
    log.write_text("first\n" * 1000 + "last\n")
    assert read_lines(log, most_bytes=11) == ["first", "last"]
    assert read_lines(tmp_path / "none") == []


def test_a_broker_that_does_not_answer_is_named_once():
    said = "03:57:54.850 WARN NetworkClient: Connection to node -1 (/127.0.0.1:9) could not be established."
    again = said.replace("54.850", "55.871")
    cause = "org.apache.kafka.common.errors.TimeoutException: timed out after 3 attempt(s)"
    assert reasons([said, f"Caused by: {cause}", again, cause]) == (again, cause)
