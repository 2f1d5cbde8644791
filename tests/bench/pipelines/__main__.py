"""`make bench-pipelines`: how fast pipelines are, as ratios within one run. Nothing here asserts a time.

Results are printed, kept in results.json beside this, and written to docs/benchmarks.md with those of other parts that
were run before: a ratio is always of one run.
"""

from __future__ import annotations

import argparse
import json
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.bench.pipelines import attribution, decoding, kills, live, page, trials
from tests.bench.pipelines.topics import cluster

RESULTS = Path(__file__).with_name("results.json")
PAGE = Path("docs", "benchmarks.md")

Part = Callable[[argparse.Namespace], dict[str, Any]]


def _decoding(given: argparse.Namespace) -> dict[str, Any]:
    with cluster() as kafka:
        return decoding.measure(kafka, given.records, given.repeats)


def _attribution(given: argparse.Namespace) -> dict[str, Any]:
    with cluster() as kafka:
        return attribution.measure(kafka, given.records, given.repeats)


def _live(given: argparse.Namespace) -> dict[str, Any]:
    with cluster() as kafka:
        return live.measure(kafka, given.seconds)


PARTS: dict[str, Part] = {
    "decoding": _decoding,
    "attribution": _attribution,
    "live": _live,
    "kills": lambda given: kills.measure(given.kills),
    "trials": lambda given: trials.measure(given.repeats),
}


def main() -> None:
    # Whoever ends it ends the brokers and the job as well, also from a shell's background.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    options = argparse.ArgumentParser()
    options.add_argument("--records", type=int, default=1_000_000)
    options.add_argument("--repeats", type=int, default=3)
    options.add_argument("--seconds", type=int, default=40, help="of steady load")
    options.add_argument("--kills", type=int, default=20)
    options.add_argument("--only", nargs="*", default=list(PARTS), choices=list(PARTS))
    given = options.parse_args()
    results: dict[str, Any] = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    for name in given.only:
        print(f"── {name}", flush=True)
        results[name] = {"at": time.strftime("%Y-%m-%d"), **PARTS[name](given)}
        RESULTS.write_text(json.dumps(results, indent=2) + "\n")
    PAGE.write_text(page.to_page(results), encoding="utf-8")
    print(f"kept in {RESULTS}, and told in {PAGE}")


if __name__ == "__main__":
    main()
