"""M: mirrors. Numbers up to M019 are kept for what is seen in a rendered MirrorMaker configuration."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hdictl.stack.check.context import Context, is_known
from hdictl.stack.check.registry import ERROR, WARNING, Problem, rule
from hdictl.stack.model import Mirror
from hdictl.stack.shown import shown
from hdictl.stack.suggest import did_you_mean, one_of

_LITERAL = re.compile(r"[A-Za-z0-9._-]+\Z")
_MIRROR_MAKER = "Apache Kafka: MirrorMaker 2"


def _ends(mirror: Mirror) -> tuple[tuple[str, str], ...]:
    return (("from", mirror.source), ("to", mirror.target))


def _compiled(pattern: str) -> re.Pattern[str] | None:
    try:
        return re.compile(pattern)
    except (re.error, OverflowError, RecursionError):
        return None


@rule(
    "M005",
    ERROR,
    "Mirrors with the identity policy make no loop",
    why="The identity policy keeps topic names, so nothing tells a mirrored record from an original: in a circle, "
    "every record is copied for ever.",
    fix="Use `policy: default` in both directions, or mirror one way.",
    source=f"{_MIRROR_MAKER}: IdentityReplicationPolicy.isCycle",
)
def loop(context: Context) -> Iterator[Problem]:
    edges = {key: mirror for key, mirror in context.stack.mirrors.items() if mirror.policy == "identity"}
    onward: dict[str, set[str]] = {}
    for mirror in edges.values():
        onward.setdefault(mirror.source, set()).add(mirror.target)
    for key, mirror in edges.items():
        if mirror.source != mirror.target and mirror.source in _reachable(mirror.target, onward):
            yield Problem(
                f"mirror:{key}",
                ("mirrors", key, "policy"),
                f"mirror `{key}` closes a circle of identity mirrors between `{mirror.source}` and `{mirror.target}`",
                "use policy: default, or mirror one way",
            )


def _reachable(start: str, onward: dict[str, set[str]]) -> set[str]:
    reached: set[str] = set()
    waiting = [start]
    while waiting:
        here = waiting.pop()
        if here not in reached:
            reached.add(here)
            waiting += onward.get(here, ())
    return reached


@rule(
    "M020",
    ERROR,
    "A mirror joins two clusters",
    why="A cluster that is mirrored to itself copies its own copies.",
    fix="Name two clusters.",
    source=_MIRROR_MAKER,
)
def two_clusters(context: Context) -> Iterator[Problem]:
    for key, mirror in context.stack.mirrors.items():
        if mirror.source == mirror.target:
            yield Problem(
                f"mirror:{key}",
                ("mirrors", key, "to"),
                f"mirror `{key}` goes from `{shown(mirror.source)}` to itself",
                "name another cluster",
            )


@rule(
    "M021",
    ERROR,
    "A mirror's clusters exist and are Kafka clusters",
    why="Both ends of a mirror are Kafka clusters of the stack.",
    fix="Name two of the stack's Kafka clusters.",
    source="hdictl",
)
def clusters(context: Context) -> Iterator[Problem]:
    kafka = context.stack.kafka_clusters
    for key, mirror in context.stack.mirrors.items():
        for field, cluster in _ends(mirror):
            if cluster not in kafka and is_known(cluster) and not context.is_cut("clusters", cluster):
                what = "is not a Kafka cluster" if cluster in context.stack.clusters else "is not declared"
                yield Problem(
                    f"mirror:{key}",
                    ("mirrors", key, field),
                    f"the cluster `{shown(cluster)}` of mirror `{key}` {what}{did_you_mean(cluster, kafka)}",
                    f"name {one_of(kafka, 'Kafka cluster')}",
                )


@rule(
    "M022",
    WARNING,
    "A mirror runs on at least two nodes",
    why="A mirror on one node stops with that node, at the moment when it is needed.",
    fix="Set `nodes: 2`.",
    source=f"{_MIRROR_MAKER}, KIP-710",
)
def nodes(context: Context) -> Iterator[Problem]:
    for key, mirror in context.stack.mirrors.items():
        if mirror.nodes < 2:
            yield Problem(
                f"mirror:{key}", ("mirrors", key, "nodes"), f"mirror `{key}` runs on one node", "set nodes to 2 or more"
            )


@rule(
    "M023",
    ERROR,
    "Topics and groups of a mirror are names or regular expressions",
    why="MirrorMaker fails, or mirrors nothing, on a pattern that cannot be read; `*` alone is not one, `.*` is.",
    fix="Write names, or patterns such as `page-.*`.",
    source=_MIRROR_MAKER,
)
def patterns(context: Context) -> Iterator[Problem]:
    for key, mirror in context.stack.mirrors.items():
        for field, found in (("topics", mirror.topics), ("groups", mirror.groups)):
            for index, pattern in enumerate(found):
                if is_known(pattern) and (not pattern or _compiled(pattern) is None):
                    yield Problem(
                        f"mirror:{key}",
                        ("mirrors", key, field, index),
                        f"`{shown(pattern)}` is not a regular expression",
                        "write a name, or a pattern such as page-.*",
                    )


@rule(
    "M024",
    WARNING,
    "What a mirror names is declared on its source",
    why="A name that no topic of the source bears mirrors nothing, and says nothing about it.",
    fix="Mend the name, or declare the topic.",
    source="hdictl",
)
def matches_something(context: Context) -> Iterator[Problem]:
    if context.is_cut("topics"):
        return
    for key, mirror in context.stack.mirrors.items():
        if mirror.source not in context.stack.kafka_clusters:
            continue
        names = {topic.name for topic in context.topics_of.get(mirror.source, ())}
        for index, pattern in enumerate(mirror.topics):
            # Only names are looked up: a pattern may be meant for topics that other people make.
            if _LITERAL.match(pattern) and pattern not in names:
                yield Problem(
                    f"mirror:{key}",
                    ("mirrors", key, "topics", index),
                    f"`{mirror.source}` has no topic `{shown(pattern)}`{did_you_mean(pattern, names)}",
                    "mend the name, or declare the topic",
                )


@rule(
    "M025",
    ERROR,
    "No two mirrors copy between the same clusters",
    why="Two MirrorMakers with different settings for one flow race for it; whoever leads last wins.",
    fix="Make one mirror of the two.",
    source=f"{_MIRROR_MAKER}: README",
)
def same_flow(context: Context) -> Iterator[Problem]:
    seen: dict[tuple[str, str], str] = {}
    for key, mirror in context.stack.mirrors.items():
        other = seen.setdefault((mirror.source, mirror.target), key)
        if other != key:
            yield Problem(
                f"mirror:{key}",
                ("mirrors", key),
                f"mirrors `{other}` and `{key}` both copy from `{mirror.source}` to `{mirror.target}`",
                "make one mirror of the two",
            )
