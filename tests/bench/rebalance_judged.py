"""A plan with what it was made from, and what follows from the two."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from hdictl.rebalance.plan import RebalancePlan
from hdictl.rebalance.snapshot import Partition, Snapshot
from hdictl.rebalance.wishes import Wishes
from tests.bench.rebalance_domains import Domains


@dataclass(frozen=True)
class Judged:
    """`may_leave`: rules that the plan may leave, if it says so."""

    start: Snapshot
    wishes: Wishes
    plan: RebalancePlan
    may_leave: frozenset[str] = frozenset()

    @property
    def is_partial(self) -> bool:
        """Repairs, and changes of replication, balance nothing."""
        return self.wishes.repair_only or bool(self.wishes.replication)

    @cached_property
    def domains(self) -> Domains:
        held = [broker for broker in self.start.brokers if broker.id not in self.wishes.drain]
        return Domains(held, no_domains=self.wishes.no_domains)

    @cached_property
    def pairs(self) -> list[tuple[Partition, tuple[int, ...]]]:
        return [(partition, self.plan.placement.get(partition.key, ())) for partition in self.start.partitions]

    @cached_property
    def arriving(self) -> Counter[int]:
        """Bytes, by broker."""
        bytes_: Counter[int] = Counter()
        for partition, after in self.pairs:
            bytes_.update({id: partition.size for id in after if id not in partition.replicas})
        return bytes_
