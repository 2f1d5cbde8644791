"""C, U: people and groups of Microsoft Entra ID at the gateway and at the Kafka REST proxy."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hdictl.stack.check.context import Context, is_known
from hdictl.stack.check.identifiers import is_guid
from hdictl.stack.check.registry import ERROR, WARNING, Problem, rule
from hdictl.stack.shown import shown
from hdictl.stack.source import Path

_UPN = re.compile(r"[^@\s]+@[^@\s]+\Z")
_ENTRA = "Microsoft Learn: create-clusters-with-entra"
_PROXY = "Microsoft Learn: rest-proxy"


def _object_ids(context: Context) -> Iterator[tuple[str, Path, str]]:
    for key, cluster in context.stack.clusters.items():
        for name, user in cluster.entra_users.items():
            yield key, ("clusters", key, "entra_users", name, "object_id"), user.object_id
    for key, kafka in context.kafka():
        if kafka.rest_proxy:
            yield key, ("clusters", key, "rest_proxy", "group_id"), kafka.rest_proxy.group_id


@rule(
    "C023",
    ERROR,
    "Users and groups are named by their object id, a GUID",
    why="Names may change and may be had twice; the gateway and the REST proxy compare ids.",
    fix="Take it from `az ad user show --id … --query id`, or `az ad group show`.",
    source=f"{_ENTRA}; {_PROXY}",
)
def object_id(context: Context) -> Iterator[Problem]:
    for key, path, text in _object_ids(context):
        if is_known(text) and not is_guid(text):
            yield Problem(
                f"cluster:{key}",
                path,
                f"`{shown(text)}` is not an object id",
                "write the GUID that `az ad user show` or `az ad group show` prints as `id`",
            )


@rule(
    "C024",
    ERROR,
    "An Entra user has a user principal name",
    why="It is what the gateway shows and Ambari keeps; it looks like a mail address.",
    fix="Write it as ada@example.com.",
    source=_ENTRA,
)
def principal_name(context: Context) -> Iterator[Problem]:
    for key, cluster in context.stack.clusters.items():
        for name, user in cluster.entra_users.items():
            if is_known(user.upn) and not _UPN.match(user.upn):
                yield Problem(
                    f"cluster:{key}",
                    ("clusters", key, "entra_users", name, "upn"),
                    f"`{shown(user.upn)}` is not a user principal name",
                    "write it as ada@example.com",
                )


@rule(
    "U009",
    WARNING,
    "hdictl can log in at the gateway",
    why="A cluster with `entra_users` has no gateway password, for its whole life. hdictl asks Ambari and Livy with a "
    "password: what needs them (brokers' addresses, rolling restarts, jobs) does not work from here.",
    fix="Leave `entra_users` out; or waive this rule, and name the brokers under `bootstrap`.",
    source=_ENTRA,
    varies=True,
)
def no_password(context: Context) -> Iterator[Problem]:
    for key, cluster in context.stack.clusters.items() if context.target == "azure" else ():
        if cluster.entra_users:
            yield Problem(
                f"cluster:{key}",
                ("clusters", key, "entra_users"),
                f"cluster `{key}` has Entra users and no gateway password, so hdictl cannot ask its Ambari and Livy",
                f"name its brokers under `bootstrap` if it is Kafka, and waive U009 for cluster:{key}",
            )
