"""rebalance: move partitions so that every broker carries its share; plan, run, and everything after."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hdictl.commands.options import DEFAULT_STACK, Env, Json, StackFile, Target, TargetName, Yes
from hdictl.commands.rebalance_journal import cancel, resume, rollback, status, verify
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
from hdictl.commands.rebalance_plan import plan as plan_command
from hdictl.rebalance.throttle_wish import DEFAULT

if TYPE_CHECKING:
    from hdictl.rebalance.plan import RebalancePlan
    from hdictl.workflow.rebalance.work import Work

app = typer.Typer(no_args_is_help=True, help="Spread partitions over the brokers of a living cluster.")


@app.command("snapshot")
def snapshot(
    stack: StackFile = DEFAULT_STACK,
    env: Env = None,
    target: Target = TargetName.local,
    cluster: OnCluster = None,
    out: Annotated[Path | None, typer.Option("--out", help="Write it to a file.", metavar="FILE")] = None,
    as_json: Json = False,
) -> None:
    """Write down where every replica is, how large, and in which domain: what a plan is made from.

    Example: hdictl rebalance snapshot --out snapshot.json
    """
    from hdictl.commands.session import open_stack
    from hdictl.show.progress import TerminalProgress
    from hdictl.show.rebalance_journal import show_snapshot
    from hdictl.workflow.rebalance.observe import observe_snapshot
    from hdictl.workflow.topics import chosen_cluster

    session = open_stack(stack, env, target.value)
    name = chosen_cluster(session.stack, cluster)
    seen, warnings = observe_snapshot(session.target, name, TerminalProgress())
    show_snapshot(seen, warnings, out, as_json=as_json)


@app.command("run")
def run(
    plan: Annotated[Path | None, typer.Argument(help="A plan of `rebalance plan --out`.", metavar="[PLAN]")] = None,
    stack: StackFile = DEFAULT_STACK,
    env: Env = None,
    target: Target = TargetName.local,
    cluster: OnCluster = None,
    throttle: Throttle = DEFAULT,
    adopt: Annotated[bool, typer.Option("--adopt", help="Watch moves of somebody else to their end first.")] = False,
    strict_ud: StrictUd = False,
    global_only: GlobalOnly = False,
    balance_bytes: BalanceBytes = None,
    no_domains: NoDomains = False,
    drain: Drain = None,
    repair: Repair = False,
    replication: Replication = None,
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """Move partitions by a plan, saved or made now, batch by batch; then verify. Ctrl-C is safe: `resume` goes on.

    Example: hdictl rebalance run --throttle 50MB
    """
    from hdictl.commands.rebalance_session import carried_out, open_work, planned_to_run
    from hdictl.rebalance.throttle_wish import throttle_wish

    wish = throttle_wish(throttle)
    wishes = planner_wishes(
        strict_ud=strict_ud,
        global_only=global_only,
        balance_bytes=balance_bytes,
        no_domains=no_domains,
        drain=drain,
        repair=repair,
        replication=replication,
    )
    work = open_work(stack, env, target.value, cluster)
    made = _read(work, plan, adopt=adopt) if plan is not None else planned_to_run(work, wishes, adopt=adopt)
    carried_out(work, made, wish, "run", yes=yes, as_json=as_json)


def _read(work: Work, file: Path, *, adopt: bool) -> RebalancePlan:
    from hdictl.rebalance.plan_file import read_plan
    from hdictl.workflow.rebalance.entry import require_free

    saved = read_plan(file.read_text(encoding="utf-8"), str(file))
    require_free(work, adopt=adopt)
    return saved


for command in (plan_command, resume, cancel, rollback, verify, status):
    app.command()(command)
