"""Files in a job's folder, on whatever file system the cluster has (abfs, wasb, a local disk): Hadoop reaches all."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any

from py4j.protocol import Py4JJavaError
from pyspark.sql import SparkSession

_DRAFT = ".draft"


class Storage:
    def __init__(self, spark: SparkSession, root: str) -> None:
        self._jvm: Any = spark._jvm
        self._root = root.rstrip("/")
        self._files = self._path("").getFileSystem(spark._jsc.hadoopConfiguration())

    @property
    def is_on_disk(self) -> bool:
        return self._root.startswith("file:")

    def exists(self, name: str) -> bool:
        return bool(self._files.exists(self._path(name)))

    def read(self, name: str) -> str | None:
        """None when there is no such file. Whoever died in the last step of `write` has left a draft that is whole.

        Whoever died before has left one that is not: nothing of ours is empty.
        """
        if self.exists(name):
            return self._text(name)
        return (self._text(name + _DRAFT) or None) if self.exists(name + _DRAFT) else None

    def _text(self, name: str) -> str:
        stream = self._files.open(self._path(name))
        try:
            return str(self._jvm.org.apache.commons.io.IOUtils.toString(stream, "UTF-8"))
        finally:
            stream.close()

    def write(self, name: str, text: str) -> None:
        """Whole: a reader sees the old one or the new one."""
        draft, place = self._path(name + _DRAFT), self._path(name)
        try:
            self._fill(draft, text)
        except Py4JJavaError:
            # On a full disk it is there and empty, or a part of it is.
            with suppress(Py4JJavaError):
                self._files.delete(draft, False)  # noqa: FBT003 (Java has no keywords)
            raise
        # Hadoop does not rename over a file that is there.
        self._files.delete(place, False)  # noqa: FBT003
        self._files.rename(draft, place)

    def _fill(self, place: Any, text: str) -> None:
        stream = self._files.create(place, True)  # noqa: FBT003
        try:
            stream.write(bytearray(text.encode("utf-8")))
        finally:
            stream.close()

    def delete(self, name: str) -> None:
        self._files.delete(self._path(name), True)  # noqa: FBT003

    def latest(self, folder: str) -> int:
        """The highest of the numbers that name the files of a folder; -1 when there is none."""
        if not self.exists(folder):
            return -1
        names = [status.getPath().getName() for status in self._files.listStatus(self._path(folder))]
        return max((int(name) for name in names if re.fullmatch(r"\d+", name)), default=-1)

    def _path(self, name: str) -> Any:
        return self._jvm.org.apache.hadoop.fs.Path(f"{self._root}/{name}")
