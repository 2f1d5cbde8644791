"""Fault and update domains on HDInsight: what the on-node script printed, and which broker is on which node.

The script is `templates/hdinsight/topology.sh`. What it prints comes back over SSH as it is, or among the output of a
script action, where other words stand before and after it: so it is one word between two marks.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hdictl.errors import DomainsUnknown
from hdictl.plan.observed import ObservedBroker

# (fault domain, update domain); None: unknown, never guessed
Pair = tuple[int | None, int | None]

_DOCUMENT = re.compile(r"<hdictl-topology>([A-Za-z0-9+/=]+)</hdictl-topology>")
_FAILURE = re.compile(r"<hdictl-topology-failure>([^<\n]*)</hdictl-topology-failure>")
_SHOWN = 6


@dataclass(frozen=True)
class Domains:
    """What is known of brokers' domains, by broker id, and what is not, in words."""

    known: Mapping[int, Pair] = field(default_factory=dict)
    warning: str | None = None


def nodes_of(output: str) -> dict[str, Pair]:
    """Name of a node (`wn0-ingest`) → its domains, from the output that carries the document."""
    found = _DOCUMENT.search(output)
    if found is None:
        failure = _FAILURE.search(output)
        raise DomainsUnknown(
            f"the node says: {failure[1]}" if failure else "the node printed no topology document",
            fix="the script that runs there is templates/hdinsight/topology.sh; run it by hand to see more",
        )
    try:
        workers = json.loads(base64.b64decode(found[1], validate=True))["hostGroups"]["workernode"]
        return {_label(node["fqdn"]): _pair(node) for node in workers}
    except (binascii.Error, ValueError, KeyError, TypeError, AttributeError):
        raise DomainsUnknown(
            "the topology document is not as HDInsight writes it: there are no hostGroups.workernode in it",
            fix="plan without domains (--no-domains), or write them into a snapshot",
        ) from None


def by_broker(
    brokers: Sequence[ObservedBroker], nodes: Mapping[str, Pair], addresses: Callable[[], Mapping[str, str]]
) -> Domains:
    """Brokers tell names, or addresses where they advertise those; `addresses` (host → IP) is asked only then."""
    named = {broker.id: _label(broker.host) for broker in brokers if _label(broker.host) in nodes}
    strangers = [broker for broker in brokers if broker.id not in named]
    if strangers:
        named |= _by_address(strangers, addresses(), nodes)
    known = {broker: nodes[node] for broker, node in named.items()}
    return Domains(known, _warning(brokers, known))


def _by_address(
    brokers: Iterable[ObservedBroker], addresses: Mapping[str, str], nodes: Mapping[str, Pair]
) -> dict[int, str]:
    shared = Counter(addresses.values())
    # An address that several hosts have says nothing about which of them it is.
    hosts = {address: _label(host) for host, address in addresses.items() if shared[address] == 1}
    found = {broker.id: hosts.get(broker.host, "") for broker in brokers}
    return {broker: node for broker, node in found.items() if node in nodes}


def _warning(brokers: Iterable[ObservedBroker], known: Mapping[int, Pair]) -> str | None:
    absent = [broker.id for broker in brokers if broker.id not in known]
    invalid = [broker for broker, pair in sorted(known.items()) if None in pair]
    said = []
    if absent:
        said.append(f"the topology document does not know {_few(absent)}")
    if invalid:
        said.append(f"HDInsight gives no valid domain for {_few(invalid)}")
    return "; ".join(said) or None


def _pair(node: Mapping[str, Any]) -> Pair:
    return _domain(node.get("faultDomain")), _domain(node.get("updateDomain"))


def _domain(value: Any) -> int | None:
    """Negative and missing values occur on HDInsight 5.1, where nodes are no longer in availability sets."""
    text = str(value).strip()
    return int(text) if text.isdecimal() else None


def _label(host: str) -> str:
    """`wn0-ingest` of `wn0-ingest.ab12.bx.internal.cloudapp.net`; the document has either. Addresses stay whole."""
    return host.lower() if re.fullmatch(r"[\d.]+|.*:.*", host) else host.lower().partition(".")[0]


def _few(brokers: Sequence[int]) -> str:
    shown = ", ".join(map(str, brokers[:_SHOWN]))
    return f"broker{'' if len(brokers) == 1 else 's'} {shown}" + (" …" if brokers[_SHOWN:] else "")
