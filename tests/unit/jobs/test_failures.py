"""Why a query failed, in one sentence."""

from __future__ import annotations

import pytest
from streamkit.failures import to_job_error

TRACE = """\
Query counts [id = 1, runId = 2] terminated with exception: Job aborted
=== Streaming Query ===
Current State: ACTIVE
org.apache.spark.sql.streaming.StreamingQueryException: Job aborted
\tat org.apache.spark.sql.execution.streaming.StreamExecution.run(StreamExecution.scala:330)
Caused by: org.apache.spark.SparkException: Job aborted due to stage failure
\tat java.base/java.lang.Thread.run(Thread.java:840)
"""


@pytest.mark.parametrize(
    ("line", "what", "fix"),
    [
        ("java.io.IOException: No space left on device", "the disk is full", "it resumes"),
        ("org.apache.kafka.common.errors.UnknownTopicOrPartitionException: This server …", "is gone", "topics list"),
        ("org.apache.kafka.common.errors.TimeoutException: Topic out not present in metadata after 60000 ms.",
         "a topic that the job reads or writes is gone", "hdictl topics list"),
        ("java.lang.IllegalStateException: Some data may have been lost because they are not available in Kafka any",
         "retention was shorter than its outage", "hdictl jobs checkpoint reset"),
        ("org.apache.kafka.common.errors.RecordTooLargeException: The request included a message larger than …",
         "a record is larger than the topic takes", "max.message.bytes"),
        ("The message is 2000000 bytes when serialized which is larger than the maximum request size",
         "a record is larger than the topic takes", "max.message.bytes"),
        ("org.apache.kafka.common.errors.TopicAuthorizationException: Not authorized to access topics: [in]",
         "Kafka does not let the job read or write", "rights"),
        ("org.apache.spark.sql.execution.streaming.state.StateSchemaNotCompatible: …",
         "does not fit the state in its checkpoint", "hdictl pipeline plan"),
        ("Provided schema doesn't match to the schema for existing state! Please note that Spark allow …",
         "does not fit the state in its checkpoint", "hdictl pipeline plan"),
        ("java.util.ConcurrentModificationException: Multiple streaming jobs detected for …",
         "another run of this job uses the same checkpoint", "hdictl jobs list"),
        ("java.lang.OutOfMemoryError: Java heap space", "run out of memory", "max_offsets_per_trigger"),
        ("org.apache.kafka.common.errors.TimeoutException: Timed out waiting for a node assignment.",
         "Kafka does not answer", "it is started again"),
        ("org.apache.kafka.common.KafkaException: No resolvable bootstrap urls given in bootstrap servers",
         "Kafka does not answer", "hdictl status"),
    ],
)  # fmt: skip
def test_a_known_failure_has_a_reason_the_line_it_was_seen_in_and_a_next_step(line, what, fix):
    error = to_job_error("counts", f"{TRACE}Caused by: {line}\n\tat somewhere")
    assert error.what.startswith("query `counts`: ")
    assert what in error.what
    assert f"(Caused by: {line[:200]}" in error.what
    assert fix in error.fix
    assert "\n" not in error.what


def test_of_an_unknown_failure_the_innermost_cause_is_told():
    error = to_job_error("counts", TRACE + "Caused by: com.example.OddException: the moon\n\tat somewhere")
    assert error.what == "query `counts`: OddException: the moon"
    assert error.fix == "the whole log says more: hdictl jobs logs"


def test_what_looks_like_no_exception_is_told_by_its_first_line_and_is_not_endless():
    assert to_job_error("counts", "gone\nmore").what == "query `counts`: gone"
    assert len(to_job_error("counts", "x" * 9999).what) < 400
    assert to_job_error("counts", "").what == "query `counts`: "
