"""rebalance plan: from a snapshot file or a living cluster to a plan with its proof; touches nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hdictl.commands.options import DEFAULT_STACK, Env, Json, StackFile, Target, TargetName
from hdictl.commands.rebalance_options import (
    BalanceBytes,
    Drain,
    GlobalOnly,
    NoDomains,
    OnCluster,
    Repair,
    Replication,
    StrictUd,
    Throttle,
    planner_wishes,
)
from hdictl.rebalance.throttle_wish import DEFAULT

SnapshotFile = Annotated[
    Path | None,
    typer.Option("--snapshot", help="Plan from this file instead of a living cluster.", metavar="FILE", dir_okay=False),
]
Out = Annotated[Path | None, typer.Option("--out", help="Write the plan to a file, for `run`.", metavar="FILE")]
Html = Annotated[Path | None, typer.Option("--html", help="Write the pictures as one page.", metavar="FILE")]


def plan(
    stack: StackFile = DEFAULT_STACK,
    env: Env = None,
    target: Target = TargetName.local,
    cluster: OnCluster = None,
    snapshot: SnapshotFile = None,
    out: Out = None,
    html: Html = None,
    throttle: Throttle = DEFAULT,
    strict_ud: StrictUd = False,
    global_only: GlobalOnly = False,
    balance_bytes: BalanceBytes = None,
    no_domains: NoDomains = False,
    drain: Drain = None,
    repair: Repair = False,
    replication: Replication = None,
    as_json: Json = False,
) -> None:
    """Plan where replicas go: fewest bytes, then fewest moves, with the proven minimum beside it. Touches nothing.

    Example: hdictl rebalance plan --snapshot snapshot.json --out plan.json
    """
    from hdictl.commands.rebalance_session import open_work, planned
    from hdictl.rebalance.throttle_wish import throttle_wish
    from hdictl.show.rebalance_files import publish

    rate = throttle_wish(throttle).rate
    wishes = planner_wishes(
        strict_ud=strict_ud,
        global_only=global_only,
        balance_bytes=balance_bytes,
        no_domains=no_domains,
        drain=drain,
        repair=repair,
        replication=replication,
    )
    if snapshot is None:
        made = planned(open_work(stack, env, target.value, cluster), wishes)
    else:
        from hdictl.rebalance.planner import plan as plan_of
        from hdictl.rebalance.snapshot import read_snapshot

        made = plan_of(read_snapshot(snapshot.read_text(encoding="utf-8", errors="replace"), str(snapshot)), wishes)
    publish(made, throttle=rate, out=out, html=html, as_json=as_json)
