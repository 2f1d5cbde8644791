"""Domains and room of brokers, as topics and snapshots get them: what is unknown is said, and nothing is put in its
place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hdictl.plan.observed import ObservedBroker
from hdictl.ports.progress import Progress
from hdictl.rebalance.snapshot import Broker
from hdictl.rebalance.topology import Domains
from hdictl.workflow.observe import observe, snapshot_brokers
from tests.fakes.cluster import MemoryCluster, MemoryTarget


class Told(MemoryTarget):
    """A target whose nodes told this much."""

    def __init__(self, domains: Domains) -> None:
        super().__init__(MemoryCluster(count=3))
        self.told = domains

    def domains(self, cluster: str, brokers: Sequence[ObservedBroker], progress: Progress) -> Domains:
        return self.told

    def free_bytes(self, cluster: str) -> Mapping[int, int]:
        return {1001: 7}


def test_a_snapshot_has_what_is_known_and_null_for_the_rest():
    brokers, warnings = snapshot_brokers(Told(Domains({1001: (0, 2), 1002: (1, None)}, "1003 is new")), "ingest")
    assert brokers == (
        Broker(1001, 0, 2, "/fd0", 7),
        Broker(1002, 1, None, "/fd1"),
        Broker(1003, None, None, "/fd2"),
    )
    assert warnings == ("1003 is new",)


def test_topics_fall_back_to_racks_and_the_reason_is_said():
    (seen,), warnings = observe(Told(Domains({1001: (0, 2)}, "1002 and 1003 are new")), ["ingest"])
    assert [(broker.fd, broker.ud) for broker in seen.brokers] == [(0, None), (1, None), (2, None)]
    assert warnings == (
        "cluster:ingest: update domains are unknown: replicas are spread over racks and brokers only "
        "(1002 and 1003 are new)",
    )


def test_all_known_is_nothing_to_speak_of():
    domains = Domains({1001: (0, 0), 1002: (1, 1), 1003: (2, 2)})
    (seen,), warnings = observe(Told(domains), ["ingest"])
    assert [(broker.fd, broker.ud) for broker in seen.brokers] == [(0, 0), (1, 1), (2, 2)]
    assert warnings == ()
    assert snapshot_brokers(Told(domains), "ingest")[1] == ()
