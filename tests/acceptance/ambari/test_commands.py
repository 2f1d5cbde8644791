"""`hdictl ambari` as a person runs it, in the fake cloud, with real brokers where it matters."""

from __future__ import annotations

import json
import signal

import pytest

from tests.fakes.azure.ambari.brokers import bind


def test_hosts(site):
    shown = site.ambari("hosts", "ingest").ok()
    for host in site.world.hosts:
        name, _, domain = host.partition(".")
        assert name in shown.out
        assert domain in shown.out
    listed = site.ambari("hosts", "ingest", "--json").ok().json
    assert (listed["command"], listed["version"], listed["cluster"]) == ("ambari hosts", 1, "ingest")
    assert sorted(host["role"] for host in listed["hosts"]) == ["head"] * 2 + ["worker"] * 3 + ["zookeeper"] * 3


def test_settings_are_listed_shown_and_changed(site):
    assert set(site.ambari("config", "ingest", "--json").ok().json["types"]) >= {"kafka-broker", "kafka-env"}
    shown = site.ambari("config", "ingest", "kafka-broker").ok().out
    assert "num.io.threads = 8" in shown
    assert "ssl.keystore.password = ***" in shown

    change = ("config", "ingest", "kafka-broker", "num.io.threads=16", "--unset", "min.insync.replicas")
    site.ambari(*change).failed(1, "kafka-broker of `ingest` will be changed", "--yes")
    assert site.world.desired()["kafka-broker"] == "version1"

    done = site.ambari(*change, "--yes").ok().out
    for said in ("- 8", "+ 16", "- 2", "KAFKA needs a restart (3 parts): hdictl ambari restart ingest"):
        assert said in done
    now = site.world.configs["kafka-broker"][-1].properties
    assert now["num.io.threads"] == "16"
    assert set(now) == {"listeners", "num.io.threads", "ssl.keystore.password"}

    again = site.ambari(*change, "--yes", "--json").ok().json
    assert (again["changed"], again["tags"]) == ({}, {})
    assert len(again["needs_restart"]["KAFKA"]) == 3


def test_addresses_are_advertised_once(site):
    site.ambari("advertise-ip", "ingest", "--yes").ok()
    content = site.world.configs["kafka-env"][-1].properties["content"]
    assert "# begin hdictl advertise-ip" in content
    assert site.world.configs["kafka-broker"][-1].properties["listeners"] == "PLAINTEXT://0.0.0.0:9092"
    assert "nothing to change" in site.ambari("advertise-ip", "ingest").ok().out
    assert len(site.world.configs["kafka-env"]) == 2


def test_what_goes_wrong_is_said(site):
    site.ambari("hosts", "ingset").failed(2, "no cluster `ingset`", "`ingest`")
    site.ambari("config", "ingest", "kafka-brokr").failed(1, "kafka-broker")
    site.ambari("config", "ingest", "kafka-broker", "threads").failed(2, "KEY=VALUE")
    site.environ["GATEWAY_PASSWORD"] = "Wrong-Pass-1"
    wrong = site.ambari("hosts", "ingest", "--json").failed(1, "gateway user or password is wrong")
    assert "Wrong-Pass-1" not in wrong.out + wrong.err
    assert json.loads(wrong.out or wrong.err)["error"]["id"] == "E540"
    del site.environ["GATEWAY_PASSWORD"]
    site.ambari("hosts", "ingest").failed(1, "GATEWAY_PASSWORD is not set")


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_rolling_restart_of_real_brokers_that_is_cut_off_goes_on(site, platform, number):
    endpoint = platform.endpoints()["ingest"]
    brokers = bind(site.world, platform, "ingest")
    site.declare(bootstrap=endpoint.bootstrap.split(","), cluster_id=endpoint.cluster_id)
    site.ambari("restart", "ingest").ok()
    assert site.world.history == []

    site.ambari("config", "ingest", "kafka-broker", "num.io.threads=16", "--yes").ok()
    first, second, third = sorted(brokers)
    cut = site.interrupted(
        *("ambari", "restart", "ingest", "--yes"),
        when=lambda: f"stop {second}" in site.world.history,
        signal_number=number,
    )
    if number is signal.SIGINT:
        cut.failed(130, "interrupted", "1 of 3 brokers are restarted", "go on with: hdictl ambari restart ingest")
        assert {part.state for part in site.world.parts} == {"STARTED"}
        assert {part.maintenance for part in site.world.parts} == {"OFF"}
    assert f"stop {third}" not in site.world.history

    rest = site.ambari("restart", "ingest", "--yes", "--json")
    while rest.code == 1 and "lack a replica" in rest.out + rest.err:  # whoever is quick is told to wait
        rest = site.ambari("restart", "ingest", "--yes", "--json")
    assert third in rest.ok().json["restarted"]
    assert first in rest.json["up_to_date"]
    assert {part.state for part in site.world.parts} == {"STARTED"}
    assert {part.maintenance for part in site.world.parts} == {"OFF"}
    assert "up to date" in site.ambari("restart", "ingest").ok().out
