"""ambari: what runs on the nodes of a cluster on azure, its settings, and restarts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from hdictl.commands.options import DEFAULT_STACK, Env, Json, StackFile, Yes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hdictl.ports.ambari import Ambari, ConfigEdit
    from hdictl.workflow.brokers_plan import RestartPlan

app = typer.Typer(no_args_is_help=True, help="Nodes and settings of a cluster on azure, by its Ambari.")

ClusterName = Annotated[str, typer.Argument(help="Cluster, as the stack calls it.", metavar="CLUSTER")]


@app.command("hosts")
def hosts(cluster: ClusterName, stack: StackFile = DEFAULT_STACK, env: Env = None, as_json: Json = False) -> None:
    """List the nodes: brokers, ZooKeepers, heads, addresses, and what needs a restart.

    Example: hdictl ambari hosts ingest
    """
    from hdictl.commands.azure_session import open_on_azure
    from hdictl.show.ambari import show_hosts

    _, target = open_on_azure(stack, env, cluster)
    with target.ambari(cluster) as ambari:
        show_hosts(cluster, ambari.hosts(), as_json=as_json)


@app.command("config")
def config(
    cluster: ClusterName,
    type: Annotated[str | None, typer.Argument(help="Such as kafka-broker; none lists them.", metavar="[TYPE]")] = None,
    settings: Annotated[
        list[str] | None, typer.Argument(help="Settings to change; none shows them.", metavar="[KEY=VALUE]...")
    ] = None,
    unset: Annotated[list[str] | None, typer.Option("--unset", help="Take a setting away.", metavar="KEY")] = None,
    stack: StackFile = DEFAULT_STACK,
    env: Env = None,
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """Show the settings of a service, or change some: the difference is shown, and asked about.

    Example: hdictl ambari config ingest kafka-broker num.io.threads=16
    """
    from hdictl.commands.azure_session import open_on_azure
    from hdictl.ports.ambari import ConfigEdit
    from hdictl.show.ambari import show_config, show_types
    from hdictl.workflow.ambari_settings import parsed_changes

    _, target = open_on_azure(stack, env, cluster)
    changes = parsed_changes(settings or (), unset or ())
    with target.ambari(cluster) as ambari:
        if type is None:
            show_types(cluster, ambari.config_types(), as_json=as_json)
        elif not changes:
            show_config(cluster, ambari.config(type), as_json=as_json)
        else:
            edit = ConfigEdit(ambari.config(type), changes)
            _write("ambari config", cluster, ambari, [edit], yes=yes, as_json=as_json)


@app.command("advertise-ip")
def advertise_ip(
    cluster: ClusterName,
    off: Annotated[bool, typer.Option("--off", help="Advertise names again.")] = False,
    stack: StackFile = DEFAULT_STACK,
    env: Env = None,
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """Let brokers tell clients their IP address, for clients whose DNS does not know the nodes. Needs a restart.

    Example: hdictl ambari advertise-ip ingest
    """
    from hdictl.commands.azure_session import open_on_azure
    from hdictl.workflow.brokers_advertise import BROKER, ENVIRONMENT, advertise_edits

    _, target = open_on_azure(stack, env, cluster, kafka=True)
    with target.ambari(cluster) as ambari:
        edits = advertise_edits(ambari.config(ENVIRONMENT), ambari.config(BROKER), on=not off)
        _write("ambari advertise-ip", cluster, ambari, edits, yes=yes, as_json=as_json)


@app.command("restart")
def restart(
    cluster: ClusterName,
    everyone: Annotated[bool, typer.Option("--all", help="Also brokers that are up to date.")] = False,
    stack: StackFile = DEFAULT_STACK,
    env: Env = None,
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """Restart the brokers one at a time, each when all replicas are in sync. Runs again where it was interrupted.

    Example: hdictl ambari restart ingest
    """
    from hdictl.commands.azure_session import open_on_azure
    from hdictl.commands.session import confirm
    from hdictl.show.ambari import show_restarted
    from hdictl.show.progress import TerminalProgress
    from hdictl.workflow.ambari_requests import Pace
    from hdictl.workflow.brokers_plan import plan_restart
    from hdictl.workflow.brokers_restart import RollingRestart

    _, target = open_on_azure(stack, env, cluster, kafka=True)
    with target.lock(f"cluster `{cluster}`"), target.ambari(cluster) as ambari, target.reader(cluster) as kafka:
        plan = plan_restart(cluster, ambari, kafka, everyone=everyone)
        if plan.todo:
            confirm(_question(plan), yes=yes)
        done = RollingRestart(plan, ambari, kafka, TerminalProgress(), Pace()).run()
    show_restarted(cluster, done, plan.current, as_json=as_json)


def _write(
    command: str, cluster: str, ambari: Ambari, edits: Sequence[ConfigEdit], *, yes: bool, as_json: bool
) -> None:
    """Show, ask, write."""
    from hdictl.commands.session import confirm
    from hdictl.show.ambari import Written, print_edits, show_written

    wanted = [edit for edit in edits if edit.effective]
    if not as_json:
        print_edits(wanted)
    if wanted:
        confirm(f"{', '.join(edit.seen.type for edit in wanted)} of `{cluster}` will be changed", yes=yes)
    written = ambari.write_configs(wanted)
    show_written(command, Written(cluster, wanted, written, ambari.stale()), as_json=as_json)


def _question(plan: RestartPlan) -> str:
    lines = [f"{len(plan.todo)} of {plan.brokers} brokers of `{plan.cluster}` will be restarted, one at a time"]
    lines += [f"  {broker.host}" for broker in plan.todo]
    if plan.unfinished:
        lines.append(f"stopped and in maintenance, so started first: {', '.join(plan.unfinished)}")
    if plan.away:
        lines.append(f"one replica only, so partly away meanwhile: {_few(plan.away)}")
    if plan.unwritable:
        lines.append(f"as many replicas as must be in sync, so acks=all waits meanwhile: {_few(plan.unwritable)}")
    return "\n".join(lines)


def _few(names: Sequence[str]) -> str:
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if names[5:] else "")
