"""How many fault and update domains the replicas of a partition can be in: by trying every set of cells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from itertools import combinations_with_replacement

from hdictl.rebalance.snapshot import Broker

_Cell = tuple[object, object]  # fault domain, update domain
# Fault domains used, how few replicas the fullest of them has (negative: more is better), update domains used.
Spread = tuple[int, int, int]


class Domains:
    """Of brokers that may hold replicas. What is unknown is one domain for all."""

    def __init__(self, brokers: Collection[Broker], *, no_domains: bool) -> None:
        has_fd = not no_domains and all(broker.fd is not None for broker in brokers)
        has_rack = not no_domains and not has_fd and all(broker.rack for broker in brokers)
        has_ud = has_fd and all(broker.ud is not None for broker in brokers)
        self._cell: dict[int, _Cell] = {
            broker.id: (broker.fd if has_fd else broker.rack if has_rack else None, broker.ud if has_ud else None)
            for broker in brokers
        }
        self._best: dict[int, Spread] = {}

    def cell(self, id: int) -> _Cell:
        return self._cell[id]

    def spread(self, replicas: Iterable[int]) -> Spread:
        """A replica on a broker that may hold none is in no domain."""
        return _spread([self._cell[id] for id in replicas if id in self._cell])

    def best(self, replication: int) -> Spread:
        if replication not in self._best:
            crowd = Counter(self._cell.values())
            self._best[replication] = max(
                _spread(cells)
                for cells in combinations_with_replacement(sorted(crowd, key=repr), replication)
                if all(count <= crowd[cell] for cell, count in Counter(cells).items())
            )
        return self._best[replication]

    def violations(self, placement: Iterable[Collection[int]]) -> tuple[int, int]:
        """Partitions in fewer fault domains, and in fewer update domains, than replicas or domains allow."""
        fds, uds = (len({cell[kind] for cell in self._cell.values()}) for kind in (0, 1))
        lacking_fd = lacking_ud = 0
        for replicas in placement:
            used_fd, _, used_ud = self.spread(replicas)
            lacking_fd += used_fd < min(len(replicas), fds)
            lacking_ud += used_ud < min(len(replicas), uds)
        return lacking_fd, lacking_ud


def _spread(cells: Collection[_Cell]) -> Spread:
    in_fd = Counter(fd for fd, _ in cells)
    return len(in_fd), -max(in_fd.values(), default=0), len({ud for _, ud in cells})
