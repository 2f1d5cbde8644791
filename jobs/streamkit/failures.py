"""Why a query failed, in one sentence, out of Spark's pages of stack traces."""

from __future__ import annotations

import re

from py4j.protocol import Py4JJavaError
from pyspark.sql.utils import CapturedException

from streamkit.errors import JobError

# What comes out of the JVM: as Py4J has it, and what PySpark makes of those that it knows.
JVM_ERRORS = (Py4JJavaError, CapturedException)
_FULL_DISK = r"No space left on device"
_KNOWN = (
    (_FULL_DISK, "the disk is full", "make room for the job's folder and Spark's scratch; it resumes"),
    (r"UnknownTopicOrPartition|Topic .* not present in metadata", "a topic that the job reads or writes is gone",
     "see `hdictl topics list`; a topic made anew needs a new checkpoint"),
    (r"Some data may have been lost because they are not available in Kafka",
     "records that the job has not read yet are gone from Kafka: retention was shorter than its outage",
     "`hdictl jobs checkpoint show` says which; to go on with what is left: hdictl jobs checkpoint reset"),
    (r"RecordTooLargeException|larger than the maximum request size|message .*larger than",
     "a record is larger than the topic takes", "raise `max.message.bytes` of the topic, and the producer's option"),
    (r"TopicAuthorizationException|GroupAuthorizationException|Not authorized to access",
     "Kafka does not let the job read or write", "give the job's user the rights"),
    (r"Provided schema doesn't match to the schema for existing state|StateSchemaNotCompatible",
     "the query does not fit the state in its checkpoint", "see `hdictl pipeline plan`"),
    (r"Concurrent update to the log|Multiple streaming jobs detected|ConcurrentModification",
     "another run of this job uses the same checkpoint", "find it: hdictl jobs list; stop one of the two"),
    (r"java\.lang\.OutOfMemoryError", "the driver or an executor has run out of memory",
     "lower max_offsets_per_trigger, or give the job more memory"),
    (r"TimeoutException|DisconnectException|bootstrap servers|node assignment", "Kafka does not answer",
     "see the brokers: hdictl status; the job resumes when it is started again"),
)  # fmt: skip
_CAUSE = re.compile(r"^(?:Caused by: )?([\w.$]+(?:Exception|Error)): (.+)$", re.MULTILINE)
_WIDTH = 300


def to_job_error(query: str, text: str) -> JobError:
    what, fix = explained(text)
    return JobError(f"query `{query}`: {what}", fix)


def explained(text: str) -> tuple[str, str]:
    """What is wrong, and what to do about it."""
    for pattern, what, fix in _KNOWN:
        found = re.search(pattern, text)
        if found:
            return f"{what} ({_line_of(text, found.start())})", fix
    causes = _CAUSE.findall(text)
    said = f"{causes[-1][0].rpartition('.')[2]}: {causes[-1][1]}" if causes else text.strip().split("\n")[0]
    return said[:_WIDTH], "the whole log says more: hdictl jobs logs"


def is_full_disk(text: str) -> bool:
    return re.search(_FULL_DISK, text) is not None


def text_of(error: BaseException) -> str:
    """All that is known of it. PySpark's own keep the JVM's words apart, and need a live JVM to be turned into text."""
    if isinstance(error, CapturedException):
        return f"{error.desc}\n{error.stackTrace}"
    return f"{type(error).__name__}: {error}" if isinstance(error, OSError) else str(error)


def _line_of(text: str, place: int) -> str:
    start = text.rfind("\n", 0, place) + 1
    end = text.find("\n", place)
    return text[start : end if end >= 0 else len(text)].strip()[:_WIDTH]
