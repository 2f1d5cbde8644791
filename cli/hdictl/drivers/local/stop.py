"""Stop all processes of one instance of the local target, whether or not anything is written down about them."""

from __future__ import annotations

from pathlib import Path

from hdictl.drivers.local import processes
from hdictl.drivers.local.record import ZOOKEEPER

ARCHIVE_MAKER = "class-archive"
_BROKER_GRACE = 30.0  # seconds, to hand over leaderships and write what is in memory
_ZOOKEEPER_GRACE = 5.0
_HOPELESS_GRACE = 2.0  # a broker without its ZooKeeper tries to say good-bye for minutes


def stop_all(instance: str, folder: Path, *, is_gentle: bool) -> int:
    """Brokers first, all at once; ZooKeeper last. Returns how many ZooKeepers and brokers were ended."""
    found = processes.find_all(instance, folder)
    role = {process: name.rpartition("/")[2] for process, name in found.items()}
    makers = [process for process, name in role.items() if name == ARCHIVE_MAKER]
    zookeepers = [process for process, name in role.items() if name == ZOOKEEPER]
    brokers = [process for process in role if process not in makers and process not in zookeepers]
    processes.end(makers, grace=0)
    grace = _BROKER_GRACE if zookeepers else _HOPELESS_GRACE
    ended = processes.end(brokers, grace=grace if is_gentle else 0)
    return ended + processes.end(zookeepers, grace=_ZOOKEEPER_GRACE if is_gentle else 0)
