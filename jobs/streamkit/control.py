"""How a running job is asked to stop: a file `<storage>/_control/stop`.

`query.stop()` alone interrupts the micro-batch that runs. That loses nothing, for it is run again on resuming, but
it writes some of its output twice. So the job waits until no batch runs, and stops then.
"""

from __future__ import annotations

import re
import time
from typing import Any

from pyspark.sql import SparkSession
from pyspark.sql.streaming import StreamingQuery


class Storage:
    """The job's folder, on whatever file system it lies (local, abfs, wasb): Hadoop's client reaches them all."""

    def __init__(self, spark: SparkSession, root: str) -> None:
        self._jvm = spark._jvm
        self._root = root.rstrip("/")
        path = self._path("")
        self._files = path.getFileSystem(spark._jsc.hadoopConfiguration())

    def is_stop_asked(self) -> bool:
        return bool(self._files.exists(self._path("_control/stop")))

    def clear_stop(self) -> None:
        self._files.delete(self._path("_control/stop"), False)  # noqa: FBT003 (Java has no keywords)

    def latest(self, query: str, log: str) -> int:
        """The last batch in a checkpoint's `offsets` (begun) or `commits` (done); -1 when there is none."""
        folder = self._path(f"checkpoints/{query}/{log}")
        if not self._files.exists(folder):
            return -1
        names = [status.getPath().getName() for status in self._files.listStatus(folder)]
        return max((int(name) for name in names if re.fullmatch(r"\d+", name)), default=-1)

    def is_settled(self, query: str) -> bool:
        """No batch of this query was begun and not finished."""
        return self.latest(query, "offsets") == self.latest(query, "commits")

    def _path(self, name: str) -> Any:
        return self._jvm.org.apache.hadoop.fs.Path(self._root + "/" + name)


def stop_between_batches(queries: list[StreamingQuery], storage: Storage, patience: float) -> dict[str, bool]:
    """Stop each query; says for each whether it stopped between two batches."""
    for query in queries:
        deadline = time.monotonic() + patience
        while query.isActive and query.status["isTriggerActive"] and time.monotonic() < deadline:
            time.sleep(0.01)
        query.stop()
    return {query.name: storage.is_settled(query.name) for query in queries}
