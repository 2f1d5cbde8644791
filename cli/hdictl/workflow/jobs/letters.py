"""Dead letters of a job: read, and sent again to where they came from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hdictl.errors import JobFileDamaged, JobRefused
from hdictl.ports.job_storage import JobStorage
from hdictl.ports.kafka import Record, RecordStream
from hdictl.ports.offsets import OffsetReader
from hdictl.streaming import replay_marks
from hdictl.streaming.letters import DeadLetter, is_wanted, to_letter
from hdictl.streaming.outcomes import Replay
from hdictl.streaming.replay_marks import ReplayMarks, read_marks, to_content
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


@dataclass(frozen=True)
class Choice:
    """Letters of this error, or of all; without `again`, only what was not sent again before."""

    error: str | None = None
    again: bool = False


def plan_replay(
    bound: BoundJob, stream: RecordStream, kafka: OffsetReader, storage: JobStorage, choice: Choice
) -> Replay:
    """What comes after this look is left for the next. With an error chosen, the others still wait after it."""
    topics = letter_topics(bound)
    marks = _marks(bound, storage).of(kafka.topic_ids(topics))
    seen = kafka.ends(topics)
    letters, passed_over, cut = [], 0, 0
    for letter in read_letters(bound, stream):
        if letter.offset >= seen[letter.topic][letter.partition] or not is_wanted(letter, choice.error):
            continue
        if marks.was_sent(letter) and not choice.again:
            passed_over += 1
        elif letter.whole_bytes is not None:
            cut += 1  # half a record would be dead again, or worse, be taken for a whole one
        else:
            letters.append(letter)
    return Replay(tuple(letters), passed_over, marks.noted(choice.error, seen), cut)


def carry_out(stream: RecordStream, storage: JobStorage, replay: Replay) -> int:
    """Sent first and noted then: whoever is interrupted sends some twice, and loses none."""
    sent = 0
    for topic in replay.targets:
        sent += stream.send(topic, (_record(letter) for letter in replay.letters if letter.origin == topic))
    storage.write(replay_marks.FILE, to_content(replay.marks))
    return sent


def _record(letter: DeadLetter) -> Record:
    """As it was, and where it comes from; a mark of an earlier replay makes room for the new one."""
    came_from = f"{letter.topic}/{letter.partition}/{letter.offset}".encode()
    own = tuple((name, value) for name, value in letter.headers if name != REPLAYED)
    return Record(-1, -1, -1, letter.key, letter.value, (*own, (REPLAYED, came_from)))


def _marks(bound: BoundJob, storage: JobStorage) -> ReplayMarks:
    try:
        return read_marks(storage.read(replay_marks.FILE))
    except ValueError as error:
        raise JobFileDamaged(
            f"{storage.root}/{replay_marks.FILE} cannot be read: {error}; it says which letters were sent again before",
            where=f"job `{bound.name}`",
            fix="mend it; or delete it, and all letters are sent again",
        ) from None
