"""How a running job stops when the file `<storage>/_control/stop` asks it to.

`query.stop()` alone interrupts the micro-batch that runs. That loses nothing, for it is run again on resuming, but
it writes some of its output twice. So the job waits until no batch runs, and stops then.
"""

from __future__ import annotations

import json
import math
import time

from pyspark.sql.streaming import StreamingQuery

from streamkit.errors import SpecError
from streamkit.storage import Storage

STOP = "_control/stop"
STARTING_OFFSETS = "_control/starting_offsets.json"
_LOOK_SECONDS = 0.01


def is_stop_asked(storage: Storage) -> bool:
    return storage.exists(STOP)


def clear_stop(storage: Storage) -> None:
    storage.delete(STOP)


def stop_between_batches(queries: list[StreamingQuery], patience: float | None = None) -> None:
    """Each as soon as no batch of it runs. Without `patience`, whoever has asked decides how long to wait."""
    deadline = math.inf if patience is None else time.monotonic() + patience
    waiting = [(query, last_batch(query)) for query in queries]
    while waiting:
        is_over = time.monotonic() >= deadline
        still = []
        for query, begun_with in waiting:
            if is_over or is_between_batches(query, begun_with):
                query.stop()
            else:
                still.append((query, begun_with))
        waiting = still
        time.sleep(_LOOK_SECONDS if waiting else 0)


def is_between_batches(query: StreamingQuery, begun_with: int) -> bool:
    if not query.isActive or not query.status["isTriggerActive"]:
        return True
    # One that has a backlog and no pause between its triggers is never seen idle. When a batch has just ended, the
    # next has been begun a moment ago, and has not written anything.
    return last_batch(query) != begun_with


def last_batch(query: StreamingQuery) -> int:
    """The last that Spark has told of, which it does after the commit."""
    progress = query.lastProgress
    return -1 if progress is None else int(progress["batchId"])


def forget_starting_offsets(storage: Storage) -> bool:
    """Every query has a checkpoint now. A flow that is added later begins where the pipeline says."""
    if storage.exists(STARTING_OFFSETS):
        storage.delete(STARTING_OFFSETS)
    return True


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
