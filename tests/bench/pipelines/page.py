"""docs/benchmarks.md, from what was measured."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import psutil

from hdictl.drivers.java.find import find_java
from hdictl.drivers.spark.command import spark_version

Results = Mapping[str, Any]

_HEAD = """\
# How fast pipelines are, and what they lose

Written by `make bench-pipelines`; parts with `--only`, each with its date. Everything ran on one machine: {machine}.
Kafka (three brokers), Spark and whoever writes share its cores: only ratios within a part mean anything elsewhere.
"""

_TARGETS = """\
## What was asked, and what was seen

| measure | asked | seen | |
|---|---|---|---|
"""


def to_page(results: Results) -> str:
    parts = [_HEAD.format(machine=machine()), _TARGETS + "".join(_row(*target) for target in targets(results))]
    for name, write in _PARTS.items():
        if name in results:
            parts.append(write(results[name]))
    return "\n".join(parts)


def machine() -> str:
    memory = psutil.virtual_memory().total / 2**30
    return (
        f"{os.cpu_count()} cores, {memory:.0f} GB, Linux, Python {platform.python_version()}, "
        f"Java {find_java().version}, Spark {spark_version()}, Kafka 3.2.0"
    )


def targets(results: Results) -> Iterator[tuple[str, str, str, bool]]:
    """What, asked, seen, and whether it is met."""
    if "decoding" in results:
        yield from _decoding_targets(results["decoding"])
    if "attribution" in results:
        yield from _attribution_targets(results["attribution"])
    if "live" in results:
        yield from _live_targets(results["live"])
    if "kills" in results:
        yield from _kill_targets(results["kills"])
    if "trials" in results:
        worst = max(each["median"] for each in _programs(results["trials"]).values())
        yield "`hdictl pipeline test`, cold to green, the slowest pipeline", "≤ 8 s", f"{worst:.1f} s", worst <= 8


def _decoding_targets(found: Results) -> Iterator[tuple[str, str, str, bool]]:
    plain = "naive json, Kafka's defaults"
    yield _ratio("JSON through the toolkit / naive `from_json` as it is written", found, ("toolkit json", plain), 1.25)
    pair = ("toolkit json", "naive json")
    yield _ratio("JSON, decoding alone: both read Kafka with the toolkit's options", found, pair, 1.25)
    pair = ("toolkit json", "naive json with checks")
    yield _ratio("JSON through the toolkit / naive `from_json` with the same checks", found, pair, 1)
    yield _ratio("Avro through the toolkit / naive `from_json` as it is written", found, ("toolkit avro", plain), 3)
    yield _ratio("Avro, decoding alone", found, ("toolkit avro", "naive json"), 3)
    pair = ("toolkit avro", "python loop avro")
    yield _ratio("window count, Avro / confluent-kafka + fastavro loop, per core", found, pair, 2, "per_cpu_second")
    pair = ("toolkit avro", "ceiling avro")
    yield _ratio("window count, Avro / Kafka → nothing: no join, as in the Yahoo benchmark", found, pair, 0.6)


def _attribution_targets(found: Results) -> Iterator[tuple[str, str, str, bool]]:
    pair = ("ad_click_attribution", "ceiling")
    yield _ratio("`ad_click_attribution`, Avro, Kafka → Kafka / Kafka → nothing", found, pair, 0.6)
    pair = ("ad_click_attribution", "python loop")
    yield _ratio("`ad_click_attribution` / confluent-kafka + fastavro loop, per core", found, pair, 2, "per_cpu_second")


def _live_targets(found: Results) -> Iterator[tuple[str, str, str, bool]]:
    p99 = found["latency"]["p99_ms"] / 1000
    yield "p99 from event to output at half the sustained load", "≤ 2 s", f"{p99:.2f} s", p99 <= 2
    burst = found["burst"]
    if burst["seconds"] is None:
        yield "a burst of ten times the load for 30 s, drained", "≤ 1.3 × ideal", "not drained in 2 minutes", False
    else:
        ratio = burst["seconds"] / burst["ideal_seconds"] if burst["ideal_seconds"] else 0.0
        yield "a burst of ten times the load for 30 s, drained", "≤ 1.3 × ideal", f"{ratio:.2f} ×", ratio <= 1.3


def _kill_targets(found: Results) -> Iterator[tuple[str, str, str, bool]]:
    lost, doubled = found["lost_in_parquet"], found["doubled_in_parquet"]
    what = f"Kafka → Parquet, driver killed {found['kills']} times: lost, doubled"
    yield what, "0, 0", f"{lost}, {doubled}", lost == doubled == 0
    lost, unlike = found["lost_in_kafka"], found["copies_unlike"]
    what = f"Kafka → Kafka, driver killed {found['kills']} times: lost, copies that their event id does not tell"
    yield what, "0, 0", f"{lost}, {unlike}", lost == unlike == 0


def _ratio(
    what: str, found: Results, pair: tuple[str, str], least: float, by: str = "per_second"
) -> tuple[str, str, str, bool]:
    ratio = found[pair[0]][by] / found[pair[1]][by]
    other = "per_cpu_second" if by == "per_second" else "per_second"
    beside = found[pair[0]][other] / found[pair[1]][other]
    words = {"per_second": "by the clock", "per_cpu_second": "per CPU-second"}
    return what, f"≥ {least:g} ×", f"{ratio:.2f} ×** {words[by]}, {beside:.2f} × {words[other]}**", ratio >= least


def _row(what: str, asked: str, seen: str, is_met: bool) -> str:
    return f"| {what} | {asked} | **{seen}** | {'met' if is_met else 'missed'} |\n".replace("****", "")


def _programs(found: Results) -> dict[str, Any]:
    return {name: each for name, each in found.items() if isinstance(each, dict)}


def _speeds(title: str, text: str) -> Callable[[Results], str]:
    def write(found: Results) -> str:
        rows = "".join(
            f"| {name} | {each['per_second']:,.0f} | {each['per_second_least']:,.0f} – {each['per_second_most']:,.0f} "
            f"| {each['per_cpu_second']:,.0f} |\n"
            for name, each in _programs(found).items()
        )
        runs = next(iter(_programs(found).values()))["runs"]
        how = f"medians of {runs} runs, in turn" if runs > 1 else "one run each, in turn"
        return (
            f"## {title}\n\n{text}\n\n{found['at']}; {how}.\n\n"
            f"| | records / s | least – most | records / CPU-s |\n|---|---|---|---|\n{rows}"
        )

    return write


def _live(found: Results) -> str:
    delay, burst = found["latency"], found["burst"]
    took = "not within 2 minutes" if burst["seconds"] is None else f"{burst['seconds']:.0f} s"
    late = ", ".join(f"{part} {delay[part + '_ms']:,} ms" for part in ("p50", "p95", "p99", "p99.9", "most"))
    sent = f"{burst['sent_per_second']:,.0f} records / s sent; the writer was {burst['writer_behind']:.1f} s behind"
    return f"""\
## Under load

{_LIVE}

{found["at"]}.

| | |
|---|---|
| sustained | {found["sustained"]:,} impressions / s |
| event to output at {delay["rate"]:,} / s, {delay["rows"]:,} rows | {late} |
| burst | from {burst["base"]:,} to {burst["asked"]:,} impressions / s ({sent}) |
| waiting at its end | {burst["waiting_at_its_end"]:,} records |
| drained | {took}; ideal {burst["ideal_seconds"]:.0f} s |
"""


def _kills(found: Results) -> str:
    return f"""\
## Killed drivers

{_KILLS}

{found["at"]}: {found["kills"]} kills, {found["records"]:,} records, {found["seconds"]:.0f} s. \
Parquet: {found["lost_in_parquet"]} lost, {found["doubled_in_parquet"]} doubled. \
Kafka: {found["lost_in_kafka"]} lost, {found["copies_in_kafka"]:,} written again, of which {found["copies_unlike"]} \
are not told by their event id.
"""


def _trials(found: Results) -> str:
    rows = "".join(
        f"| {name} | {each['median']:.1f} s | {each['most']:.1f} s | {each['first']:.1f} s |\n"
        for name, each in _programs(found).items()
    )
    table = f"| pipeline | median | slowest | first |\n|---|---|---|---|\n{rows}"
    return f"## Trials\n\n{_TRIALS}\n\n{found['at']}.\n\n{table}"


_DECODING = """\
1,000,000 ad events of eight fields, as JSON (about 210 bytes) and as Avro (about 90); views of each ad counted in
windows of ten seconds, with a watermark. *Naive* is the query that everybody writes: `from_json`, its fields, a
filter, a window; as it is written it reads Kafka with the consumer's defaults, and once more with the options that
the toolkit sets, so that decoding alone can be compared. The toolkit also judges each record (all eight
fields are required) and counts dead letters. *Naive with checks* adds just that to the naive query. *Ceiling* reads
and does nothing. All of Spark reads the topic five times, of which the last two count: a JVM is at its best after
seconds. The Python loops count in a dictionary, without checkpoints; libraries for Python get 200,000 events, once;
one without a row was not measured. CPU is that of the reading process; brokers are not in it.

Where a task's time goes, by a sampling profiler over one run: with JSON 22 % is reading Kafka and 60 % `from_json`, of
which more than a third is the buffer of 8 KB that Spark 3.3 makes for each record; with Avro 46 % is reading and 27 %
`from_avro`. So Avro could come to 0.63 of reading alone if filter, count and window were free. The naive query parses
only the fields that it uses, and most records only for their filter; the toolkit parses and judges every field."""
_ATTRIBUTION = """\
1,000,000 impressions, a thousand a second of event time, and 50,000 clicks in Avro. Clicks are joined with their
impressions within ten minutes, each once whatever came twice, and what comes of it is written to Kafka. The loop
does the same in dictionaries, and forgets everything when it dies. Spark keeps each impression in two maps, copies
both for every micro-batch, writes what is new to disk, and sends every impression through a shuffle: that is what
exactly-once and scaling out cost, and with two cores nothing is earned back."""
_LIVE = """\
`ad_click_attribution` as it is shipped, dead letters included, with a trigger of 100 ms; but with a window of 20
seconds and watermarks of 10: at these rates ten minutes are more state than fits into 6 GB (two rows of
300 bytes an impression, in memory; RocksDB keeps it on disk, and is slower). The writer is a process beside it.
*Sustained* is the highest of the rates tried at which it does not fall behind. Time from event to output is from
the moment a click happens to the broker's clock when its row arrives. The ideal time to drain a burst is that of
a job which reads at the sustained rate all the time."""
_KILLS = """\
One job writes the same records to Parquet and to Kafka, in micro-batches of a hundred. Its driver gets SIGKILL:
while it starts, in the middle of a batch, between two, and every other time with a batch that is written and not
yet noted as done. Records go on coming. A Kafka sink of Spark writes at least once; here every record has an
event id of its content."""
_TRIALS = """\
`hdictl pipeline test NAME`: from the command to the verdict, Spark's start in it. The first one leaves an archive
of classes behind that makes the next start faster."""

_PARTS: dict[str, Callable[[Results], str]] = {
    "decoding": _speeds("Decoding", _DECODING),
    "attribution": _speeds("Attribution", _ATTRIBUTION),
    "live": _live,
    "kills": _kills,
    "trials": _trials,
}
