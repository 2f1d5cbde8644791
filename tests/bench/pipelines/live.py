"""The job as it is shipped, on Kafka, under load that keeps its pace.

sustained  the highest rate of a few at which it does not fall behind: after so many seconds it is no more than
           `HELD` seconds' worth of records behind, and no further than halfway before
latency    at half of that: from a click to its row in the output topic, by the broker's clock
burst      from a fifth of it to ten times as much for 30 seconds and back: how long until nothing waits, against what
           a job would need that reads at the sustained rate all the time
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hdictl.streaming.spec import Surroundings
from tests.bench.pipelines import attribution
from tests.bench.pipelines.python_run import ROOT
from tests.bench.pipelines.spark_run import running
from tests.bench.pipelines.topics import Cluster
from tests.waiting import until

PREFIX = "live-"
TRIGGER_MS = 100
BATCH = 2_000_000  # no limit that would be felt: what waits is read at once
HELD = 5.0
WINDOW, WATERMARK = "20 seconds", "10 seconds"
BURST_SECONDS, BURST_TIMES, BURST_BASE, AFTER_SECONDS = 30, 10, 0.2, 120
RATES = (48_000, 40_000, 32_000, 24_000, 16_000, 11_000, 7_500)
_PATIENCE = 900.0


def measure(kafka: Cluster, seconds: int) -> dict[str, Any]:
    kafka.make(*(PREFIX + name for name in (*attribution.TOPICS.values(), *attribution.SINKS.values())))
    with tempfile.TemporaryDirectory() as folder:
        watched = Watched(Path(folder) / "progress.jsonl")
        place = Surroundings(Path(folder, "storage").as_uri(), progress_file=str(watched.file))
        document = shortened(attribution.document(kafka, BATCH, place, PREFIX, TRIGGER_MS))
        with running(document, Path(folder)) as job:
            until(lambda: watched.file.exists() or job.poll() is not None, 120)
            load = Load(kafka, Path(folder), watched)
            load.run([(40, 10_000)])  # warm-up
            load.drained()
            sustained = load.sustained(seconds)
            print(f"   sustains {sustained:,} impressions a second", flush=True)
            return {
                "sustained": sustained,
                "latency": latency(kafka, load, sustained // 2, seconds),
                "burst": burst(load, sustained),
            }


def shortened(document: dict[str, Any]) -> dict[str, Any]:
    """With shorter memory: the ten minutes of the shipped one are more state at these rates than fits."""
    document["parameters"]["attribution_window"] = WINDOW
    for source in document["sources"].values():
        source["event_time"]["watermark"] = WATERMARK
    return document


class Watched:
    """What the running job says of itself."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._at = 0
        self.read = 0  # records of both topics
        self.batches: list[dict[str, Any]] = []

    def look(self) -> int:
        with self.file.open(encoding="utf-8") as lines:
            lines.seek(self._at)
            while (text := lines.readline()).endswith("\n"):
                self._at = lines.tell()
                line = json.loads(text)
                if line["event"] == "batch" and line["query"] == "attributed":
                    self.batches.append(line)
                    self.read = sum(sum(parts.values()) for parts in line["end_offsets"].values())
        return self.read


class Load:
    def __init__(self, kafka: Cluster, folder: Path, watched: Watched) -> None:
        self._folder = folder
        self._watched = watched
        self._before = 0  # sent by earlier writers
        schemas = attribution.pipeline().schemas
        self._task = {
            "bootstrap": kafka.bootstrap,
            "topics": {name: PREFIX + topic for name, topic in attribution.TOPICS.items()},
            "schemas": {name: json.loads(schemas[name].text) for name in attribution.TOPICS},
        }

    def run(self, steps: list[tuple[float, float]]) -> list[dict[str, Any]]:
        """All that the writer has told, each line with how many records waited at that moment."""
        told = []
        with self._started(steps) as writer:
            for text in writer.stdout or ():
                line = json.loads(text)
                line["waiting"] = self._before + line["sent"] - self._watched.look()
                told.append(line)
        self._before += told[-1]["sent"]
        return told

    @contextmanager
    def _started(self, steps: list[tuple[float, float]]) -> Iterator[subprocess.Popen[str]]:
        file = self._folder / "load.json"
        file.write_text(json.dumps({**self._task, "steps": steps}))
        command = [sys.executable, "-m", "tests.bench.pipelines.load", str(file)]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as writer:
            yield writer
        if writer.returncode:
            raise RuntimeError(f"the writer ended with {writer.returncode}")

    @property
    def waiting(self) -> int:
        return self._before - self._watched.look()

    def drained(self) -> None:
        until(lambda: self.waiting <= 0, _PATIENCE)

    def sustained(self, seconds: int) -> int:
        for rate in RATES:
            told = self.run([(seconds, rate)])
            middle, end = told[len(told) // 2], told[-1]
            held = [line["waiting"] / rate for line in (middle, end)]
            print(
                f"   {rate:8,} /s: {held[0]:.1f} s and {held[1]:.1f} s behind, writer {end['behind']:.1f} s", flush=True
            )
            self.drained()
            if end["behind"] < 1 and held[1] <= HELD and held[1] <= held[0] + 1:
                return rate
        raise RuntimeError("it sustains none of the rates")


def latency(kafka: Cluster, load: Load, rate: int, seconds: int) -> dict[str, Any]:
    begun = round(time.time() * 1000)
    load.run([(10, rate), (seconds, rate)])
    ended = round(time.time() * 1000)
    load.drained()
    delays = sorted(
        record.timestamp - clicked
        for record in kafka.read(PREFIX + "attributed")
        if begun + 10_000 <= (clicked := json.loads(record.value or b"{}")["clicked_at"]) < ended
    )
    found = {f"p{part:g}_ms": delays[int(len(delays) * part / 100)] for part in (50, 95, 99, 99.9)}
    print(f"   at {rate:,} /s: {found}", flush=True)
    return {"rate": rate, "rows": len(delays), **found, "most_ms": delays[-1]}


def burst(load: Load, sustained: int) -> dict[str, Any]:
    base = round(sustained * BURST_BASE)
    high = base * BURST_TIMES
    told = load.run([(15, base), (BURST_SECONDS, high), (AFTER_SECONDS, base)])
    ends = [line for line in told if line["is_end"]]
    begin, peak = ends[0], ends[1]
    settled = next((line for line in told if line["at"] > peak["at"] and line["waiting"] <= base), None)
    load.drained()
    # Clicks are records too, one to every twenty.
    records = sustained * 1.05
    sent = (peak["sent"] - begin["sent"]) / (peak["at"] - begin["at"])
    ideal = max(0.0, (sent - records) * (peak["at"] - begin["at"])) / (records - base * 1.05)
    took = settled["at"] - peak["at"] if settled else None
    print(
        f"   burst of {sent:,.0f} /s: {peak['waiting']:,} waited, drained in {took} s, ideal {ideal:.1f} s", flush=True
    )
    return {
        "base": base,
        "asked": high,
        "sent_per_second": sent,
        "writer_behind": peak["behind"],
        "waiting_at_its_end": peak["waiting"],
        "seconds": took,
        "ideal_seconds": ideal,
    }
