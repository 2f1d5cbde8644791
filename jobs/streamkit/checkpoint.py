"""A job's folder: what Spark has written there about each query, and the file that asks the job to stop.

It lies on whatever file system the cluster has (abfs, wasb, a local disk): Hadoop's client reaches them all.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from pyspark.sql import SparkSession


@dataclass(frozen=True)
class Position:
    """Where a query stands: its last committed batch, and what the next one begins with."""

    batch: int
    end_offsets: dict[str, dict[str, int]]
    watermark_ms: int


class Storage:
    def __init__(self, spark: SparkSession, root: str) -> None:
        self._jvm: Any = spark._jvm
        self._root = root.rstrip("/")
        self._files = self._path("").getFileSystem(spark._jsc.hadoopConfiguration())

    def is_stop_asked(self) -> bool:
        return bool(self._files.exists(self._path("_control/stop")))

    def clear_stop(self) -> None:
        self._files.delete(self._path("_control/stop"), False)  # noqa: FBT003 (Java has no keywords)

    def is_settled(self, query: str) -> bool:
        """No batch of this query was begun and not finished."""
        return self._latest(query, "offsets") == self._latest(query, "commits")

    def position(self, query: str) -> Position | None:
        """None when no batch was ever committed."""
        batch = self._latest(query, "commits")
        if batch < 0:
            return None
        # A version, a line of metadata, then one line for each source.
        _version, metadata, *sources = self._read(f"checkpoints/{query}/offsets/{batch}").splitlines()
        end_offsets: dict[str, dict[str, int]] = {}
        for source in sources:
            end_offsets.update(json.loads(source))
        return Position(batch, end_offsets, json.loads(metadata).get("batchWatermarkMs", 0))

    def _latest(self, query: str, log: str) -> int:
        folder = self._path(f"checkpoints/{query}/{log}")
        if not self._files.exists(folder):
            return -1
        names = [status.getPath().getName() for status in self._files.listStatus(folder)]
        return max((int(name) for name in names if re.fullmatch(r"\d+", name)), default=-1)

    def _read(self, name: str) -> str:
        stream = self._files.open(self._path(name))
        try:
            return str(self._jvm.org.apache.commons.io.IOUtils.toString(stream, "UTF-8"))
        finally:
            stream.close()

    def _path(self, name: str) -> Any:
        return self._jvm.org.apache.hadoop.fs.Path(f"{self._root}/{name}")
