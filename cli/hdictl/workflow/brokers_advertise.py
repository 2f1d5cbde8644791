"""Brokers that tell clients their IP address instead of their name.

Clients in another network (peering, VPN, MirrorMaker) rarely resolve the names of the cluster's nodes. Kafka takes the
address from server.properties, which Ambari writes anew at every start; so the node puts it there itself, by a few
lines of shell in `kafka-env`, between two lines that mark them as ours.
"""

from __future__ import annotations

import re

from hdictl import assets
from hdictl.errors import PlanRefused
from hdictl.ports.ambari import ConfigEdit, Configuration

ENVIRONMENT, BROKER = "kafka-env", "kafka-broker"
_BLOCK = re.compile(r"\n*^# begin hdictl advertise-ip$.*?^# end hdictl advertise-ip$\n?", re.M | re.S)
_LISTENER = re.compile(r"^(?P<protocol>[A-Z_]+)://(?P<host>[^:,]*):(?P<port>\d+)$")


def advertise_edits(environment: Configuration, broker: Configuration, *, on: bool) -> tuple[ConfigEdit, ...]:
    """What has to change; edits without effect when it is so already."""
    content = environment.properties.get("content", "")
    others = _BLOCK.sub("\n", content)
    _require_alone(others)
    if not on:
        return (ConfigEdit(environment, {"content": others if _BLOCK.search(content) else content}),)
    wanted = f"{others.rstrip()}\n\n{_shell().strip()}\n"
    listeners = _everywhere(broker.properties.get("listeners", "PLAINTEXT://localhost:9092"))
    return ConfigEdit(environment, {"content": wanted}), ConfigEdit(broker, {"listeners": listeners})


def _shell() -> str:
    return assets.template("kafka/advertise-ip.sh").read_text(encoding="utf-8")


def _everywhere(listeners: str) -> str:
    """The listener on every address of the node, on its port."""
    match = _LISTENER.fullmatch(listeners.strip())
    if match is None or match["protocol"] != "PLAINTEXT":
        raise PlanRefused(
            f"nothing was touched: `listeners` is {listeners}; addresses can be advertised for one PLAINTEXT listener",
            where=BROKER,
            fix="with TLS or Kerberos clients check the broker's name: use DNS that knows it",
        )
    return f"PLAINTEXT://0.0.0.0:{match['port']}"


def _require_alone(content: str) -> None:
    """Two pieces of shell that write the same line would undo each other."""
    for number, line in enumerate(content.splitlines(), 1):
        if "advertised.listeners" in line and not line.lstrip().startswith("#"):
            raise PlanRefused(
                f"nothing was touched: line {number} of `content` sets advertised.listeners already: {line.strip()}",
                where=ENVIRONMENT,
                fix="keep it as it is, or take those lines out in Ambari and run this again",
            )
