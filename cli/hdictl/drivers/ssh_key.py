"""The public SSH key that a stack names."""

from __future__ import annotations

from pathlib import Path

from hdictl.errors import FileRefused, UsageError
from hdictl.stack.model import Stack

_WHERE = "secrets.ssh.public_key_file"


def public_key(stack: Stack, folder: Path) -> str | None:
    """Its text, in one line; None when the stack names no key file. `folder` is that of the stack file."""
    ssh = stack.secrets.ssh
    if ssh is None or ssh.public_key_file is None:
        return None
    try:
        file = folder / Path(ssh.public_key_file).expanduser()
    except RuntimeError as error:  # `~somebody` who is not known here
        raise UsageError(f"{ssh.public_key_file}: {error}", where=_WHERE, fix="write the whole path") from None
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


def _checked(text: str, file: Path) -> str:
    """Nothing but a public key is sent: a private one, named by mistake, would end up in a template."""
    lines = text.splitlines()
    if len(lines) != 1 or not lines[0].startswith(("ssh-", "ecdsa-", "sk-")) or len(lines[0].split()) < 2:
        raise UsageError(f"{file} does not hold one OpenSSH public key", where=_WHERE, fix="name the .pub file")
    return lines[0]


def _private(file: Path) -> Path:
    return file.with_suffix("") if file.suffix == ".pub" else file
