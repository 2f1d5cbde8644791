"""Why a query failed, in one sentence, out of Spark's pages of stack traces."""

from __future__ import annotations

import re

from streamkit.errors import JobError

_KNOWN = (
    (r"No space left on device", "the disk is full", "make room for the job's folder and Spark's scratch; it resumes"),
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
    for pattern, what, fix in _KNOWN:
        found = re.search(pattern, text)
        if found:
            return JobError(f"query `{query}`: {what} ({_line_of(text, found.start())})", fix)
    causes = _CAUSE.findall(text)
    said = f"{causes[-1][0].rpartition('.')[2]}: {causes[-1][1]}" if causes else text.strip().split("\n")[0]
    return JobError(f"query `{query}`: {said[:_WIDTH]}", "the whole log says more: hdictl jobs logs")


def _line_of(text: str, place: int) -> str:
    start = text.rfind("\n", 0, place) + 1
    end = text.find("\n", place)
    return text[start : end if end >= 0 else len(text)].strip()[:_WIDTH]
