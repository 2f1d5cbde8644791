"""For commands that only make sense on azure: the stack, its target there, and a cluster by name."""

from __future__ import annotations

from pathlib import Path
from typing import cast

from hdictl.commands.session import Session, open_stack
from hdictl.errors import UsageError
from hdictl.stack.suggest import did_you_mean
from hdictl.targets.azure import AzureTarget


def open_azure(file: Path, env: str | None) -> tuple[Session, AzureTarget]:
    session = open_stack(file, env, "azure")
    return session, cast("AzureTarget", session.target)


def require_cluster(session: Session, name: str, *, kafka: bool = False) -> None:
    known = session.stack.kafka_clusters if kafka else session.stack.clusters
    if name not in known:
        raise UsageError(
            f"there is no {'Kafka ' if kafka else ''}cluster `{name}`{did_you_mean(name, known)}",
            where=f"stack `{session.stack.stack}`",
            fix=f"it is one of {', '.join(known)}" if known else "add one under `clusters`",
        )
