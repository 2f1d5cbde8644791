"""C: script actions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hdictl.stack.check.context import Context, is_known
from hdictl.stack.check.registry import ERROR, WARNING, Problem, rule
from hdictl.stack.clusters import Script
from hdictl.stack.shown import shown
from hdictl.stack.source import Path

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}\Z")
_URI = re.compile(r"(?:https?|wasbs?)://[^\s/]+/\S+\Z", re.I)
_SECRET = re.compile(
    r"(?:password|passwd|pwd|secret|token|(?:account|access|shared|api)[-_]?key|\bkey|\bsig)\s*=", re.I
)
_SCRIPTS = "Microsoft Learn: hdinsight-hadoop-customize-cluster-linux"


def _scripts(context: Context) -> Iterator[tuple[str, str, Path, Script]]:
    for key, cluster in context.stack.clusters.items():
        for name, script in cluster.scripts.items():
            yield key, name, ("clusters", key, "scripts", name), script


@rule(
    "C025",
    ERROR,
    "Names of script actions are letters, digits, `_`, `.` and `-`, and differ in more than case",
    why="HDInsight keeps scripts under their names and finds them by an address that has the name in it.",
    fix="Rename it.",
    source=_SCRIPTS,
)
def script_name(context: Context) -> Iterator[Problem]:
    seen: set[tuple[str, str]] = set()
    for key, name, path, _ in _scripts(context):
        is_second = (key, name.lower()) in seen
        seen.add((key, name.lower()))
        if is_second or not _NAME.match(name):
            what = "differs from another script only in case" if is_second else "cannot be the name of a script action"
            yield Problem(
                f"cluster:{key}",
                path,
                f"`{shown(name)}` {what}",
                "use 1–100 letters, digits, _ . and -, a letter or digit first",
            )


@rule(
    "C026",
    ERROR,
    "A script's address is https:// or wasbs://",
    why="Nodes fetch the script themselves: these they know (and http, wasb), no file of this machine and no abfss.",
    fix="Put the script where nodes can fetch it, and write its whole address.",
    source=_SCRIPTS,
)
def script_address(context: Context) -> Iterator[Problem]:
    for key, name, path, script in _scripts(context):
        if is_known(script.uri) and not _URI.match(script.uri):
            yield Problem(
                f"cluster:{key}",
                (*path, "uri"),
                f"the address of script `{shown(name)}` is not one that nodes can fetch",
                "write https://host/path/script.sh, or wasbs://container@account.blob.core.windows.net/script.sh",
            )


@rule(
    "C027",
    WARNING,
    "Script actions carry no secrets",
    why="Address and parameters stand in the template, in the cluster's history and in Ambari; whoever may look at the "
    "cluster reads them.",
    fix="Let the script fetch its secret, such as from Key Vault with the cluster's identity.",
    source=_SCRIPTS,
)
def script_secret(context: Context) -> Iterator[Problem]:
    for key, name, path, script in _scripts(context):
        for field, text in (("uri", script.uri), ("parameters", script.parameters)):
            if found := _SECRET.search(text):
                yield Problem(
                    f"cluster:{key}",
                    (*path, field),
                    f"`{field}` of script `{shown(name)}` has `{found[0]}…` in it, which everybody can read",
                    "let the script fetch the secret itself, such as from Key Vault",
                )


@rule(
    "C028",
    WARNING,
    "Scripts are fetched over an encrypted connection",
    why="A script runs as root on every node; whoever can change it on its way owns the cluster.",
    fix="Use https:// or wasbs://.",
    source=_SCRIPTS,
)
def script_transport(context: Context) -> Iterator[Problem]:
    for key, name, path, script in _scripts(context):
        if script.uri.lower().startswith(("http://", "wasb://")):
            yield Problem(
                f"cluster:{key}",
                (*path, "uri"),
                f"script `{shown(name)}` is fetched without encryption and runs as root",
                "write https:// or wasbs://",
            )
