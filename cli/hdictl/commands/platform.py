"""up, down, status, logs, scale: clusters, on this machine or on Azure."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hdictl.commands.options import DEFAULT_STACK, Env, Json, StackFile, Target, TargetName, Yes
from hdictl.errors import EXIT_DIFFERENT
from hdictl.stack.units import count

if TYPE_CHECKING:
    from hdictl.commands.scale_rebalance import Ending
    from hdictl.commands.session import Session

Cluster = Annotated[str, typer.Argument(help="Name of a cluster in the stack.", metavar="CLUSTER")]


def up(
    stack: StackFile = DEFAULT_STACK,
    env: Env = None,
    target: Target = TargetName.local,
    topics: Annotated[bool, typer.Option("--topics/--no-topics", help="Apply the stack's topics as well.")] = True,
    as_json: Json = False,
) -> None:
    """Start the stack's Kafka clusters on this machine and apply its topics.

    What already runs stays. Ctrl-C leaves nothing half-started.

    Example: hdictl up --target local
    """
    from hdictl.commands.session import open_stack
    from hdictl.show.clusters import show_clusters
    from hdictl.show.progress import TerminalProgress
    from hdictl.workflow.converge import converge
    from hdictl.workflow.platform import bring_up

    session, progress = open_stack(stack, env, target.value), TerminalProgress()
    with session.target.lock(f"stack `{session.stack.stack}` on {target.value}"):
        bring_up(session.stack, session.target.platform(), progress)
        made = converge(session.stack, session.target, env=env, progress=progress).applied.done if topics else 0
    if made:
        progress.step(f"{count(made, 'topic change')} made and verified")
    show_clusters("up", session.target.platform().status(), as_json=as_json)


def down(
    stack: StackFile = DEFAULT_STACK,
    env: Env = None,
    target: Target = TargetName.local,
    keep_data: Annotated[bool, typer.Option("--keep-data", help="Keep topics and records for the next `up`.")] = False,
    as_json: Json = False,
) -> None:
    """Stop the stack's jobs and clusters on this machine, and remove their data.

    Example: hdictl down --keep-data
    """
    from hdictl.commands.session import open_named
    from hdictl.show.progress import TerminalProgress
    from hdictl.show.terminal import print_json, print_text

    session = open_named(stack, env, target.value)
    with session.target.lock(f"stack `{session.stack.stack}` on {target.value}"):
        ended = session.target.end_jobs(keep_data=keep_data)
        ended += session.target.platform().down(keep_data=keep_data, progress=TerminalProgress())
    if as_json:
        print_json("down", {"ended": ended, "kept_data": keep_data})
    else:
        print_text(f"{ended} processes ended; {'data kept' if keep_data else 'nothing is left'}")


def status(
    stack: StackFile = DEFAULT_STACK, env: Env = None, target: Target = TargetName.local, as_json: Json = False
) -> None:
    """Show the stack's clusters. Exit 4 when a node, or a cluster on Azure, is not running.

    Example: hdictl status --json
    """
    from hdictl.commands.session import open_named
    from hdictl.show.clusters import show_clusters

    if target is TargetName.azure:
        return _cloud_status(stack, env, as_json=as_json)
    session = open_named(stack, env, target.value)
    clusters = session.target.platform().status()
    show_clusters("status", clusters, as_json=as_json)
    if not all(cluster.is_running for cluster in clusters):
        raise typer.Exit(EXIT_DIFFERENT)
    return None


def _cloud_status(stack: Path, env: str | None, *, as_json: bool) -> None:
    from hdictl.commands.session import infrastructure_of, open_placed
    from hdictl.show.cloud import show_status
    from hdictl.workflow.cloud.status import cloud_status

    session = open_placed(stack, env)
    seen = cloud_status(session.stack, infrastructure_of(session))
    show_status(seen, as_json=as_json)
    if not seen.is_running:
        raise typer.Exit(EXIT_DIFFERENT)


def logs(
    cluster: Cluster,
    node: Annotated[str, typer.Argument(help="Broker id, or zookeeper.", metavar="NODE")] = "1001",
    stack: StackFile = DEFAULT_STACK,
    env: Env = None,
    target: Target = TargetName.local,
    lines: Annotated[int, typer.Option("--lines", "-n", min=0, help="How many of the last lines.")] = 50,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Go on as they are written.")] = False,
    as_json: Json = False,
) -> None:
    """Print the log of a broker or of ZooKeeper.

    Example: hdictl logs ingest 1002 --follow
    """
    from hdictl.commands.session import open_named
    from hdictl.show.terminal import print_json_line, print_text

    session = open_named(stack, env, target.value)
    for line in session.target.platform().logs(cluster, node, lines=lines, follow=follow):
        if as_json:
            print_json_line({"cluster": cluster, "node": node, "line": line})
        else:
            print_text(line)


def scale(
    cluster: Cluster,
    workers: Annotated[int, typer.Argument(help="How many brokers, or workers, it shall have.", min=1, metavar="N")],
    stack: StackFile = DEFAULT_STACK,
    env: Env = None,
    target: Target = TargetName.local,
    rebalance: Annotated[
        bool, typer.Option("--rebalance", help="Then move partitions to the new brokers, as `rebalance run` does.")
    ] = False,
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """Add brokers to a running Kafka cluster, or change the workers of a Spark cluster on Azure.

    Kafka never scales in. On Azure it asks first: brokers cannot be given back. Waits until the new brokers are in the
    cluster. They hold nothing until partitions are moved to them: on a terminal that is offered.

    Example: hdictl scale ingest 4 --rebalance
    """
    from hdictl.commands.scale_rebalance import Ending
    from hdictl.commands.session import open_stack
    from hdictl.show.clusters import show_grown
    from hdictl.show.progress import TerminalProgress
    from hdictl.workflow.platform import scale as scaled

    session, ending = open_stack(stack, env, target.value), Ending(rebalance, yes, as_json)
    if target is TargetName.azure:
        return _cloud_scale(session, cluster, workers, ending)
    ending.require_agreement()
    with session.target.lock(f"stack `{session.stack.stack}` on {target.value}"):
        grown, new = scaled(session.stack, session.target.platform(), cluster, workers, TerminalProgress())
    ending.end(session.target, cluster, new, lambda moved: show_grown(grown, new, moved, as_json=as_json))
    return None


def _cloud_scale(session: Session, cluster: str, workers: int, ending: Ending) -> None:
    from hdictl.commands.session import confirm, named_cluster
    from hdictl.show.cloud import show_scaled
    from hdictl.show.progress import TerminalProgress
    from hdictl.workflow.cloud.scale import require_growth, scale_cluster

    kind = named_cluster(session.stack, cluster, kafka=ending.rebalance).kind
    require_growth(session.stack, cluster, workers)
    if kind == "kafka":
        confirm(f"`{cluster}` shall have {workers} brokers; HDInsight cannot take one away again", yes=ending.yes)
    with session.target.lock(f"stack `{session.stack.stack}` on azure"):
        scaled = scale_cluster(session.stack, session.target, cluster, workers, TerminalProgress())
    ending.end(
        session.target, cluster, scaled.new_brokers, lambda moved: show_scaled(scaled, moved, as_json=ending.as_json)
    )
