"""How a running job stops when the file `<storage>/_control/stop` asks it to.

`query.stop()` alone interrupts the micro-batch that runs. That loses nothing, for it is run again on resuming, but
it writes some of its output twice. So the job waits until no batch runs, and stops then.
"""

from __future__ import annotations

import time

from pyspark.sql.streaming import StreamingQuery


def stop_between_batches(queries: list[StreamingQuery], patience: float) -> None:
    for query in queries:
        deadline = time.monotonic() + patience
        while query.isActive and query.status["isTriggerActive"] and time.monotonic() < deadline:
            time.sleep(0.01)
        query.stop()
