"""The SSH keys that a stack names, by files of which the paths begin at the stack file."""

from __future__ import annotations

from pathlib import Path

from hdictl.errors import FileRefused, UsageError
from hdictl.stack.model import Stack

_WHERE = "secrets.ssh.public_key_file"


def public_key(stack: Stack, folder: Path) -> str | None:
    """Its text, in one line; None when the stack names no key file."""
    ssh = stack.secrets.ssh
    if ssh is None or ssh.public_key_file is None:
        return None
    file = _file(ssh.public_key_file, folder, _WHERE)
    try:
        text = file.read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        raise UsageError(
            f"there is no public key {file}",
            where=_WHERE,
            fix=f"make one: ssh-keygen -t rsa -b 4096 -f {_private(file)}",
        ) from None
    except UnicodeDecodeError:
        raise UsageError(f"{file} is not an OpenSSH public key", where=_WHERE, fix="name the .pub file") from None
    except OSError as error:
        raise FileRefused(f"{error.strerror}", where=str(file), fix="name a readable file") from None
    return _checked(text, file)


def private_key_file(stack: Stack, folder: Path) -> Path | None:
    """Where it is; None when ssh itself shall find one. Only ssh ever reads it."""
    ssh = stack.secrets.ssh
    if ssh is None or ssh.private_key_file is None:
        return None
    return _file(ssh.private_key_file, folder, "secrets.ssh.private_key_file")


def _file(stated: str, folder: Path, where: str) -> Path:
    try:
        return folder / Path(stated).expanduser()
    except RuntimeError as error:  # `~somebody` who is not known here
        raise UsageError(f"{stated}: {error}", where=where, fix="write the whole path") from None


def _checked(text: str, file: Path) -> str:
    """Nothing but a public key is sent: a private one, named by mistake, would end up in a template."""
    lines = text.splitlines()
    if len(lines) != 1 or not lines[0].startswith(("ssh-", "ecdsa-", "sk-")) or len(lines[0].split()) < 2:
        raise UsageError(f"{file} does not hold one OpenSSH public key", where=_WHERE, fix="name the .pub file")
    return lines[0]


def _private(file: Path) -> Path:
    return file.with_suffix("") if file.suffix == ".pub" else file
