"""The compose file of a stack, as data: templates/docker/compose.yaml, its services repeated for every node."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import yaml

from hdictl.drivers.docker import labels
from hdictl.drivers.kafka.broker_settings import broker_settings, to_properties, zookeeper_settings
from hdictl.drivers.local.kafka_jvm import broker_heap, zookeeper_heap
from hdictl.ports.machine import BrokerSpec, KafkaSpec

_DATA: Final = "/var/lib/kafka/data"
_NO_SYNC: Final = "-Dzookeeper.forceSync=no"  # nothing here has to survive a power cut
_ZOOKEEPER_PORT: Final = 2181
_INTERNAL_PORT: Final = 9092  # between brokers, in the stack's own network
_EXTERNAL_PORT: Final = 19092  # what a port of this machine leads to

Ports = Mapping[tuple[str, int], int]  # (cluster, broker id) → port on this machine


@dataclass(frozen=True)
class ComposeFile:
    """What is the same for every node of a stack."""

    template: Mapping[str, Any]
    instance: str
    images: Mapping[str, str]  # Kafka version → image
    ports: Ports

    def content(self, clusters: Sequence[KafkaSpec]) -> dict[str, Any]:
        services = {}
        for spec in clusters:
            services[service_name(spec.cluster, labels.ZOOKEEPER)] = self._zookeeper(spec)
            for broker in spec.brokers:
                services[service_name(spec.cluster, str(broker.id))] = self._broker(spec, broker)
        project = project_name(self.instance)
        owned = {labels.INSTANCE: self.instance}
        volumes = {service: {"name": f"{project}-{service}", "labels": owned} for service in services}
        return {
            "services": services,
            "networks": {"default": {"name": project, "labels": owned}},
            "volumes": volumes,
        }

    def _zookeeper(self, spec: KafkaSpec) -> dict[str, Any]:
        settings = zookeeper_settings(port=_ZOOKEEPER_PORT, data_dir=_DATA)
        return self._node("zookeeper", spec, labels.ZOOKEEPER, settings, options=f"-Xmx{zookeeper_heap()}m {_NO_SYNC}")

    def _broker(self, spec: KafkaSpec, broker: BrokerSpec) -> dict[str, Any]:
        port = self.ports[spec.cluster, broker.id]
        zookeeper = service_name(spec.cluster, labels.ZOOKEEPER)
        host = service_name(spec.cluster, str(broker.id))
        settings = broker_settings(
            spec,
            broker,
            zookeeper=f"{zookeeper}:{_ZOOKEEPER_PORT}",
            listeners=f"INTERNAL://0.0.0.0:{_INTERNAL_PORT},EXTERNAL://0.0.0.0:{_EXTERNAL_PORT}",
            advertised=f"INTERNAL://{host}:{_INTERNAL_PORT},EXTERNAL://127.0.0.1:{port}",
            log_dir=_DATA,
        )
        node = self._node("broker", spec, str(broker.id), settings, options=f"-Xmx{broker_heap(spec)}m")
        node["labels"] |= {
            labels.FAULT_DOMAIN: str(broker.fd),
            labels.UPDATE_DOMAIN: str(broker.ud),
            labels.PORT: str(port),
        }
        return node | {
            "depends_on": [zookeeper],
            "ports": [f"127.0.0.1:{port}:{_EXTERNAL_PORT}"],
        }

    def _node(
        self, role: str, spec: KafkaSpec, node: str, settings: Mapping[str, str], *, options: str
    ) -> dict[str, Any]:
        service = service_name(spec.cluster, node)
        return {
            **self.template["services"][role],
            "image": self.images[spec.version],
            "container_name": f"{project_name(self.instance)}-{service}",
            "labels": {labels.INSTANCE: self.instance, labels.CLUSTER: spec.cluster, labels.NODE: node},
            "environment": {"JAVA_OPTIONS": options, "SETTINGS": _literal(to_properties(settings))},
            "volumes": [f"{service}:{_DATA}"],
        }


def to_yaml(content: Mapping[str, Any]) -> str:
    return yaml.dump(dict(content), Dumper=_Dumper, sort_keys=False, width=200)


def project_name(instance: str) -> str:
    """Compose takes lower case, digits, dash and underscore only. The label has the instance as it is."""
    return re.sub(r"[^a-z0-9_-]", "-", f"hdictl-{instance}".lower())


def service_name(cluster: str, node: str) -> str:
    """Also the node's host name in the network. A node has no dash, so no two nodes share a name."""
    return f"{cluster}-{node}"


def _literal(text: str) -> str:
    """Compose puts variables of the environment in place of `$…`; a setting of the stack means what it says."""
    return text.replace("$", "$$")


class _Dumper(yaml.SafeDumper):
    """Settings are many lines of text: a person who opens the file should see them as such."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _text)
