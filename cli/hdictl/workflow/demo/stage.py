"""One wave after the other: sent to Kafka, and awaited in the job's progress."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from hdictl.errors import SparkFailed
from hdictl.ports.jobs import BatchProgress
from hdictl.ports.kafka import RecordStream
from hdictl.ports.progress import Progress
from hdictl.workflow.demo.events import Message, Wave
from hdictl.workflow.demo.ledger import Ledger
from hdictl.workflow.demo.truth import MINUTE

_SHOWN_EVERY = 500  # messages between two steps of the bar


class Stage:
    def __init__(self, stream: RecordStream, topic: str, batches: Iterator[BatchProgress], progress: Progress) -> None:
        self._stream = stream
        self._topic = topic
        self._batches = batches
        self._progress = progress
        self._sent = 0
        self.ledger = Ledger()

    def play(self, wave: Wave) -> None:
        self._produce(wave)
        if wave.is_awaited:
            self._settle(wave)

    def _produce(self, wave: Wave) -> None:
        with self._progress.track(f"producing {wave.title}", len(wave.messages)) as advance:
            self._sent += self._stream.write(self._topic, _watched(wave, advance))

    def _settle(self, wave: Wave) -> None:
        """Until every query has committed all that was sent, and the watermark stands where the next batch sees it."""
        while self.ledger.read(self._topic) < self._sent or self.ledger.watermark < wave.watermark:
            batch = next(self._batches, None)
            if batch is None:
                raise SparkFailed(
                    "the job ended while there was still something to read",
                    where="demo",
                    fix="run the demo again; somebody has asked the job to stop",
                )
            self.ledger.add(batch)
            if batch.is_output and (batch.input_rows or batch.output_rows):
                self._progress.step(described(batch))


def described(batch: BatchProgress) -> str:
    parts = [f"batch {batch.batch}: {batch.input_rows:,} in"]
    if batch.input_rows:
        parts.append(f"{batch.input_rows * 1000 // max(batch.duration_ms, 1):,} records/s")
    amounts = (
        (batch.dead, "dead letters"),
        (batch.duplicates, "duplicates"),
        (batch.late, "late"),
        (batch.output_rows, "windows out"),
    )
    parts += [f"{number:,} {word}" for number, word in amounts if number]
    if batch.watermark > 0:
        parts.append(f"watermark {_clock(batch.watermark)}")
    return " · ".join(parts)


def _clock(moment: int) -> str:
    minutes = moment // MINUTE % (24 * 60)
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def _watched(wave: Wave, advance: Callable[[int], None]) -> Iterator[Message]:
    for number, message in enumerate(wave.messages, start=1):
        yield message
        if number % _SHOWN_EVERY == 0:
            advance(_SHOWN_EVERY)
    advance(len(wave.messages) % _SHOWN_EVERY)
