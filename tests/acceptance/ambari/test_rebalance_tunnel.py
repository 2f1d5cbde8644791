"""A rebalance through the SSH tunnel: moves, journal, lease and leaders all go the way that HDInsight's brokers are
reached from outside."""

from __future__ import annotations

from pathlib import Path

import pytest

from hdictl.drivers.kafka.admin import connect
from hdictl.drivers.ssh_tunnel import tunnel
from hdictl.drivers.this_process import is_gone, this_process
from hdictl.ports.kafka import Endpoint, NewTopic
from hdictl.ports.progress import Silent
from hdictl.rebalance.journal import TOPIC
from hdictl.rebalance.planner import plan
from hdictl.rebalance.snapshot import Broker
from hdictl.rebalance.throttle_wish import throttle_wish
from hdictl.rebalance.wishes import Wishes
from hdictl.targets.clients import KafkaClients
from hdictl.workflow.rebalance.lock import Claim
from hdictl.workflow.rebalance.observe import snapshot_of
from hdictl.workflow.rebalance.run import run_plan
from hdictl.workflow.rebalance.verify import verify
from hdictl.workflow.rebalance.work import Work

ALL_LED_BY_ONE = ((1001, 1002, 1003),) * 3


class OneCluster(KafkaClients):
    """As much of a target as a rebalance needs."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint

    def endpoint(self, cluster: str) -> Endpoint:
        return self._endpoint


def test_leaders_are_spread_and_the_journal_is_kept(
    ssh_server, kafka3, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("HDICTL_STATE_DIR", str(tmp_path))
    server = ssh_server()
    with tunnel("127.0.0.1", server.port, server.user, server.key, None) as proxy:
        bootstrap = kafka3.bootstrap.replace("127.0.0.1", "localhost")
        target = OneCluster(Endpoint("ingest", bootstrap, cluster_id=kafka3.cluster_id, proxy=proxy))
        with connect(target.endpoint("ingest")) as kafka:
            kafka.create_topics([NewTopic("lopsided", ALL_LED_BY_ONE, {})])
            kafka.settle({"lopsided": 3})
        try:
            brokers = {1001 + number: Broker(1001 + number, number, number) for number in range(3)}
            with target.placement_reader("ingest") as reader:
                made = plan(snapshot_of(reader, {}, brokers, "ingest"), Wishes())
            assert made.leader_changes
            work = Work(target, "ingest", Claim(this_process(), is_gone), Silent())  # type: ignore[arg-type]
            outcome = run_plan(work, made, throttle_wish("10MB"))
            assert verify(work.target, "ingest", work.pace).differences == ()
            with target.journal("ingest") as store:
                assert store.read().run == outcome.run
            assert (tmp_path / "rebalance" / f"{kafka3.cluster_id}.json").is_file()
        finally:
            with connect(target.endpoint("ingest")) as kafka:
                kafka.delete_topics(["lopsided", TOPIC])
                kafka.settle({"lopsided": 0, TOPIC: 0})
