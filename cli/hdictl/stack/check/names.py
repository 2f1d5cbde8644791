"""N: names."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hdictl.stack.check.context import Context, is_known
from hdictl.stack.check.registry import ERROR, Problem, rule
from hdictl.stack.shown import shown
from hdictl.stack.source import Path

_STACK_NAME = re.compile(r"[a-z](?:[a-z0-9-]{0,38}[a-z0-9])?\Z")
_KEY = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\Z")
_PART_KEY = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9])?\Z")
_CLUSTER_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{1,57}[A-Za-z0-9]\Z")
# HDInsight keeps `apps` for itself; the rest Azure refuses for anything that gets an endpoint. Those of its reserved
# words that no cluster's name could be (App_Code, web.config) are left out.
_RESERVED = frozenset(
    """
    apps access azure bing bizspark biztalk cortana directx dotnet dynamics excel exchange forefront groove hololens
    hyperv kinect lync msdn o365 office office365 onedrive onenote outlook powerpoint sharepoint skype visio
    visualstudio xbox
    """.split()  # noqa: SIM905 - one word a name reads better
)
_NOWHERE = ("microsoft", "windows")
_NOT_FIRST = "login"
_PROVISION = "Microsoft Learn: hdinsight-hadoop-provision-linux-clusters"


def name_path(context: Context, key: str) -> Path:
    return ("clusters", key, "name") if context.stack.clusters[key].name is not None else ("clusters", key)


def azure_names(context: Context) -> Iterator[tuple[str, str]]:
    """(key, name on Azure) of every cluster whose name is known here; none of a stack that never goes there."""
    goes_there = context.azure is not None or context.target == "azure" or context.is_cut("azure")
    if not goes_there or context.is_cut("stack"):
        return
    for key in context.stack.clusters:
        name = context.azure_name(key)
        if is_known(name):
            yield key, name


@rule(
    "N001",
    ERROR,
    "The stack's name is 1–40 lower-case letters, digits and hyphens",
    why="Names on Azure, tags, locks and folders on this machine derive from it; this is what all of them accept.",
    fix="Begin with a letter, end with a letter or digit: clickstream, data-platform.",
    source=_PROVISION,
)
def stack_name(context: Context) -> Iterator[Problem]:
    name = context.stack.stack
    if is_known(name) and not _STACK_NAME.match(name):
        yield Problem(
            "stack",
            ("stack",),
            f"`{shown(name)}` cannot be a stack's name",
            "use 1–40 lower-case letters, digits and hyphens, a letter first and no hyphen last",
        )


@rule(
    "N002",
    ERROR,
    "A cluster's name on Azure is 3–59 letters, digits and hyphens",
    why="It becomes <name>.azurehdinsight.net and <name>-ssh.azurehdinsight.net; the service refuses anything else.",
    fix="Shorten or mend the cluster's key or the stack's name, or set `name:` on the cluster.",
    source=_PROVISION,
)
def cluster_name(context: Context) -> Iterator[Problem]:
    for key, name in azure_names(context):
        if not _CLUSTER_NAME.match(name):
            yield Problem(
                f"cluster:{key}",
                name_path(context, key),
                f"cluster `{shown(key)}` would be called `{shown(name)}` ({len(name)} characters) on Azure, "
                "which HDInsight refuses",
                "set `name:` to 3–59 letters, digits and hyphens, a letter or digit first and last",
            )


@rule(
    "N003",
    ERROR,
    "A cluster's name is not reserved",
    why="Azure refuses its trademarks in names of endpoints, and HDInsight keeps `apps` for itself.",
    fix="Choose another name.",
    source=f"{_PROVISION}; error-reserved-resource-name",
)
def reserved_name(context: Context) -> Iterator[Problem]:
    for key, name in azure_names(context):
        folded = name.lower()
        word = next((part for part in _NOWHERE if part in folded), None)
        if folded in _RESERVED or word or folded.startswith(_NOT_FIRST):
            yield Problem(
                f"cluster:{key}",
                name_path(context, key),
                f"the name `{shown(name)}` is reserved" + (f", because of `{word}`" if word else ""),
                "set another `name:`",
            )


@rule(
    "N004",
    ERROR,
    "The first six characters of cluster names are unique in a VNet",
    why="Host names of nodes are wn0-<first six>…, so `stream-kafka` and `stream-spark` in one VNet get the same ones "
    "and the second cluster fails.",
    fix="Put what differs first: kafka-stream, spark-stream.",
    source=f"{_PROVISION}; apache-kafka-spark-structured-streaming",
)
def first_six(context: Context) -> Iterator[Problem]:
    seen: dict[tuple[str | None, str], str] = {}
    for key, name in azure_names(context):
        location = context.location(context.stack.clusters[key])
        other = seen.setdefault((location, name[:6].lower()), key)
        if other != key and context.azure_name(other).lower() != name.lower():
            yield Problem(
                f"cluster:{key}",
                name_path(context, key),
                f"clusters `{shown(other)}` and `{shown(key)}` share the first six characters `{name[:6]}` of their "
                f"names on Azure and one VNet ({location or 'one region'})",
                "set `name:` on one of them so that the names differ earlier",
            )


@rule(
    "N005",
    ERROR,
    "No two clusters have one name on Azure",
    why="Cluster names are unique in the world, so certainly in one stack.",
    fix="Set another `name:`.",
    source=_PROVISION,
)
def same_name(context: Context) -> Iterator[Problem]:
    seen: dict[str, str] = {}
    for key, name in azure_names(context):
        other = seen.setdefault(name.lower(), key)
        if other != key:
            yield Problem(
                f"cluster:{key}",
                name_path(context, key),
                f"clusters `{shown(other)}` and `{shown(key)}` are both called `{shown(name)}` on Azure",
                "set another `name:` on one of them",
            )


@rule(
    "N006",
    ERROR,
    "Keys of clusters are letters, digits and hyphens; keys of jobs and mirrors may also have `_` and `.`",
    why="Names on Azure, mirror aliases, folders and checkpoints are made from them.",
    fix="Rename it.",
    source="hdictl",
)
def keys(context: Context) -> Iterator[Problem]:
    stack = context.stack
    for section, kind, shape, names in (
        ("clusters", "cluster", _KEY, stack.clusters),
        ("jobs", "job", _PART_KEY, stack.jobs),
        ("mirrors", "mirror", _PART_KEY, stack.mirrors),
    ):
        for key in names:
            if len(key) > 100 or not shape.match(key):
                yield Problem(
                    f"{kind}:{key}",
                    (section, key),
                    f"`{shown(key)}` cannot be the name of a {kind}",
                    "use letters, digits and hyphens, a letter or digit first and last, at most 100 characters",
                )
