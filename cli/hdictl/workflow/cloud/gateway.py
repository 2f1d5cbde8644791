"""Credentials of a cluster's gateway."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hdictl.ports.progress import Progress
from hdictl.ports.target import Infrastructure
from hdictl.stack.model import Stack
from hdictl.workflow.cloud.wait import Watch


def set_gateway(
    stack: Stack, infrastructure: Infrastructure, key: str, settings: Mapping[str, Any], progress: Progress
) -> list[str]:
    """Send them, and wait until they hold; returns who may come in now."""
    name = stack.azure_name(key)
    with infrastructure.cloud() as cloud:
        watch = Watch(cloud, progress, infrastructure.poll_seconds)
        watch.done(cloud.gateway(name, settings), name, "gateway")
    return sorted(stack.clusters[key].entra_users) or [stack.clusters[key].gateway_user]
