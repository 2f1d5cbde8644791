"""A stack with real brokers and data on them, `hdictl rebalance` as a person runs it, and what must hold at the end."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from contextlib import AbstractContextManager
from pathlib import Path

from hdictl.rebalance.plan import BrokerChange, Certificate, Load, RebalancePlan, Spread, Step
from hdictl.rebalance.plan_file import to_text
from hdictl.rebalance.snapshot import PartitionKey
from tests.acceptance.rebalance.cluster import Living, wait_until
from tests.acceptance.rebalance.running import Running
from tests.acceptance.rebalance.under_load import under_load
from tests.workspace import Outcome, Workspace

BUSY = {"orders": 6, "clicks": 12}
# Many and small: more than are moved at once, so that there are several batches.
TOPICS = {**BUSY, "archive": 96}
Placement = Mapping[PartitionKey, tuple[int, ...]]

# Brokers of the same fault domain: what goes from one to the other keeps every partition's spread.
MATES = {1001: 1004, 1002: 1005, 1003: 1006, 1004: 1001, 1005: 1002, 1006: 1003}


def stack(brokers: int) -> dict[str, object]:
    # Kafka averages a throttle over eleven seconds, and so lets as many pass at once before it slows anything down.
    # Over two, and in small portions, a throttle shows on data that is copied in seconds.
    local = {"config": {"replication.quota.window.num": 2, "replica.fetch.max.bytes": 131072}}
    return {
        "stack": "moving",
        "clusters": {"ingest": {"kind": "kafka", "workers": {"count": brokers}, "local": local}},
        "topics": {
            "defaults": {"cluster": "ingest", "replication": 3, "config": {"min.insync.replicas": 2}},
            **{name: {"partitions": count} for name, count in TOPICS.items()},
        },
    }


class Site:
    def __init__(self, workspace: Workspace, bootstrap: str) -> None:
        self.workspace = workspace
        self.living = Living(bootstrap)

    def close(self) -> None:
        self.living.close()

    def rebalance(self, *arguments: str, on: Workspace | None = None) -> Outcome:
        return (on or self.workspace).run("rebalance", *arguments)

    def start(self, *arguments: str) -> Running:
        return Running(self.workspace, "rebalance", *arguments)

    def under_load(self, *, with_a_crash: bool = False) -> AbstractContextManager[None]:
        return under_load(self.living.bootstrap, BUSY, with_a_crash=with_a_crash)

    def mirrored(self, topics: Collection[str] = tuple(BUSY)) -> Placement:
        """Every replica of the topics goes to the other broker of its fault domain, and so back the next time."""
        return {
            key: tuple(MATES[broker] for broker in replicas) if key[0] in topics else replicas
            for key, replicas in self.living.placement().items()
        }

    def plan(self, placement: Placement, *, file: str = "plan.json") -> str:
        """A plan file by hand: how things get from where they are to `placement`."""
        path = self.workspace.folder / file
        path.write_text(to_text(by_hand(self.living, placement)))
        return str(path)

    def another_machine(self, folder: Path) -> Workspace:
        """It knows the brokers' addresses and nothing else; its state folder is empty."""
        folder.mkdir()
        workspace = Workspace(folder, target="azure")
        cluster = {"kind": "kafka", "bootstrap": self.living.bootstrap.split(",")}
        workspace.write({"stack": "moving", "clusters": {"ingest": cluster}})
        return workspace

    def require_settled(self, placement: Placement) -> None:
        """All is where it should be, in sync, led by its first replica; nothing moves and nothing is throttled."""
        found = self.living.placement()
        assert found == dict(placement), {
            key: replicas for key, replicas in found.items() if placement[key] != replicas
        }
        assert not (behind := self.living.behind()), behind
        assert not (others := self.living.led_by_others()), others
        self.require_quiet()

    def require_quiet(self) -> None:
        assert not (moving := self.living.under_way()), moving
        assert not (throttles := self.living.throttles()), throttles

    def recover(self) -> None:
        """What a failed test left half done is no business of the next one."""
        self.workspace.run("up").ok()
        self.rebalance("cancel", "--yes")
        self.clear()
        self.heal()

    def heal(self) -> None:
        """After a crash: all brokers run, all replicas are in sync, and the first of each leads."""
        self.workspace.run("up").ok()
        wait_until("all is in sync", lambda: not self.living.behind())
        self.living.elect()
        wait_until("the first replicas lead", lambda: not self.living.led_by_others())

    def clear(self) -> None:
        self.living.reassign(dict.fromkeys(self.living.under_way()))
        self.clear_throttles()

    def clear_throttles(self) -> None:
        for (kind, name), settings in self.living.throttles().items():
            self.living.set_throttle(kind, name, dict.fromkeys(settings))


def by_hand(living: Living, placement: Placement) -> RebalancePlan:
    snapshot = living.snapshot("ingest")
    before = {partition.key: partition for partition in snapshot.partitions}
    moved = {key: replicas for key, replicas in placement.items() if before[key].replicas != replicas}
    nothing, none = Spread(0, 0, 0, 0), Load(0, 0, 0)
    return RebalancePlan(
        kind="balance",
        cluster=snapshot.cluster,
        cluster_id=snapshot.cluster_id,
        fingerprint=snapshot.fingerprint,
        steps=tuple(Step(*key, before[key].replicas, moved[key], before[key].size) for key in sorted(moved)),
        untouched={key: partition.replicas for key, partition in before.items() if key not in moved},
        brokers=tuple(BrokerChange(broker, none, none, 0, 0, 0, 0, 0) for broker in snapshot.brokers),
        spread_before=nothing,
        spread=nothing,
        violations_before=(),
        violations=(),
        certificate=Certificate(0, 0, "none: made by hand"),
        notes=(),
    )


def bootstrap_of(workspace: Workspace) -> str:
    (cluster,) = json.loads(workspace.run("status", "--json").ok().out)["clusters"]
    return str(cluster["bootstrap"])
