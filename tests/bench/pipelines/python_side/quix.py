"""quixstreams: views of each ad in windows of ten seconds, as its own documentation writes it.

The topic is keyed by ad, so that it need not group anew through another topic.
"""

from __future__ import annotations

import logging
import tempfile
import uuid
from datetime import timedelta
from io import BytesIO
from typing import Any

import fastavro
from quixstreams import Application

from tests.bench.pipelines.python_side.meter import Meter, task


def main() -> None:
    given = task()
    schema = fastavro.parse_schema(given["schema"])
    meter = Meter(given["total"])
    counted = 0

    def decode(content: bytes) -> Any:
        meter.add(1)
        return fastavro.schemaless_reader(BytesIO(content), schema)

    def count(_row: Any) -> None:
        nonlocal counted
        counted += 1

    logging.disable(logging.WARNING)
    with tempfile.TemporaryDirectory() as folder:
        app = Application(
            broker_address=given["bootstrap"],
            consumer_group=f"bench-{uuid.uuid4().hex[:8]}",
            auto_offset_reset="earliest",
            use_changelog_topics=False,  # what it loses when it dies is not measured here
            state_dir=folder,
            loglevel="ERROR",
        )
        topic = app.topic(
            given["topic"],
            key_deserializer="bytes",
            value_deserializer="bytes",
        )
        rows = app.dataframe(topic).apply(decode)
        rows = rows.set_timestamp(lambda event, *_: event["event_time"])
        views = rows.filter(lambda event: event["event_type"] == "view")
        views.tumbling_window(timedelta(seconds=10), grace_ms=timedelta(seconds=10)).count().final().update(count)
        app.run(count=given["total"], timeout=60.0)
        meter.tell(rows_out=counted)


if __name__ == "__main__":
    main()
