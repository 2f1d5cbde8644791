"""A loop: views of each ad in windows of ten seconds, put out when the watermark has passed. Avro or JSON."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from io import BytesIO
from typing import Any

import fastavro
import orjson

from tests.bench.pipelines.python_side.meter import Meter, task
from tests.bench.pipelines.python_side.reader import chunks

WINDOW_MS, DELAY_MS = 10_000, 10_000


def decoder(given: dict[str, Any]) -> Callable[[bytes], Any]:
    if given["format"] == "json":
        return orjson.loads
    schema = fastavro.parse_schema(given["schema"])
    read = fastavro.schemaless_reader
    return lambda content: read(BytesIO(content), schema)


def main() -> None:
    given = task()
    decode = decoder(given)
    meter = Meter(given["total"])
    open_windows: dict[int, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    newest, views, rows_out = 0, 0, 0
    for messages in chunks(given["bootstrap"], [given["topic"]]):
        for message in messages:
            try:
                event = decode(message.value())
                at = event["event_time"]
                is_view, ad = event["event_type"] == "view", event["ad_id"]
            except (ValueError, KeyError, EOFError):
                continue  # where a dead letter would be written
            newest = max(newest, at)
            if is_view and at // WINDOW_MS * WINDOW_MS + WINDOW_MS > newest - DELAY_MS:
                open_windows[at // WINDOW_MS][ad] += 1
                views += 1
        for window in [each for each in open_windows if (each + 1) * WINDOW_MS <= newest - DELAY_MS]:
            rows_out += len(open_windows.pop(window))
        meter.add(len(messages))
        if meter.is_done:
            break
    meter.tell(views=views, rows_out=rows_out)


if __name__ == "__main__":
    main()
