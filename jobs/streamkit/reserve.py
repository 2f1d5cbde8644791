"""A little room that is kept free for the last words: on a full disk, a job could not even say that it is full."""

from __future__ import annotations

from contextlib import suppress

from py4j.protocol import Py4JJavaError

from streamkit.storage import Storage

PLACE = "_progress/reserve"
_BYTES = 256 * 1024


class Reserve:
    """In the job's folder, where that is on this machine's disk: other storages do not fill up so."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    def take(self) -> None:
        if self._storage.is_on_disk:
            self._storage.write(PLACE, "." * _BYTES)

    def give_back(self) -> None:
        if self._storage.is_on_disk:
            with suppress(Py4JJavaError):  # what was to be told may still find room
                self._storage.delete(PLACE)
