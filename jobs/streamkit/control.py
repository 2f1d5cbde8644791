"""How a running job stops when the file `<storage>/_control/stop` asks it to.

`query.stop()` alone interrupts the micro-batch that runs. That loses nothing, for it is run again on resuming, but
it writes some of its output twice. So the job waits until no batch runs, and stops then.
"""

from __future__ import annotations

import json
import time

from pyspark.sql.streaming import StreamingQuery

from streamkit.errors import SpecError
from streamkit.storage import Storage

STOP = "_control/stop"
STARTING_OFFSETS = "_control/starting_offsets.json"


def is_stop_asked(storage: Storage) -> bool:
    return storage.exists(STOP)


def clear_stop(storage: Storage) -> None:
    storage.delete(STOP)


def stop_between_batches(queries: list[StreamingQuery], patience: float) -> None:
    for query in queries:
        deadline = time.monotonic() + patience
        begun_with = last_batch(query)
        while query.isActive and query.status["isTriggerActive"] and time.monotonic() < deadline:
            # One that has a backlog and no pause between its triggers is never seen idle. When a batch has just ended,
            # the next has been begun a moment ago, and has not written anything.
            if last_batch(query) != begun_with:
                break
            time.sleep(0.01)
        query.stop()


def last_batch(query: StreamingQuery) -> int:
    """The last that Spark has told of, which it does after the commit."""
    progress = query.lastProgress
    return -1 if progress is None else int(progress["batchId"])


def forget_starting_offsets(storage: Storage) -> None:
    """Every query has a checkpoint now. A flow that is added later begins where the pipeline says."""
    if storage.exists(STARTING_OFFSETS):
        storage.delete(STARTING_OFFSETS)


def starting_offsets(storage: Storage) -> dict[str, str]:
    """Source → where a query without a checkpoint begins, left by whoever has reset it or moved it here."""
    text = storage.read(STARTING_OFFSETS)
    if text is None:
        return {}
    try:
        document = json.loads(text)
        return {name: value if isinstance(value, str) else json.dumps(value) for name, value in document.items()}
    except (ValueError, AttributeError) as error:
        raise SpecError(f"{STARTING_OFFSETS} cannot be read: {error}") from None
