"""The options that the rebalance commands share, spelled once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from hdictl.rebalance.wishes import Wishes

OnCluster = Annotated[
    str | None, typer.Option("--cluster", help="Kafka cluster; default: the stack's only one.", metavar="NAME")
]
Throttle = Annotated[
    str, typer.Option("--throttle", help="Bytes a second in and out of a broker, `auto`, or `none`.", metavar="RATE")
]
OtherThrottle = Annotated[
    str | None, typer.Option("--throttle", help="Another throttle than before: 50MB, `auto`, `none`.", metavar="RATE")
]
TakeOver = Annotated[bool, typer.Option("--take-over", help="From somebody who is dead: do not wait for the lease.")]

StrictUd = Annotated[bool, typer.Option("--strict-ud", help="Refuse where replicas must share an update domain.")]
GlobalOnly = Annotated[bool, typer.Option("--global-only", help="Balance brokers only, not every topic.")]
BalanceBytes = Annotated[
    str | None,
    typer.Option("--balance-bytes", help="Also bytes, within so much of the fair share: 10%.", metavar="PERCENT"),
]
NoDomains = Annotated[bool, typer.Option("--no-domains", help="Spread over brokers only, whatever the domains.")]
Drain = Annotated[
    list[int] | None, typer.Option("--drain", help="A broker that shall hold nothing; may be repeated.", metavar="ID")
]
Repair = Annotated[bool, typer.Option("--repair", help="Mend violations of domains only; balance nothing.")]
Replication = Annotated[
    list[str] | None,
    typer.Option("--replication", help="Another number of replicas; may be repeated.", metavar="TOPIC=N"),
]


def planner_wishes(
    *,
    strict_ud: bool,
    global_only: bool,
    balance_bytes: str | None,
    no_domains: bool,
    drain: list[int] | None,
    repair: bool,
    replication: list[str] | None,
) -> Wishes:
    from hdictl.rebalance.wishes import Wishes

    return Wishes(
        repair_only=repair,
        drain=frozenset(drain or ()),
        replication=dict(_topic_count(text) for text in replication or ()),
        balance_bytes=_part(balance_bytes) if balance_bytes is not None else None,
        global_only=global_only,
        strict_ud=strict_ud,
        no_domains=no_domains,
    )


def _topic_count(text: str) -> tuple[str, int]:
    from hdictl.errors import UsageError

    topic, _, count = text.rpartition("=")
    if not topic or not count.isdecimal() or int(count) < 1:
        raise UsageError(f"`{text}` is not TOPIC=N", where="--replication", fix="for example orders=3")
    return topic, int(count)


def _part(text: str) -> float:
    """`10%` → 0.1."""
    from hdictl.errors import UsageError

    try:
        part = float(text.strip().removesuffix("%")) / 100
    except ValueError:
        part = 0.0
    if not 0 < part <= 1:
        raise UsageError(f"`{text}` is no part of a share", where="--balance-bytes", fix="for example 10%")
    return part
