"""A driver that is killed twenty times, at moments from a seed that the tests do not use: what was lost or doubled."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

from tests.acceptance.jobs.killed import killed
from tests.acceptance.jobs.orders import Orders
from tests.bench.pipelines.topics import kafka_status

SEED = 2026


def measure(kills: int) -> dict[str, Any]:
    begun = time.monotonic()
    with kafka_status() as kafka, tempfile.TemporaryDirectory() as folder, Orders(kafka, Path(folder)) as orders:
        found = killed(orders, Path(folder), kills, SEED)
    told = {
        "kills": found.kills,
        "records": found.records,
        "lost_in_parquet": found.lost_in_parquet,
        "doubled_in_parquet": found.doubled,
        "lost_in_kafka": found.lost,
        "copies_in_kafka": found.copies,
        "copies_unlike": found.unlike,
        "seconds": time.monotonic() - begun,
    }
    print(f"   {told}", flush=True)
    return told
