"""bytewax: views of each ad in windows of ten seconds, as its own documentation writes it."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from io import BytesIO
from typing import Any

import bytewax.operators as op
import bytewax.operators.windowing as win
import fastavro
from bytewax.connectors.kafka import KafkaSource
from bytewax.dataflow import Dataflow
from bytewax.operators.windowing import EventClock, TumblingWindower
from bytewax.outputs import DynamicSink, StatelessSinkPartition
from bytewax.testing import run_main

from tests.bench.pipelines.python_side.meter import Meter, task

EPOCH = datetime(2026, 1, 1, tzinfo=timezone.utc)


class Counted(StatelessSinkPartition[Any]):
    rows = 0

    def write_batch(self, items: list[Any]) -> None:
        Counted.rows += len(items)


class Nowhere(DynamicSink[Any]):
    def build(self, step_id: str, worker_index: int, worker_count: int) -> Counted:
        return Counted()


def main() -> None:
    given = task()
    schema = fastavro.parse_schema(given["schema"])
    meter = Meter(given["total"])

    def decode(message: Any) -> Any:
        meter.add(1)
        return fastavro.schemaless_reader(BytesIO(message.value), schema)

    flow = Dataflow("bench")
    source = KafkaSource([given["bootstrap"]], [given["topic"]], tail=False, batch_size=10_000)
    events = op.map("decode", op.input("in", flow, source), decode)
    views = op.filter("views", events, lambda event: event["event_type"] == "view")
    clock = EventClock(
        ts_getter=lambda event: datetime.fromtimestamp(event["event_time"] / 1000, timezone.utc),
        wait_for_system_duration=timedelta(seconds=10),
    )
    windows = TumblingWindower(length=timedelta(seconds=10), align_to=EPOCH)
    counts = win.count_window("count", views, clock, windows, lambda event: event["ad_id"])
    op.output("out", counts.down, Nowhere())
    run_main(flow)
    meter.tell(rows_out=Counted.rows)


if __name__ == "__main__":
    main()
