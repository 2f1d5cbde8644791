"""Spark's JVM, started by its own command line.

Python's usual way to it is a shell script that starts another JVM to find out how to start this one. Here it starts at
once, while Python is still loading Spark's library.
"""

from __future__ import annotations

import os
import struct
import subprocess
import tempfile
import time
from pathlib import Path

_POLL_SECONDS = 0.01


class Jvm:
    def __init__(self, command: list[str]) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self._address = Path(self._folder.name, "address")
        environ = {**os.environ, "_PYSPARK_DRIVER_CONN_INFO_PATH": str(self._address)}
        # It ends when its standard input does: with this process, however that ends.
        self._process = subprocess.Popen(command, env=environ, stdin=subprocess.PIPE)

    def introduce(self) -> None:
        """Tell Spark's library in this process where the JVM is: it then starts none itself."""
        while not self._address.exists():  # it appears whole
            if self._process.poll() is not None:
                raise RuntimeError(f"Spark's JVM ended with exit code {self._process.returncode}")
            time.sleep(_POLL_SECONDS)
        told = self._address.read_bytes()
        self._folder.cleanup()
        port, length = struct.unpack(">ii", told[:8])
        os.environ["PYSPARK_GATEWAY_PORT"] = str(port)
        os.environ["PYSPARK_GATEWAY_SECRET"] = told[8 : 8 + length].decode()

    def end(self) -> None:
        """As it would by itself, and no sooner."""
        assert self._process.stdin is not None  # noqa: S101 (it was asked for)
        self._process.stdin.close()
        self._process.wait()
