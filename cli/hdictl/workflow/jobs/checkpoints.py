"""Where each query of a job stands."""

from __future__ import annotations

from hdictl.ports.job_storage import JobStorage
from hdictl.streaming.checkpoint import FOLDER, SIDECAR, Checkpoint, to_checkpoint


def read_checkpoints(storage: JobStorage) -> tuple[Checkpoint, ...]:
    queries = [each.name for each in storage.list(FOLDER) if each.is_folder and not each.name.startswith("_")]
    return tuple(_read(storage, query) for query in queries)


def _read(storage: JobStorage, query: str) -> Checkpoint:
    committed = _latest(storage, f"{FOLDER}/{query}/commits")
    content = storage.read(f"{FOLDER}/{query}/offsets/{committed}") if committed >= 0 else None
    return to_checkpoint(
        query,
        committed,
        _latest(storage, f"{FOLDER}/{query}/offsets"),
        content,
        storage.read(f"{FOLDER}/{query}/{SIDECAR}"),
    )


def _latest(storage: JobStorage, folder: str) -> int:
    return max((int(each.name) for each in storage.list(folder) if each.name.isdigit()), default=-1)
