"""One stack on this machine: its folder, what is written down there, and its living processes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
from filelock import FileLock, Timeout

from hdictl.drivers import folders
from hdictl.drivers.free_ports import PortBook
from hdictl.drivers.local import processes
from hdictl.drivers.local.record import NodeRecord, RecordFile
from hdictl.errors import Locked, NotRunning, UsageError
from hdictl.ports.progress import Progress

_LOCK_PATIENCE = 300.0  # seconds; whoever holds the lock starts or stops a cluster


class LocalInstance:
    """`folder` belongs to it alone; the folders beside it are other instances'."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        self.folder = folder.absolute()
        self.record = RecordFile(self.folder)
        self.ports = PortBook(folders.machine())

    @property
    def kept_log(self) -> Path:
        """Where the log of a failed start stays when the rest of that start is taken back."""
        return self.folder.with_name(f"{self.folder.name}.failed.log")

    def identity(self, cluster: str, node: str) -> processes.Identity:
        return processes.Identity(self.name, cluster, node, self.record.place(cluster, node).settings)

    def process(self, cluster: str, node: NodeRecord) -> psutil.Process | None:
        return processes.find(self.identity(cluster, node.name), node.pid, node.started)

    def node(self, cluster: str, name: str) -> NodeRecord:
        clusters = self.record.read().clusters
        if not clusters:
            raise NotRunning("the stack is not up on this machine", where="local", fix="run `hdictl up`")
        if cluster not in clusters:
            raise UsageError(
                f"no cluster `{cluster}` runs here", where="local", fix=f"there are: {', '.join(clusters)}"
            )
        nodes = clusters[cluster].nodes
        if name not in nodes:
            raise UsageError(f"no node `{name}`", where=f"cluster `{cluster}`", fix=f"there are: {', '.join(nodes)}")
        return nodes[name]

    @contextmanager
    def alone(self, progress: Progress) -> Iterator[None]:
        """While this lasts, no other hdictl starts or stops anything of this stack."""
        self.folder.parent.mkdir(parents=True, exist_ok=True)
        lock = FileLock(self.folder.with_name(f"{self.folder.name}.lock"))
        try:
            lock.acquire(timeout=0)
        except Timeout:
            progress.step("Another hdictl is at work on this stack: waiting for it")
            try:
                lock.acquire(timeout=_LOCK_PATIENCE)
            except Timeout:
                raise Locked(
                    f"another hdictl is at work on this stack for more than {_LOCK_PATIENCE:.0f} s",
                    where=lock.lock_file,
                    fix="let it finish, or end it, then run this again",
                ) from None
        try:
            yield
        finally:
            lock.release()
