"""`make bench`: what the design promises, measured, as seconds and as ratios within one run.

    help      `hdictl --help` against the bare start of Python
    check     checking 2,000 topics against parsing them
    render    six clusters in two regions as ARM templates
    up        ZooKeeper and three brokers, from nothing to ready: seconds and memory
    topics    plan, apply and plan again for 1,000 topics of 6 partitions on those brokers

Results are printed and kept in bench-results/. Run it on a quiet machine; nothing here asserts a time.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from tests.bench import check_2000, help_start, kafka_up, render_six, topics_1000


def _check() -> dict[str, float]:
    parse, rules = check_2000.measure()
    return {"parse_seconds": parse, "check_seconds": rules, "ratio": rules / parse}


BENCHES = {
    "help": help_start.measure,
    "check": _check,
    "render": render_six.measure,
    "up": kafka_up.measure,
    "topics": topics_1000.measure,
}


def main(names: list[str]) -> None:
    results = {}
    for name in names or list(BENCHES):
        print(f"── {name}", flush=True)
        results[name] = BENCHES[name]()
        for what, value in results[name].items():
            print(f"   {what.replace('_', ' '):44} {value:10.3f}", flush=True)
    folder = Path("bench-results")
    folder.mkdir(exist_ok=True)
    file = folder / f"{time.strftime('%Y%m%d-%H%M%S')}.json"
    file.write_text(json.dumps(results, indent=2) + "\n")
    print(f"kept in {file}")


if __name__ == "__main__":
    main(sys.argv[1:])
