"""Bringing a stack's clusters up: image, ports, compose file, compose, wait. All of it, or nothing new is left."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import yaml
from filelock import FileLock

from hdictl import assets
from hdictl.drivers import folders
from hdictl.drivers.docker import labels
from hdictl.drivers.docker.compose import compose_up
from hdictl.drivers.docker.compose_file import ComposeFile, project_name, service_name, to_yaml
from hdictl.drivers.docker.engine import Engine
from hdictl.drivers.docker.image import ensure_image
from hdictl.drivers.docker.labels import Container
from hdictl.drivers.docker.ports import broker_ports
from hdictl.drivers.docker.status import in_order
from hdictl.drivers.docker.wait import wait_for_brokers
from hdictl.drivers.local.processes import uninterrupted
from hdictl.ports.machine import BrokerSpec, KafkaSpec
from hdictl.ports.progress import Progress


@dataclass(frozen=True)
class _Before:
    """What was there before this call, and so is not its to remove."""

    containers: tuple[Container, ...]
    volumes: frozenset[str]
    networks: frozenset[str]


def start(engine: Engine, instance: str, folder: Path, clusters: Sequence[KafkaSpec], progress: Progress) -> None:
    engine.require()
    before = _Before(engine.containers(instance), engine.volumes(instance), engine.networks(instance))
    clusters = [_whole(spec, before.containers) for spec in clusters]
    services = _services_to_start(clusters, before.containers)
    try:
        if services:
            images = {spec.version: ensure_image(engine, spec.version, progress) for spec in clusters}
            folder.mkdir(parents=True, exist_ok=True)
            # From the choice of a port until a container has it, no other stack may choose.
            with FileLock(folders.machine() / "docker-ports.lock"):
                ports = broker_ports(clusters, before.containers, _ports_of_all(engine))
                file = _write(folder, ComposeFile(_template(), instance, images, ports).content(clusters))
                compose_up(engine, file, project_name(instance), services)
        for spec in clusters:
            brokers = [broker.id for broker in spec.brokers]
            with progress.track(f"Starting {spec.cluster}", len(brokers)) if services else _no_bar() as advance:
                wait_for_brokers(engine, instance, spec.cluster, brokers, advance)
    except BaseException:  # Ctrl-C too
        with uninterrupted():
            _undo(engine, instance, before)
            if not before.containers:
                shutil.rmtree(folder, ignore_errors=True)
        raise


def _no_bar() -> AbstractContextManager[Callable[[int], None]]:
    return nullcontext(lambda _more: None)


def _whole(spec: KafkaSpec, containers: Sequence[Container]) -> KafkaSpec:
    """The stack's brokers, and those that the cluster has beyond them: Kafka does not scale in."""
    named = {broker.id for broker in spec.brokers}
    beyond = tuple(
        BrokerSpec(int(found.node), found.fd or 0, found.ud or 0)
        for found in in_order(containers)
        if found.cluster == spec.cluster and found.is_broker and int(found.node) not in named
    )
    return replace(spec, brokers=spec.brokers + beyond)


def _template() -> Mapping[str, Any]:
    content: Mapping[str, Any] = yaml.safe_load(assets.template("docker", "compose.yaml").read_text())
    return content


def _write(folder: Path, content: Mapping[str, Any]) -> Path:
    file = folder / "compose.yaml"
    file.write_text(to_yaml(content))
    return file


def _services_to_start(clusters: Sequence[KafkaSpec], containers: Sequence[Container]) -> list[str]:
    running = {service_name(found.cluster, found.node) for found in containers if found.is_running}
    wanted = [
        service_name(spec.cluster, node)
        for spec in clusters
        for node in (labels.ZOOKEEPER, *(str(broker.id) for broker in spec.brokers))
    ]
    return [service for service in wanted if service not in running]


def _ports_of_all(engine: Engine) -> set[int]:
    """Of every stack on this engine: a stopped broker wants its port back."""
    found = engine.call(
        "ps", "--all", "--filter", f"label={labels.PORT}", "--format", f'{{{{.Label "{labels.PORT}"}}}}'
    )
    return set(map(int, found.split()))


def _undo(engine: Engine, instance: str, before: _Before) -> None:
    """Remove what was not there, stop what did not run."""
    known = {container.id: container for container in before.containers}
    containers = engine.containers(instance)
    engine.remove(
        [container.id for container in containers if container.id not in known],
        volumes=sorted(engine.volumes(instance) - before.volumes),
        networks=sorted(engine.networks(instance) - before.networks),
    )
    awakened = [found.id for found in containers if found.is_running and not known.get(found.id, found).is_running]
    if awakened:
        engine.call("stop", *awakened, timeout=None)
