"""U: users, and where their passwords come from. Passwords themselves are looked at, never shown."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hdictl.stack.check.context import Context, is_known
from hdictl.stack.check.registry import ERROR, WARNING, Problem, rule
from hdictl.stack.check.vaults import account_secrets, named_secrets
from hdictl.stack.shown import shown

_GATEWAY_USER = re.compile(r"[a-z][a-z0-9_]{1,19}\Z")
_SSH_USER = re.compile(r"[A-Za-z0-9_@]{2,64}\Z")
_RESERVED_SSH = frozenset(
    """
    hadoop users oozie hive mapred ambari-qa zookeeper tez hdfs sqoop yarn hcat ams hbase administrator admin user
    user1 test user2 test1 user3 admin1 1 123 a actuser adm admin2 aspnet backup console david guest john owner root
    server sql support support_388945a0 sys test2 test3 user4 user5 spark
    """.split()  # noqa: SIM905 - one word a name reads better
)
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_FORBIDDEN_CHARACTERS = "'\"\\]."
_PROVISION = "Microsoft Learn: hdinsight-hadoop-provision-linux-clusters"
_QUICKSTART = "Azure quickstart template hdinsight-kafka"


@rule(
    "U001",
    ERROR,
    "The gateway user is 2–20 lower-case letters, digits and `_`, a letter first",
    why="Documentation and templates disagree on special characters; these are accepted by both.",
    fix="Write admin, or leave the line out.",
    source=f"{_PROVISION}; {_QUICKSTART}",
)
def gateway_user(context: Context) -> Iterator[Problem]:
    for key, cluster in context.stack.clusters.items():
        if is_known(cluster.gateway_user) and not _GATEWAY_USER.match(cluster.gateway_user):
            yield Problem(
                f"cluster:{key}",
                ("clusters", key, "gateway_user"),
                f"`{shown(cluster.gateway_user)}` cannot be the gateway user",
                "use 2–20 lower-case letters, digits and _, a letter first",
            )


@rule(
    "U002",
    ERROR,
    "The SSH user is 2–64 letters, digits, `_` and `@`",
    why="HDInsight refuses anything else.",
    fix="Write sshuser, or leave the line out.",
    source=_PROVISION,
)
def ssh_user(context: Context) -> Iterator[Problem]:
    ssh = context.stack.secrets.ssh
    if ssh and is_known(ssh.user) and ssh.user.lower() not in _RESERVED_SSH and not _SSH_USER.match(ssh.user):
        yield Problem(
            "secrets.ssh",
            ("secrets", "ssh", "user"),
            f"`{shown(ssh.user)}` cannot be the SSH user",
            "use 2–64 letters, digits, _ and @",
        )


@rule(
    "U003",
    ERROR,
    "The SSH user is not reserved",
    why="HDInsight keeps names of its services and of usual accounts for itself.",
    fix="Write sshuser, or leave the line out.",
    source=_PROVISION,
)
def reserved_ssh_user(context: Context) -> Iterator[Problem]:
    ssh = context.stack.secrets.ssh
    if ssh and ssh.user.lower() in _RESERVED_SSH:
        yield Problem(
            "secrets.ssh",
            ("secrets", "ssh", "user"),
            f"the SSH user `{ssh.user}` is reserved by HDInsight",
            "write sshuser, or another name",
        )


@rule(
    "U004",
    ERROR,
    "The SSH user is not the gateway user",
    why="HDInsight refuses one name for both.",
    fix="Rename one of them.",
    source=_PROVISION,
)
def same_user(context: Context) -> Iterator[Problem]:
    ssh = context.stack.secrets.ssh
    for key, cluster in context.stack.clusters.items() if ssh else ():
        if ssh and is_known(ssh.user) and cluster.gateway_user.lower() == ssh.user.lower():
            yield Problem(
                f"cluster:{key}",
                ("clusters", key, "gateway_user"),
                f"`{shown(cluster.gateway_user)}` is both the gateway user and the SSH user",
                "rename one of them",
            )


@rule(
    "U005",
    ERROR,
    "A password is one that HDInsight accepts",
    why="At least 10 characters with a digit, an upper-case, a lower-case and another character, none of ' \" \\ ] . "
    "and no three characters in a row of a user's name.",
    fix="Make a new one, such as `openssl rand -base64 18` with a `!` behind it.",
    source=_QUICKSTART,
    varies=True,
)
def password(context: Context) -> Iterator[Problem]:
    users = {cluster.gateway_user for cluster in context.stack.clusters.values()}
    if context.stack.secrets.ssh:
        users.add(context.stack.secrets.ssh.user)
    for address, path, secret in account_secrets(context):
        value = context.environ.get(secret.env, "") if secret.env else ""
        if value and (faults := list(_password_faults(value, users))):
            yield Problem(
                address,
                (*path, "env"),
                f"the password in {secret.env} {', '.join(faults)}",
                "set another one: ≥ 10 characters with a digit, upper case, lower case and a sign such as ! or -",
            )


def _password_faults(value: str, users: set[str]) -> Iterator[str]:
    """What is wrong, in words that give nothing of it away."""
    if not 10 <= len(value) <= 72:
        yield "does not have 10 to 72 characters"
    for is_of_kind, kind in (
        (str.isdigit, "digit"),
        (str.isupper, "upper-case letter"),
        (str.islower, "lower-case letter"),
    ):
        if not any(map(is_of_kind, value)):
            yield f"has no {kind}"
    if value.isalnum():
        yield "has only letters and digits"
    if any(character in value for character in _FORBIDDEN_CHARACTERS):
        yield "has one of ' \" \\ ] ."
    folded = value.lower()
    if any(user[start : start + 3].lower() in folded for user in users for start in range(len(user) - 2)):
        yield "has three characters in a row of a user's name"


@rule(
    "U006",
    ERROR,
    "A secret comes from one place",
    why="`keyvault` with `name`, or `env`; a half-named or doubly named secret cannot be found.",
    fix="Write {keyvault: …, name: …} or {env: …}.",
    source="hdictl",
)
def one_place(context: Context) -> Iterator[Problem]:
    for address, path, secret in named_secrets(context):
        from_vault = secret.keyvault is not None and secret.name is not None
        is_half = (secret.keyvault is None) != (secret.name is None)
        is_half = is_half or (secret.keyvault is None and secret.resource_group is not None)
        if is_half or from_vault == (secret.env is not None):
            yield Problem(
                address, path, "a secret comes from one place", "write {keyvault: …, name: …}, or {env: NAME}"
            )


@rule(
    "U007",
    ERROR,
    "SSH has a key or a password",
    why="With neither nobody can log in, and a cluster cannot be made; with both, which one holds is unclear.",
    fix="Write `public_key_file: ~/.ssh/id_rsa.pub`.",
    source="Azure quickstart template hdinsight-linux-ssh-publickey",
)
def key_or_password(context: Context) -> Iterator[Problem]:
    ssh = context.stack.secrets.ssh
    if ssh and (ssh.public_key_file is None) == (ssh.password is None):
        both = "both a key and a password" if ssh.password else "neither a key nor a password"
        yield Problem("secrets.ssh", ("secrets", "ssh"), f"SSH has {both}", "give `public_key_file`, and only that")


@rule(
    "U008",
    ERROR,
    "A stack for the target azure says where its secrets are",
    why="A cluster has a gateway password and an SSH login from its first minute; both must be there before. "
    "Clusters that are only reached, by `bootstrap`, need neither; those with `entra_users` need no password.",
    fix="Name them under `secrets`.",
    source=_PROVISION,
    varies=True,
)
def secrets_present(context: Context) -> Iterator[Problem]:
    is_needed = context.target == "azure" and context.stack.clusters and context.makes_clusters
    if not is_needed or context.is_cut("secrets"):
        return
    # Where all clusters have Entra users, there is no gateway password.
    has_password = any(not cluster.entra_users for cluster in context.stack.clusters.values())
    for name in ("gateway", "ssh") if has_password else ("ssh",):
        if getattr(context.stack.secrets, name) is None:
            yield Problem(
                f"secrets.{name}", ("secrets",), f"`secrets.{name}` is missing", f"see `hdictl explain secrets.{name}`"
            )


@rule(
    "U013",
    WARNING,
    "The variables that hold secrets are set",
    why="`apply` sends them when it makes a cluster, and does nothing at all without them; to check, render, plan or "
    "look, nobody needs them.",
    fix="Export them where `apply` runs.",
    source="hdictl",
    varies=True,
)
def variables_set(context: Context) -> Iterator[Problem]:
    if context.target != "azure" or not context.makes_clusters:
        return
    for address, path, secret in named_secrets(context):
        if secret.env and _VARIABLE.match(secret.env) and not context.environ.get(secret.env):
            yield Problem(
                address,
                (*path, "env"),
                f"the environment variable {shown(secret.env)} is not set",
                f"export {shown(secret.env)}=…",
            )


@rule(
    "U012",
    ERROR,
    "`env` is the name of an environment variable",
    why="The stack file says where a secret is, never what it is; a name has letters, digits and `_` only.",
    fix="Write {env: GATEWAY_PASSWORD}, and export that variable.",
    source="hdictl",
)
def variable_name(context: Context) -> Iterator[Problem]:
    for address, path, secret in named_secrets(context):
        if secret.env is not None and is_known(secret.env) and not _VARIABLE.match(secret.env):
            # What stands there may be the secret itself: it is not shown.
            yield Problem(
                address,
                (*path, "env"),
                "what `env` says is not the name of an environment variable",
                "write {env: GATEWAY_PASSWORD}; if it was the password, change it: it is in this file's history",
            )
