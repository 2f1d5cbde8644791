"""rebalance resume, cancel, rollback, verify, status: what follows from a journal in the cluster."""

from __future__ import annotations

import typer

from hdictl.commands.options import DEFAULT_STACK, Env, Json, StackFile, Target, TargetName, Yes
from hdictl.commands.rebalance_options import OnCluster, OtherThrottle, TakeOver, Throttle
from hdictl.errors import EXIT_DIFFERENT
from hdictl.rebalance.throttle_wish import DEFAULT


def resume(
    stack: StackFile = DEFAULT_STACK,
    env: Env = None,
    target: Target = TargetName.local,
    cluster: OnCluster = None,
    throttle: OtherThrottle = None,
    take_over: TakeOver = False,
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """Go on with a rebalance that was interrupted or killed, on this machine or another.

    Example: hdictl rebalance resume
    """
    from hdictl.commands.rebalance_session import ended, open_work
    from hdictl.commands.session import confirm
    from hdictl.rebalance.throttle_wish import throttle_wish
    from hdictl.workflow.rebalance.run import resume as go_on

    wish = throttle_wish(throttle) if throttle is not None else None
    work = open_work(stack, env, target.value, cluster, take_over=take_over, waits=True)
    confirm(f"The rebalance of `{work.cluster}` goes on.", yes=yes)
    ended(work, go_on(work, wish), "resume", as_json=as_json)


def cancel(
    stack: StackFile = DEFAULT_STACK,
    env: Env = None,
    target: Target = TargetName.local,
    cluster: OnCluster = None,
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """Call a rebalance off, whoever runs it: what is on the move goes back, what has arrived stays.

    Example: hdictl rebalance cancel
    """
    from hdictl.commands.rebalance_session import ended, open_work
    from hdictl.commands.session import confirm
    from hdictl.workflow.rebalance.run import cancel as call_off

    work = open_work(stack, env, target.value, cluster, take_over=True)
    confirm(f"The rebalance of `{work.cluster}` is called off.", yes=yes)
    ended(work, call_off(work), "cancel", as_json=as_json)


def rollback(
    stack: StackFile = DEFAULT_STACK,
    env: Env = None,
    target: Target = TargetName.local,
    cluster: OnCluster = None,
    throttle: Throttle = DEFAULT,
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """Move every partition back to where it was before the last rebalance.

    Example: hdictl rebalance rollback
    """
    from hdictl.commands.rebalance_session import carried_out, open_work
    from hdictl.commands.session import confirm
    from hdictl.rebalance.throttle_wish import throttle_wish
    from hdictl.workflow.rebalance.rollback import rollback_plan

    wish = throttle_wish(throttle)
    work = open_work(stack, env, target.value, cluster, waits=True)
    confirm(f"The last rebalance of `{work.cluster}` is taken back.", yes=yes)
    carried_out(work, rollback_plan(work), wish, "rollback", yes=True, as_json=as_json)


def verify(
    stack: StackFile = DEFAULT_STACK,
    env: Env = None,
    target: Target = TargetName.local,
    cluster: OnCluster = None,
    as_json: Json = False,
) -> None:
    """Compare the cluster with the last rebalance: placement, in-sync replicas, leaders, throttles. Exit 4: different.

    Example: hdictl rebalance verify
    """
    from hdictl.commands.rebalance_session import open_work
    from hdictl.show.rebalance_journal import show_verdict
    from hdictl.workflow.rebalance.verify import verify as compare

    work = open_work(stack, env, target.value, cluster)
    verdict = compare(work.target, work.cluster, work.pace)
    show_verdict(verdict, as_json=as_json)
    if not verdict.is_verified:
        raise typer.Exit(EXIT_DIFFERENT)


def status(
    stack: StackFile = DEFAULT_STACK,
    env: Env = None,
    target: Target = TargetName.local,
    cluster: OnCluster = None,
    as_json: Json = False,
) -> None:
    """Show what the journal says of the last rebalance, and which partitions are on the move.

    Example: hdictl rebalance status
    """
    from hdictl.commands.rebalance_session import open_work
    from hdictl.show.rebalance_journal import show_status
    from hdictl.workflow.rebalance.status import status as look

    show_status(look(open_work(stack, env, target.value, cluster)), as_json=as_json)
