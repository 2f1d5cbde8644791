"""For commands on one cluster that only make sense on azure: the stack, and its target there."""

from __future__ import annotations

from pathlib import Path
from typing import cast

from hdictl.commands.session import Session, named_cluster, open_stack
from hdictl.targets.azure import AzureTarget


def open_on_azure(file: Path, env: str | None, cluster: str, *, kafka: bool = False) -> tuple[Session, AzureTarget]:
    session = open_stack(file, env, "azure")
    named_cluster(session.stack, cluster, kafka=kafka)
    return session, cast("AzureTarget", session.target)
