"""What a Livy knows: its batches, their names, and which it has forgotten. `source` names files of Livy 0.7.1."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

from tests.fakes.livy.batch import FakeBatch
from tests.fakes.livy.create_request import Uncast, require_cast
from tests.fakes.livy.job import Act, Job

_LOST = Job((("python3: can't open file: [Errno 2] No such file or directory",),), code=2)


class Rejected(Exception):
    """Livy's words for a no; 400."""


class LivyWorld:
    def __init__(self, folder: str, *, has_names: bool = True, retain_seconds: float = 600.0) -> None:
        self.folder = folder  # livy.file.local-dir-whitelist
        self.has_names = has_names  # since 0.6
        self.retain_seconds = retain_seconds  # livy.server.session.state-retain.sec
        self.room = 100  # livy.server.session.max-creation
        self.jobs: dict[str, Job] = {}
        self.batches: dict[int, FakeBatch] = {}
        self._next = 0

    def find(self, name_or_id: str) -> FakeBatch | None:
        # Digits are a number, whatever somebody meant; source: SessionServlet.doWithSession.
        if name_or_id.isdigit():
            return self.batches.get(int(name_or_id))
        if not self.has_names:
            raise Rejected(f'For input string: "{name_or_id}"')  # source: SessionServlet of v0.5.0, a NumberFormat…
        return next((batch for batch in self.batches.values() if batch.name == name_or_id), None)

    def create(self, body: Mapping[str, Any]) -> FakeBatch:
        if self.room <= 0:
            raise Rejected("Rejected, too many sessions are being created!")  # source: SessionServlet.post
        id, self._next = self._next, self._next + 1
        name = body.get("name")
        if self.has_names and name is not None:
            if all(letter.isdigit() for letter in name):
                raise Rejected(f"Invalid session name: {name}")  # source: Session.scala; an empty one too
            if self.find(name) is not None:
                raise Rejected(f"Duplicate session name: Some({name}) for session {id}")
        # A proxyUser is passed over without a word where impersonation is off.
        batch = FakeBatch(id, name, None, None)
        if self.has_names:
            # Registered first and started then: what fails from here on leaves a phantom. Source: SessionManager.
            self.batches[id] = batch
        self._start(batch, body)
        self.batches[id] = batch
        return batch

    def _start(self, batch: FakeBatch, body: Mapping[str, Any]) -> None:
        require_cast(body)
        file = body.get("file")
        if file is None:
            raise Rejected("requirement failed: File is required.")
        for path in (str(file), *body.get("jars", ()), *body.get("pyFiles", ()), *body.get("files", ())):
            self._require_allowed(path)
        # A file that is not there is spark-submit's business: 201, and dead later.
        batch.act = Act(self.jobs.get(str(file), _LOST))

    def _require_allowed(self, path: str) -> None:
        if "://" in path and not path.startswith("file:"):
            return
        plain = path.removeprefix("file://")
        if not PurePosixPath(plain).is_absolute():
            raise Rejected(f"requirement failed: Path '{plain}' is not absolute.")
        if not plain.startswith(self.folder):
            raise Rejected(f"requirement failed: Local path {plain} cannot be added to user sessions.")

    def delete(self, batch: FakeBatch) -> None:
        """Killed when it runs, and forgotten: it is never seen as `killed`."""
        del self.batches[batch.id]

    def release(self, file: str) -> None:
        for batch in self.batches.values():
            if batch.act is not None and batch.act.job is self.jobs[file]:
                batch.act.released += 1

    def pass_time(self, seconds: float) -> None:
        """Finished batches are forgotten; running ones and phantoms are not. Source: SessionManager.collectGarbage."""
        for batch in list(self.batches.values()):
            if batch.is_over:
                batch.age += seconds
                if batch.age > self.retain_seconds:
                    del self.batches[batch.id]


__all__ = ["LivyWorld", "Rejected", "Uncast"]
