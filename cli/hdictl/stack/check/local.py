"""C: how a Kafka cluster looks from a laptop: local brokers, their domains, addresses of remote ones."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hdictl.stack.check.context import Context, is_known
from hdictl.stack.check.registry import ERROR, WARNING, Problem, rule
from hdictl.stack.shown import shown

FIRST_BROKER_ID = 1001
_PLATFORM_SETTINGS = (
    "advertised.listeners",
    "broker.id",
    "broker.rack",
    "inter.broker.listener.name",
    "listener.security.protocol.map",
    "listeners",
    "log.dir",
    "log.dirs",
    "reserved.broker.max.id",
    "zookeeper.connect",
)
_HOST_PORT = re.compile(r"(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:]+\]):([0-9]{1,5})\Z")
_PROXY = re.compile(r"socks5h?://(?:[^@/\s]+@)?[A-Za-z0-9._-]+:([0-9]{1,5})/?\Z")


def _has_port(match: re.Match[str] | None) -> bool:
    return match is not None and 1 <= int(match[1]) <= 65535


@rule(
    "C011",
    WARNING,
    "Domains are given for brokers that exist",
    why="Brokers are numbered from 1001; domains of a broker that does not exist have no effect.",
    fix="Use ids from 1001 to 1000 + the number of brokers.",
    source="hdictl: local and docker targets",
)
def domains(context: Context) -> Iterator[Problem]:
    for key, cluster in context.kafka():
        most = max(cluster.workers.count, cluster.local.brokers or 0)
        for broker in cluster.local.domains:
            if not FIRST_BROKER_ID <= broker < FIRST_BROKER_ID + most:
                yield Problem(
                    f"cluster:{key}",
                    ("clusters", key, "local", "domains", str(broker)),
                    f"cluster `{key}` has no broker {broker}",
                    f"brokers are {FIRST_BROKER_ID} to {FIRST_BROKER_ID + most - 1}",
                )


@rule(
    "C012",
    ERROR,
    "Broker and proxy addresses have the form that clients take",
    why="A client that is given something else fails with a message about DNS.",
    fix="Write host:9092, and socks5h://host:port for a proxy.",
    source="Apache Kafka: bootstrap.servers",
)
def addresses(context: Context) -> Iterator[Problem]:
    for key, cluster in context.kafka():
        for index, server in enumerate(cluster.bootstrap):
            if is_known(server) and not _has_port(_HOST_PORT.match(server)):
                yield Problem(
                    f"cluster:{key}",
                    ("clusters", key, "bootstrap", index),
                    f"`{shown(server)}` is not host:port",
                    "write it as wn0-kafka.example.com:9092",
                )
        proxy = cluster.proxy
        if proxy is not None and is_known(proxy) and not _has_port(_PROXY.match(proxy)):
            yield Problem(
                f"cluster:{key}",
                ("clusters", key, "proxy"),
                f"the proxy of cluster `{key}` is not socks5h://host:port",
                "write it as socks5h://127.0.0.1:9876",
            )


@rule(
    "C013",
    WARNING,
    "The cap on local brokers lies within the number of workers",
    why="`local.brokers` is a cap: a laptop runs at most as many brokers as the cluster has workers.",
    fix="Lower `local.brokers`, or raise `workers.count`.",
    source="hdictl: local and docker targets",
)
def local_cap(context: Context) -> Iterator[Problem]:
    for key, cluster in context.kafka():
        if cluster.local.brokers is not None and cluster.local.brokers > cluster.workers.count:
            yield Problem(
                f"cluster:{key}",
                ("clusters", key, "local", "brokers"),
                f"local.brokers {cluster.local.brokers} is more than workers.count {cluster.workers.count}, "
                "which is what will run",
                "lower it, or raise workers.count",
            )


@rule(
    "C014",
    ERROR,
    "Local ports of clusters do not overlap",
    why="`local.port` is the port of the first broker; the others follow it. Two clusters cannot share one.",
    fix="Move the ports apart, or leave them out: free ones are chosen.",
    source="hdictl: local and docker targets",
)
def local_ports(context: Context) -> Iterator[Problem]:
    taken: dict[int, str] = {}
    for key, cluster in context.kafka():
        first = cluster.local.port
        if first is None:
            continue
        ports = range(first, first + min(cluster.workers.count, cluster.local.brokers or cluster.workers.count))
        other = next((taken[port] for port in ports if port in taken), None)
        what = f"overlap those of `{other}`" if other else "end above 65535" if ports[-1] > 65535 else None
        if what:
            yield Problem(
                f"cluster:{key}",
                ("clusters", key, "local", "port"),
                f"the ports {ports[0]} to {ports[-1]} of `{key}` {what}",
                "choose another port, or leave it out",
            )
        taken.update(dict.fromkeys(ports, key))


@rule(
    "C015",
    ERROR,
    "`local.config` leaves alone what the target itself sets",
    why="Ids, listeners, folders and the address of ZooKeeper are how brokers are told apart and found again.",
    fix="Take the setting away.",
    source="hdictl: local and docker targets",
)
def local_config(context: Context) -> Iterator[Problem]:
    for key, cluster in context.kafka():
        for name in cluster.local.config:
            if name in _PLATFORM_SETTINGS:
                yield Problem(
                    f"cluster:{key}",
                    ("clusters", key, "local", "config", name),
                    f"`{name}` is set by the target, not by the stack",
                    "take the line away",
                )
