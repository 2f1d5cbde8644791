"""topics: look at them, import them, read and write their records."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hdictl.commands.options import DEFAULT_STACK, Env, Json, StackFile, Target, TargetName

if TYPE_CHECKING:
    from hdictl.commands.session import Session
    from hdictl.plan.observed import ObservedCluster

app = typer.Typer(no_args_is_help=True, help="Topics of a living cluster.")

OnCluster = Annotated[
    str | None,
    typer.Option("--cluster", help="Kafka cluster; default: the topic's own, or the stack's only one.", metavar="NAME"),
]
TopicName = Annotated[str, typer.Argument(help="Name of the topic.", metavar="TOPIC")]


@app.command("list")
def list_topics(
    stack: StackFile = DEFAULT_STACK,
    env: Env = None,
    target: Target = TargetName.local,
    cluster: OnCluster = None,
    as_json: Json = False,
) -> None:
    """List the topics of a cluster.

    Example: hdictl topics list
    """
    from hdictl.commands.session import open_stack
    from hdictl.show.topics import show_topics
    from hdictl.stack.topics import resolved_topics

    session = open_stack(stack, env, target.value)
    observed = _observed(session, cluster)
    claimed = frozenset(spec.name for spec in resolved_topics(session.stack) if spec.cluster == observed.cluster)
    show_topics("topics list", observed, tuple(observed.topics.values()), claimed, as_json=as_json)


@app.command("describe")
def describe(
    topic: TopicName,
    stack: StackFile = DEFAULT_STACK,
    env: Env = None,
    target: Target = TargetName.local,
    cluster: OnCluster = None,
    as_json: Json = False,
) -> None:
    """Show a topic: settings, and each replica with its fault and update domain.

    Example: hdictl topics describe page-views
    """
    from hdictl.commands.session import open_stack
    from hdictl.show.progress import TerminalProgress
    from hdictl.show.topics import show_topic
    from hdictl.workflow.observe import observe
    from hdictl.workflow.topics import cluster_of, living_topic

    session = open_stack(stack, env, target.value)
    (observed,), _ = observe(session.target, [cluster_of(session.stack, topic, cluster)], TerminalProgress())
    show_topic(observed, living_topic(observed, topic), as_json=as_json)


@app.command("import")
def import_topics(
    stack: StackFile = DEFAULT_STACK,
    env: Env = None,
    target: Target = TargetName.local,
    cluster: OnCluster = None,
    as_json: Json = False,
) -> None:
    """Print a living cluster's topics as the `topics:` section of a stack whose plan is empty.

    Example: hdictl topics import > topics.yaml
    """
    from hdictl.commands.session import open_stack
    from hdictl.show.terminal import print_json, print_text
    from hdictl.show.yaml_text import to_yaml
    from hdictl.workflow.topics import imported

    section = imported(_observed(open_stack(stack, env, target.value), cluster))
    if as_json:
        print_json("topics import", {"topics": section})
    else:
        print_text(to_yaml({"topics": section}))


@app.command("orphans")
def orphans(
    stack: StackFile = DEFAULT_STACK,
    env: Env = None,
    target: Target = TargetName.local,
    cluster: OnCluster = None,
    as_json: Json = False,
) -> None:
    """List the topics that live in the cluster and stand in no stack.

    Example: hdictl topics orphans
    """
    from hdictl.commands.session import open_stack
    from hdictl.show.topics import show_topics
    from hdictl.stack.topics import resolved_topics
    from hdictl.workflow.topics import orphans as unclaimed

    session = open_stack(stack, env, target.value)
    observed = _observed(session, cluster)
    found = unclaimed(observed, resolved_topics(session.stack))
    show_topics("topics orphans", observed, found, frozenset(), as_json=as_json)


@app.command("tail")
def tail(
    topic: TopicName,
    stack: StackFile = DEFAULT_STACK,
    env: Env = None,
    target: Target = TargetName.local,
    cluster: OnCluster = None,
    limit: Annotated[int | None, typer.Option("--limit", "-n", min=0, help="Stop after this many.")] = None,
    from_beginning: Annotated[bool, typer.Option("--from-beginning", help="Start at the oldest record.")] = False,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Wait for new records.")] = False,
) -> None:
    """Print a topic's records as JSON lines; Avro values when the topic names a schema.

    Example: hdictl topics tail page-views -n 10
    """
    from hdictl.commands.session import open_stack
    from hdictl.drivers.kafka.codec import codec_for
    from hdictl.show.terminal import print_json_line
    from hdictl.workflow.topics import cluster_of, schema_file

    session = open_stack(stack, env, target.value)
    owner = cluster_of(session.stack, topic, cluster)
    codec = codec_for(schema_file(session.stack, topic, owner, session.file.parent))
    # Without a start and an end to speak of, the last ten are what a person wants to see.
    wanted = limit if limit is not None or from_beginning or follow else 10
    with session.target.records(owner) as records:
        for record in records.read(topic, from_beginning=from_beginning, limit=wanted, follow=follow):
            print_json_line(codec.to_line(record))


@app.command("produce")
def produce(
    topic: TopicName,
    stack: StackFile = DEFAULT_STACK,
    env: Env = None,
    target: Target = TargetName.local,
    cluster: OnCluster = None,
    file: Annotated[
        Path | None, typer.Option("--file", help="JSON lines; default: standard input.", exists=True, dir_okay=False)
    ] = None,
    values: Annotated[
        bool, typer.Option("--values", help="Each line is a value, not an object with key and value.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Write records from JSON lines: {"key": …, "value": …}; Avro when the topic names a schema.

    Example: echo '{"key": "k", "value": {"page": "/"}}' | hdictl topics produce page-views
    """
    import sys
    from contextlib import nullcontext

    from hdictl.commands.session import open_stack
    from hdictl.drivers.kafka.codec import codec_for
    from hdictl.show.terminal import print_json, print_text
    from hdictl.workflow.topics import cluster_of, schema_file

    session = open_stack(stack, env, target.value)
    owner = cluster_of(session.stack, topic, cluster)
    codec = codec_for(schema_file(session.stack, topic, owner, session.file.parent))
    source = file.open("rb") if file else nullcontext(sys.stdin.buffer)
    with source as lines, session.target.records(owner) as records:
        sent = records.write(topic, codec.from_lines(lines, values_only=values, name=str(file or "standard input")))
    if as_json:
        print_json("topics produce", {"topic": topic, "cluster": owner, "records": sent})
    else:
        print_text(f"{sent} record{'' if sent == 1 else 's'} written to {topic}")


def _observed(session: Session, cluster: str | None) -> ObservedCluster:
    """Without the domains of brokers, which may take a visit to a node."""
    from hdictl.workflow.topics import chosen_cluster

    with session.target.reader(chosen_cluster(session.stack, cluster)) as reader:
        return reader.observe()
