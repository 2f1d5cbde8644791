"""Domains on HDInsight: what the on-node script prints, and which broker that is."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from hdictl.errors import DomainsUnknown
from hdictl.plan.observed import ObservedBroker
from hdictl.rebalance.topology import Domains, by_broker, nodes_of

SUFFIX = ".ab12.bx.internal.cloudapp.net"


def node(number: int, fault: Any, update: Any, suffix: str = "") -> dict[str, Any]:
    return {"fqdn": f"wn{number}-ingest{suffix}", "faultDomain": fault, "updateDomain": update}


def printed(*nodes: dict[str, Any]) -> str:
    text = json.dumps({"hostGroups": {"workernode": list(nodes)}})
    return f"<hdictl-topology>{base64.b64encode(text.encode()).decode()}</hdictl-topology>"


def broker(id: int, host: str) -> ObservedBroker:
    return ObservedBroker(id, host, 9092)


def nobody() -> dict[str, str]:
    raise AssertionError("names were enough")


def test_brokers_are_found_by_the_first_part_of_their_name():
    nodes = nodes_of(printed(node(0, 0, 2), node(1, "1", "3", SUFFIX), node(3, 2, 4)))
    hosts = [f"wn0-ingest{SUFFIX}", "WN1-ingest", f"wn3-ingest{SUFFIX}"]
    found = by_broker([broker(1001 + n, host) for n, host in enumerate(hosts)], nodes, nobody)
    assert found == Domains({1001: (0, 2), 1002: (1, 3), 1003: (2, 4)})


def test_other_words_around_the_document_do_no_harm():
    said = f"hn0-ingest: Start downloading\nhn0-ingest: {printed(node(0, 0, 1))}\nhn1-ingest: {printed(node(0, 0, 1))}"
    assert nodes_of(said) == {"wn0-ingest": (0, 1)}


def test_negative_and_missing_values_are_unknown_and_the_brokers_are_named():
    nodes = nodes_of(printed(node(0, -1, -1), node(1, 1, None), {"fqdn": "wn2-ingest"}, node(3, 0, 0)))
    found = by_broker([broker(1001 + n, f"wn{n}-ingest") for n in range(4)], nodes, nobody)
    assert found.known == {1001: (None, None), 1002: (1, None), 1003: (None, None), 1004: (0, 0)}
    assert found.warning == "HDInsight gives no valid domain for brokers 1001, 1002, 1003"


def test_addresses_are_looked_up_only_for_brokers_that_tell_them():
    nodes = nodes_of(printed(node(0, 0, 0), node(1, 1, 1), node(2, 2, 2)))
    hosts = {f"wn{n}-ingest{SUFFIX}": f"10.0.0.{n}" for n in range(3)}
    brokers = [broker(1001, "wn0-ingest"), broker(1002, "10.0.0.1"), broker(1003, "10.0.0.2")]
    assert by_broker(brokers, nodes, lambda: hosts) == Domains({1001: (0, 0), 1002: (1, 1), 1003: (2, 2)})


def test_an_address_that_two_hosts_have_tells_nothing():
    nodes = nodes_of(printed(node(0, 0, 0), node(1, 1, 1)))
    found = by_broker(
        [broker(1001, "127.0.0.1")], nodes, lambda: {"wn0-ingest": "127.0.0.1", "wn1-ingest": "127.0.0.1"}
    )
    assert found == Domains({}, "the topology document does not know broker 1001")


def test_a_broker_that_joined_since_is_named():
    nodes = nodes_of(printed(node(0, 0, 0)))
    found = by_broker([broker(1001, "wn0-ingest"), broker(1002, "wn5-ingest")], nodes, dict)
    assert found == Domains({1001: (0, 0)}, "the topology document does not know broker 1002")


def test_many_unknown_brokers_are_not_all_listed():
    found = by_broker([broker(1001 + n, f"wn{n}-ingest") for n in range(9)], {}, dict)
    assert (found.warning or "").endswith("1001, 1002, 1003, 1004, 1005, 1006 …")


@pytest.mark.parametrize(
    ("output", "said"),
    [
        ("", "printed no topology document"),
        ("<hdictl-topology-failure>cannot fetch (HTTPError 403)</hdictl-topology-failure>", "HTTPError 403"),
        ("<hdictl-topology>bm90IGpzb24=</hdictl-topology>", "not as HDInsight writes it"),
        ("<hdictl-topology>e30=</hdictl-topology>", "not as HDInsight writes it"),
        ("<hdictl-topology>A</hdictl-topology>", "not as HDInsight writes it"),
        (printed({"fqdn": 7}), "not as HDInsight writes it"),
    ],
)
def test_what_is_no_document_is_unknown_and_said(output, said):
    with pytest.raises(DomainsUnknown, match=said):
        nodes_of(output)
