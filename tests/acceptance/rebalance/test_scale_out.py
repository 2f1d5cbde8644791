"""Three brokers become six while topics are written and read: nothing is lost, reordered or below its minimum."""

from __future__ import annotations

import json

import pytest

from tests.acceptance.rebalance.cluster import Living
from tests.acceptance.rebalance.load import commit_once, fill
from tests.acceptance.rebalance.site import BUSY, TOPICS, Site, bootstrap_of, stack


@pytest.mark.slow
def test_three_brokers_become_six_under_load(running, request):
    workspace = running()
    workspace.write(stack(3))
    workspace.run("up").ok()
    site = Site(workspace, bootstrap_of(workspace))
    request.addfinalizer(site.close)
    fill(site.living.bootstrap, BUSY, 150)
    commit_once(site.living.bootstrap)

    with site.under_load():
        workspace.run("scale", "ingest", "6").ok()
        site.close()
        site.living = Living(bootstrap_of(workspace))
        site.rebalance("plan", "--out", "plan.json").ok()
        planned = json.loads((workspace.folder / "plan.json").read_text())
        site.rebalance("run", "plan.json", "--yes", "--throttle", "20MB").ok()
        site.rebalance("verify").ok()

    placement = {
        (each["topic"], each["partition"]): tuple(each["replicas"]) for each in planned["assignment"]["partitions"]
    }
    site.require_settled(placement)
    assert planned["violations"] == []
    require_distinct_domains(site)
    require_even(site)

    site.rebalance("snapshot", "--out", "snapshot.json").ok()
    again = site.rebalance("plan", "--snapshot", "snapshot.json", "--json").ok().json
    assert (again["moves"], again["leader_changes"], again["violations"]) == (0, 0, [])
    site.rebalance("run", "--yes").ok()
    site.require_settled(placement)


def require_distinct_domains(site: Site) -> None:
    nodes = site.workspace.run("status", "--json").ok().json["clusters"][0]["nodes"]
    for domain in ("fd", "ud"):
        domain_of = {node["name"]: node[domain] for node in nodes}
        for key, replicas in site.living.placement().items():
            assert len({domain_of[str(broker)] for broker in replicas}) == 3, (key, domain)


def require_even(site: Site) -> None:
    placement = site.living.placement()
    for name, count in TOPICS.items():
        replicas = [broker for (topic, _), brokers in placement.items() if topic == name for broker in brokers]
        assert sorted({broker: replicas.count(broker) for broker in replicas}.values()) == [count // 2] * 6
