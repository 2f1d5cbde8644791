"""The settings of a broker and of ZooKeeper, the same on every platform that runs them on this machine.

Three groups, the later ones win: small (a laptop carries several brokers), HDInsight's own defaults (what
holds here holds on the cluster), and what the stack says.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Final

from hdictl.ports.machine import BrokerSpec, KafkaSpec

_SMALL: Final[Mapping[str, str]] = {
    "log.cleaner.dedupe.buffer.size": "2097152",  # Kafka's default takes 128 MB of heap
    "log.index.size.max.bytes": "1048576",
    "log.segment.bytes": "16777216",
    "offsets.topic.num.partitions": "3",
    "transaction.state.log.num.partitions": "3",
    "background.threads": "2",
    "num.io.threads": "2",
    "num.network.threads": "1",
    "group.initial.rebalance.delay.ms": "0",
    # A crashed broker cannot come back before ZooKeeper has forgotten it; Kafka's default is three times this.
    "zookeeper.session.timeout.ms": "6000",
    # ZooKeeper starts at the same time as the brokers; a first start on a cold disk takes it a while to answer.
    "zookeeper.connection.timeout.ms": "60000",
    # A stop must not hang on a cluster whose other half is gone already.
    "controlled.shutdown.max.retries": "1",
    "controlled.shutdown.retry.backoff.ms": "500",
}
_MAX_BROKER_ID: Final = 5000  # ids from 1001 lie above Kafka's own limit for ids that are set by hand


def broker_settings(  # noqa: PLR0913 - what differs between platforms, each by its name
    spec: KafkaSpec, broker: BrokerSpec, *, zookeeper: str, listeners: str, advertised: str, log_dir: str
) -> dict[str, str]:
    """What `server.properties` says. The first of `listeners` is the one that brokers use between them."""
    names = [listener.partition("://")[0] for listener in listeners.split(",")]
    return {
        **_SMALL,
        **_hdinsight_defaults(len(spec.brokers)),
        "broker.id": str(broker.id),
        "reserved.broker.max.id": str(_MAX_BROKER_ID),
        "broker.rack": f"/fd{broker.fd}",
        "zookeeper.connect": zookeeper,
        "listeners": listeners,
        "advertised.listeners": advertised,
        "listener.security.protocol.map": ",".join(f"{name}:PLAINTEXT" for name in names),
        "inter.broker.listener.name": names[0],
        "log.dirs": log_dir,
        **spec.config,
    }


def zookeeper_settings(*, port: int, data_dir: str) -> dict[str, str]:
    return {
        "clientPort": str(port),
        "dataDir": data_dir,
        "tickTime": "500",
        "maxClientCnxns": "0",  # every broker comes from one address
        "admin.enableServer": "false",
        "4lw.commands.whitelist": "ruok,srvr",
    }


def to_properties(settings: Mapping[str, str]) -> str:
    """Java's properties format, in ASCII. Keys are ours or Kafka's, values may be the user's: those are escaped."""
    return "".join(f"{key}={_escaped(value)}\n" for key, value in settings.items())


def _hdinsight_defaults(brokers: int) -> dict[str, str]:
    """HDInsight never has fewer than three brokers; a cluster here may, and must still take writes."""
    replication = str(min(3, brokers))
    in_sync = str(min(2, brokers))
    return {
        "auto.create.topics.enable": "false",
        "delete.topic.enable": "true",
        "default.replication.factor": replication,
        "min.insync.replicas": in_sync,
        "offsets.topic.replication.factor": replication,
        "transaction.state.log.replication.factor": replication,
        "transaction.state.log.min.isr": in_sync,
    }


def _escaped(value: str) -> str:
    lines = value.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r")
    # Java reads these files as Latin-1, and JSON's escapes are Java's.
    plain = re.sub(r"[^\x00-\x7f]", lambda found: json.dumps(found.group())[1:-1], lines)
    return f"\\{plain}" if plain.startswith(" ") else plain
