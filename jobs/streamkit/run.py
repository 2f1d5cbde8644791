"""One run of a job, from its first look at Kafka to its last line."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession
from pyspark.sql.streaming import DataStreamWriter, StreamingQuery

from streamkit import control
from streamkit.checkpoint import is_settled, position
from streamkit.errors import JobError
from streamkit.failures import JVM_ERRORS, text_of, to_job_error
from streamkit.flow import Query, assemble
from streamkit.guard import admit, describe
from streamkit.kafka_admin import KafkaAdmin
from streamkit.outlets import Board, GroupPositions, to_file, to_stdout
from streamkit.progress import Outlet, ProgressLog
from streamkit.records import LARGEST
from streamkit.reserve import Reserve
from streamkit.sidecar import Sidecar
from streamkit.signature import require_streamable
from streamkit.sinks import require_formats, writer
from streamkit.sources import kafka_reader
from streamkit.spec import Spec
from streamkit.storage import Storage
from streamkit.tables import read_now
from streamkit.tolerance import Tolerance
from streamkit.topics import identify, largest_letters

_POLL_SECONDS = 0.1
_LOOK_SECONDS = 0.5  # into the job's folder: on a cluster every look is a request that is paid for
_TOLERATED = ("the look for a stop", "the write of the board")
_FAILURE_PATIENCE_SECONDS = 60.0  # for the other queries, when one has failed: somebody waits to hear of it


class Run:
    def __init__(self, spark: SparkSession, spec: Spec) -> None:
        self._spark = spark
        self._spec = spec
        self._storage = Storage(spark, spec.storage)
        self._reserve = Reserve(self._storage)
        run = {"job": spec.job, "pipeline": spec.pipeline, "fingerprint": spec.fingerprint, "spark": spark.version}
        self._board = Board(self._storage, run)
        self._outlets: list[Outlet] = [to_stdout, self._board]
        if spec.progress_file is not None:
            self._outlets.append(to_file(Path(spec.progress_file)))
        self._log = ProgressLog([], self._outlets)

    def to_its_end(self) -> None:
        """Returns when the job was asked to stop, or has read what there was; JobError when a query failed."""
        try:
            self._reserve.take()
            self._run()
        except JobError as error:
            self._tell(error)
            raise
        except (*JVM_ERRORS, OSError) as error:  # the latter: a line of progress that cannot be written, mostly
            failure = to_job_error(self._spec.job, text_of(error))
            self._tell(failure)
            raise failure from None
        self._reserve.give_back()

    def _tell(self, error: JobError) -> None:
        self._reserve.give_back()
        error.fix = error.fix.replace(" JOB", f" {self._spec.job}")
        line = {"event": "failed", "name": self._spec.job, "what": error.what, "fix": error.fix}
        for outlet in self._outlets:
            with suppress(OSError, *JVM_ERRORS):  # on a full disk, some of them cannot be written either
                outlet(line)

    def _run(self) -> None:
        require_formats(self._spark, self._spec)
        topics, cluster = identify(self._spark, self._spec)
        queries = self._assembled()
        # What is wrong with any of them is told before a note is written, and before the first one starts.
        writers = self._writers(queries)
        self._admit([describe(self._spark, self._spec, query, topics, cluster) for query in queries])
        read_now(self._spark, self._spec.tables)
        positions = {query.name: position(self._storage, query.name) for query in queries}
        running = [(stream.start(), query.role) for query, stream in zip(queries, writers)]
        self._log = ProgressLog(running, self._with_groups())
        self._log.write({"event": "started", "name": self._spec.job, "spark": self._spark.version})
        self._log.write_positions(positions)
        streams = [stream for stream, _role in running]
        self._end(streams, was_asked=self._watch(streams))

    def _writers(self, queries: list[Query]) -> list[DataStreamWriter]:
        largest = largest_letters(self._spark, self._spec)
        topics = [query.sink.kafka.topic if query.sink.kafka is not None else "" for query in queries]
        return [writer(query, self._spec, largest.get(topic, LARGEST)) for query, topic in zip(queries, topics)]

    def _watch(self, streams: list[StreamingQuery]) -> bool:
        """Until it is asked to stop (then true), has read what there was, or a query failed."""
        next_look, has_begun = 0.0, False
        look, show = (Tolerance(self._spec.job, what, self._log.write) for what in _TOLERATED)
        while any(stream.isActive for stream in streams) and not failed(streams):
            if time.monotonic() >= next_look:
                if look.attempt(lambda: control.is_stop_asked(self._storage), otherwise=False):
                    return True
                next_look = time.monotonic() + _LOOK_SECONDS
            self._log.write_new()
            if not has_begun and len(self._log.last_batches()) == len(streams):
                has_begun = look.attempt(lambda: control.forget_starting_offsets(self._storage), otherwise=False)
            show.attempt(self._board.flush_now_and_then, otherwise=None)
            time.sleep(_POLL_SECONDS)
        return False

    def _assembled(self) -> list[Query]:
        queries = assemble(self._spark, self._spec, kafka_reader(control.starting_offsets(self._storage)))
        for query in queries:
            require_streamable(query.rows, query.name)
        return queries

    def _admit(self, wanted: list[Sidecar]) -> None:
        """Each of the queries may start on its checkpoint, or none starts."""
        for note, differences in zip(wanted, admit(self._storage, wanted)):
            for each in differences:
                self._log.write({"event": "changed", "query": note.query, "what": each.what, "why": each.why})

    def _with_groups(self) -> list[Outlet]:
        if self._spec.group is None:
            return self._outlets
        # Lives as long as the job: a new connection a batch would cost more than the batch.
        kafka = KafkaAdmin(self._spark, next(iter(self._spec.sources.values())).kafka)
        return [*self._outlets, GroupPositions(kafka, self._spec.group, self._log.write)]

    def _end(self, streams: list[StreamingQuery], *, was_asked: bool) -> None:
        control.stop_between_batches(streams, _FAILURE_PATIENCE_SECONDS if failed(streams) else None)
        self._log.write_new()
        failures = failed(streams)
        if failures:
            raise failures[0]
        if was_asked or control.is_stop_asked(self._storage):
            control.clear_stop(self._storage)
        settled = {stream.name: is_settled(self._storage, stream.name) for stream in streams}
        last = self._log.last_batches()
        self._log.write({"event": "stopped", "name": self._spec.job, "last_batch": last, "settled": settled})


def failed(streams: list[StreamingQuery]) -> list[JobError]:
    return [to_job_error(stream.name, whole_story(stream)) for stream in streams if stream.exception() is not None]


def whole_story(stream: StreamingQuery) -> str:
    """With all causes, which Python's own exception leaves out: the last of them is the reason."""
    failure: Any = stream._jsq.exception()
    jvm: Any = SparkSession.builder.getOrCreate()._jvm
    return str(jvm.org.apache.hadoop.util.StringUtils.stringifyException(failure.get()))
