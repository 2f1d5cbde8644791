"""Dead letters of a job: read, and sent again to where they came from."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from hdictl.errors import JobRefused
from hdictl.ports.kafka import Record, RecordStream
from hdictl.ports.offsets import Offsets, OffsetWriter
from hdictl.streaming.letters import DeadLetter, is_wanted, to_letter
from hdictl.streaming.outcomes import Replay
from hdictl.workflow.jobs.bound import BoundJob

REPLAYED = "replayed_from"  # header of a record that was sent again: dead-letter topic/partition/offset


def letter_topics(bound: BoundJob) -> list[str]:
    sinks = [source.dead_letters for source in bound.pipeline.document.sources.values()]
    names = [bound.spec.writes[sink] for sink in sinks if sink is not None and sink in bound.spec.writes]
    if not names:
        raise JobRefused(
            "it keeps no dead letters", where=f"job `{bound.name}`", fix="name a sink under `dead_letters` of a source"
        )
    return list(dict.fromkeys(names))


def read_letters(bound: BoundJob, stream: RecordStream) -> Iterator[DeadLetter]:
    """Those of this job's own sources: several jobs may share a topic of dead letters."""
    own = set(bound.spec.reads.values()) | set(bound.spec.writes.values())
    for topic in letter_topics(bound):
        for record in stream.read(topic, from_beginning=True, limit=None, follow=False):
            place, content = (record.partition, record.offset), (record.key, record.value)
            letter = to_letter(topic, place, content, tuple(record.headers))
            if letter is not None and letter.origin in own:
                yield letter


def plan_replay(
    bound: BoundJob, stream: RecordStream, kafka: OffsetWriter, *, error: str | None, again: bool
) -> Replay:
    """Without `again`, only what was not sent again before. What comes after this look is left for the next."""

    @cache
    def done(kind: str | None) -> Offsets:
        return {} if again else kafka.committed(_group(bound, kind))

    seen = kafka.ends(letter_topics(bound))
    letters, passed_over = [], 0
    for letter in read_letters(bound, stream):
        if letter.offset >= seen[letter.topic][letter.partition] or not is_wanted(letter, error):
            continue
        before = [done(kind).get(letter.topic, {}).get(letter.partition, 0) for kind in _kinds(letter)]
        if letter.offset < max(before):
            passed_over += 1
        else:
            letters.append(letter)
    return Replay(tuple(letters), passed_over, seen)


def carry_out(
    bound: BoundJob, stream: RecordStream, kafka: OffsetWriter, replay: Replay, *, error: str | None = None
) -> int:
    """Sent first and noted then: whoever is interrupted sends some twice, and loses none.

    What was sent is noted under its `error`, when only that was chosen: the others still wait.
    """
    sent = 0
    for topic in replay.targets:
        sent += stream.send(topic, (_record(letter) for letter in replay.letters if letter.origin == topic))
    kafka.commit(_group(bound, error), replay.seen)
    return sent


def _record(letter: DeadLetter) -> Record:
    """As it was, and where it comes from; a mark of an earlier replay makes room for the new one."""
    came_from = f"{letter.topic}/{letter.partition}/{letter.offset}".encode()
    own = tuple((name, value) for name, value in letter.headers if name != REPLAYED)
    return Record(-1, -1, -1, letter.key, letter.value, (*own, (REPLAYED, came_from)))


def _kinds(letter: DeadLetter) -> tuple[str | None, ...]:
    """What it can have been chosen by: nothing, its kind, its whole error."""
    return (None, letter.kind, letter.error)


def _group(bound: BoundJob, error: str | None) -> str:
    return ".".join(part for part in (bound.spec.group, "dlq-replay", error) if part)
