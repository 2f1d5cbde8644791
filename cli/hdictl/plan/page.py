"""docs/changes.md: how each field changes, as a page. Written by `python -m hdictl.plan.page docs/changes.md`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from hdictl.plan.cluster_rules import CLUSTER_RULES, OFTEN_HIDDEN
from hdictl.plan.rules import TOPIC_RULES, Behaviour, FieldRule

_HEAD = """\
# What can change, and how

A plan compares the stack with what is there, field by field. How a field behaves stands in one table for clusters
(`plan/cluster_rules.py`) and one for topics (`plan/rules.py`); this page is made from them.

- **in place**: `apply` changes it, by the API that the service has for it.
- **grows only**: in place; less than there is is refused.
- **`--replace`**: refused, unless the cluster is named: `--replace CLUSTER` has it deleted and made anew.
- **refused**: even with `--replace`. What to do instead is part of the message.
- **planned only**: shown, and left to `hdictl rebalance run`.
"""
_LEFT = """
**What is taken out of the stack is not taken out of Azure behind your back.** A cluster that the stack no longer names
runs on and is paid for; every plan says so, and how to end it. A deployment that would take away a subnet is refused.
What let somebody in goes: an address that left `admins`, or a security rule of the stack's own, is a change like any
other. A security rule of somebody else is told, and goes with the next deployment. Tags stay.
"""
_WORDS = {
    Behaviour.IN_PLACE: "in place",
    Behaviour.GROWS_ONLY: "grows only",
    Behaviour.MOVES_DATA: "planned only",
    Behaviour.REPLACES: "`--replace`",
    Behaviour.REFUSED: "refused",
}

# Keys of a cluster that say it, if not by the same words.
WRITTEN: dict[str, tuple[str, ...]] = {
    "component": ("kafka", "spark"),
    "encryption.key": ("encryption.key.keyvault", "encryption.key.name"),
    "gateway": ("entra_users",),
    "management.size": ("rest_proxy.size",),
    "rest_proxy": ("rest_proxy.group_id",),
    "security": ("security.domain",),
    "tier": ("security.domain",),
}
# Said elsewhere than below the cluster.
_ELSEWHERE = {"monitoring": "`monitor`", "ssh.user": "`secrets.ssh.user`", "storage": "`storage` of the region"}

# What is written of a cluster and compared with nothing: keys, why, what to do about it.
UNSEEN: tuple[tuple[tuple[str, ...], str, str], ...] = (
    (
        ("gateway_user", "entra_users"),
        "HDInsight does not return who may log in; only whether a password or Entra is used is compared",
        "`hdictl gateway CLUSTER` sends user and password, or the Entra users",
    ),
    (("scripts",), "they run when the cluster is made", "`hdictl script run CLUSTER NAME --uri … --persist`"),
    (
        (
            "security.directory",
            "security.ldaps",
            "security.user",
            "security.password",
            "security.groups",
            "security.organizational_unit",
            "security.identity",
        ),
        "the domain is joined when the cluster is made; later only `security.domain` is compared",
        "`--replace`, together with something that is compared; or a new cluster beside it",
    ),
    (
        ("secrets.ssh.public_key_file",),
        "the key is put on the nodes when the cluster is made",
        "add another by a script action, on the nodes that are there and (`--persist`) on those to come",
    ),
    (("rest_proxy.group",), "the group is known by its id", "nothing: only `rest_proxy.group_id` counts"),
    (
        ("encryption.key.resource_group", "encryption.key.create"),
        "they say where the key is, or who makes it, not which it is",
        "nothing",
    ),
    (
        ("name",),
        "it is how a cluster is found: with another name it is another cluster",
        "the old one stays and is paid for; every plan says how to end it",
    ),
    (
        ("access", "bootstrap", "proxy", "cluster_id", "local"),
        "they are about how this machine reaches or runs the cluster",
        "nothing: they count from the next command on",
    ),
)


def changes_page() -> str:
    return "\n".join([_HEAD, *_clusters(), *_unseen(), *_topics()])


def _clusters() -> Iterator[str]:
    yield "## Clusters on Azure\n"
    yield "| field | in the stack | changes | why | source |\n|---|---|---|---|---|"
    for name, rule in CLUSTER_RULES.items():
        mark = " *" if name in OFTEN_HIDDEN else ""
        yield f"| `{name}`{mark} | {_stated(name)} | {_changes(name, rule)} | {_why(rule)} |"
    yield "\n\\* HDInsight does not always return it; where it does not, no difference is seen.\n"


def _stated(name: str) -> str:
    return _ELSEWHERE.get(name) or ", ".join(f"`{key}`" for key in WRITTEN.get(name, (name,)))


def _changes(name: str, rule: FieldRule) -> str:
    return "Kafka: grows only; Spark: in place" if name == "workers.count" else _WORDS[rule.behaviour]


def _why(rule: FieldRule) -> str:
    warning = f"; {rule.warning}" if rule.warning else ""
    return f"{_cell(rule.reason + warning)} | {_cell(rule.source)}"


def _unseen() -> Iterator[str]:
    yield "### What no plan sees\n"
    yield "| in the stack | why | what to do |\n|---|---|---|"
    for keys, why, step in UNSEEN:
        yield f"| {', '.join(f'`{key}`' for key in keys)} | {_cell(why)} | {_cell(step)} |"
    yield _LEFT


def _topics() -> Iterator[str]:
    yield "## Topics, on every target\n"
    yield "| field | changes | why | source |\n|---|---|---|---|"
    for name, rule in TOPIC_RULES.items():
        yield f"| `{name}` | {_WORDS[rule.behaviour]} | {_why(rule)} |"
    yield ""


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(changes_page(), encoding="utf-8")
