"""A: Key Vaults: their names, and what several parts of the stack say of one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hdictl.stack.check.context import Context, is_known
from hdictl.stack.check.registry import ERROR, Problem, rule
from hdictl.stack.clusters import Key
from hdictl.stack.place import Secret
from hdictl.stack.shown import shown
from hdictl.stack.source import Path

_VAULT = re.compile(r"[A-Za-z](?!.*--)[A-Za-z0-9-]{1,22}[A-Za-z0-9]\Z")
_VAULT_OBJECT = re.compile(r"[A-Za-z0-9-]{1,127}\Z")
_KEY_VERSION = re.compile(r"[0-9a-fA-F]{32}\Z")
_DISKS = "Microsoft Learn: hdinsight disk-encryption"


def account_secrets(context: Context) -> Iterator[tuple[str, Path, Secret]]:
    """Passwords of accounts that HDInsight makes."""
    secrets = context.stack.secrets
    if secrets.gateway:
        yield "secrets.gateway", ("secrets", "gateway"), secrets.gateway
    if secrets.ssh and secrets.ssh.password:
        yield "secrets.ssh", ("secrets", "ssh", "password"), secrets.ssh.password


def named_secrets(context: Context) -> Iterator[tuple[str, Path, Secret]]:
    """Every secret that the stack names."""
    yield from account_secrets(context)
    for key, cluster in context.stack.clusters.items():
        if cluster.security:
            yield f"cluster:{key}", ("clusters", key, "security", "password"), cluster.security.password


def named_keys(context: Context) -> Iterator[tuple[str, Path, Key]]:
    """Every key for disks that the stack names."""
    for key, cluster in context.stack.clusters.items():
        if cluster.encryption.key:
            yield f"cluster:{key}", ("clusters", key, "encryption", "key"), cluster.encryption.key


def vault_uses(context: Context) -> Iterator[tuple[str, Path, Secret | Key]]:
    """Everything in a Key Vault that the stack names."""
    yield from named_secrets(context)
    yield from named_keys(context)


@rule(
    "A007",
    ERROR,
    "Key Vaults and what they hold have valid names",
    why="A vault is 3–24 letters, digits and single hyphens and begins with a letter; a secret or key is 1–127 "
    "letters, digits and hyphens.",
    fix="Write the vault's short name, not its address.",
    source="Microsoft Learn: resource-name-rules",
)
def vault(context: Context) -> Iterator[Problem]:
    for address, path, used in vault_uses(context):
        if used.keyvault is not None and is_known(used.keyvault) and not _VAULT.match(used.keyvault):
            yield Problem(
                address,
                (*path, "keyvault"),
                f"`{shown(used.keyvault)}` cannot be a Key Vault's name",
                "write its short name: 3–24 letters, digits and single hyphens, a letter first",
            )
        if used.name is not None and is_known(used.name) and not _VAULT_OBJECT.match(used.name):
            yield Problem(
                address,
                (*path, "name"),
                f"`{shown(used.name)}` cannot be the name of something in a Key Vault",
                "use 1–127 letters, digits and hyphens",
            )


def _group(context: Context, used: Secret | Key) -> str:
    """The resource group of a vault, as Azure compares it."""
    return (used.resource_group or (context.azure.resource_group if context.azure else "")).lower()


@rule(
    "A010",
    ERROR,
    "All that is said of one Key Vault agrees",
    why="A vault is in one resource group, and it is either made by the stack or there before.",
    fix="Say the same `resource_group` and `create` wherever the vault is named.",
    source="hdictl",
)
def vault_agrees(context: Context) -> Iterator[Problem]:
    first: dict[str, tuple[Path, str]] = {}
    made: dict[str, tuple[Path, bool]] = {}
    for address, path, used in vault_uses(context):
        if used.keyvault is None:
            continue
        name, group = used.keyvault.lower(), _group(context, used)
        where, other_group = first.setdefault(name, (path, group))
        if group != other_group and is_known(group + other_group):
            yield Problem(
                address,
                (*path, "resource_group"),
                f"the vault `{shown(used.keyvault)}` is in another resource group than {_dotted(where)} says",
                "name the resource group that it is in, in both places",
            )
        if isinstance(used, Key):
            where, other_create = made.setdefault(name, (path, used.create))
            if used.create != other_create:
                yield Problem(
                    address,
                    (*path, "create"),
                    f"{_dotted(path)} and {_dotted(where)} differ on whether the stack makes the vault "
                    f"`{shown(used.keyvault)}`",
                    "say `create: true` in both places, or in none",
                )


@rule(
    "A011",
    ERROR,
    "No secret is in a vault that the stack itself makes",
    why="Passwords are read from the vault before anything is deployed; a vault that is made then is empty.",
    fix="Keep passwords in a vault that is there before, or take the key from such a vault.",
    source="Microsoft Learn: key-vault-parameter",
)
def secret_in_new_vault(context: Context) -> Iterator[Problem]:
    made = {key.keyvault.lower() for _, _, key in named_keys(context) if key.create}
    for address, path, secret in named_secrets(context):
        if secret.keyvault is not None and secret.keyvault.lower() in made:
            yield Problem(
                address,
                (*path, "keyvault"),
                f"the vault `{shown(secret.keyvault)}` is made by the stack, so the secret cannot be there before",
                "name a vault that exists, or set `create: false` on the key",
            )


@rule(
    "A012",
    ERROR,
    "A vault that the stack makes is in the stack's resource group",
    why="Everything that the stack makes is in its resource group, so that it can be found and removed again.",
    fix="Leave `resource_group` out, or set `create: false`.",
    source="hdictl",
)
def new_vault_in_group(context: Context) -> Iterator[Problem]:
    ours = context.azure.resource_group if context.azure else None
    for address, path, key in named_keys(context):
        group = key.resource_group
        if key.create and group and ours and is_known(group + ours) and group.lower() != ours.lower():
            yield Problem(
                address,
                (*path, "resource_group"),
                f"the vault `{shown(key.keyvault)}` shall be made, but in `{shown(group)}` and not in `{shown(ours)}`",
                "leave resource_group out, or set `create: false`",
            )


@rule(
    "A013",
    ERROR,
    "A key that the stack makes names no version",
    why="The version of a new key is known only when it has been made.",
    fix="Leave `version` out; to rotate the key later, take `create` away and name the version.",
    source=_DISKS,
)
def new_key_version(context: Context) -> Iterator[Problem]:
    for address, path, key in named_keys(context):
        if key.create and key.version is not None:
            yield Problem(
                address,
                (*path, "version"),
                f"the key `{shown(key.name)}` shall be made, so it has no version yet",
                "leave version out, or set `create: false`",
            )


@rule(
    "A014",
    ERROR,
    "A key's version is 32 hexadecimal digits",
    why="That is what Key Vault calls a version; HDInsight refuses names such as `latest`.",
    fix="Take it from `az keyvault key show --query key.kid`, or leave it out.",
    source="Microsoft Learn: key-vault about-keys-secrets-certificates",
)
def key_version(context: Context) -> Iterator[Problem]:
    for address, path, key in named_keys(context):
        if key.version is not None and is_known(key.version) and not _KEY_VERSION.match(key.version):
            yield Problem(
                address,
                (*path, "version"),
                f"`{shown(key.version)}` is not the version of a key",
                "write its 32 hexadecimal digits, or leave version out for the newest",
            )


def _dotted(path: Path) -> str:
    return ".".join(str(part) for part in path)
