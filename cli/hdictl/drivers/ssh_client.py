"""How ssh is called, and what its complaints mean.

The system's own ssh does the work, so that a person's configuration, agent and jump hosts count. Host keys are kept in
a file of ours: the first one is believed, a changed one never.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import IO, NamedTuple

from hdictl.drivers import folders
from hdictl.drivers.azure.secrets import SecretText
from hdictl.errors import TunnelFailed


class SshLogin(NamedTuple):
    host: str
    port: int
    user: str
    key_file: Path | None = None  # None: ssh finds one itself
    password: SecretText | None = None

    @property
    def where(self) -> str:
        return f"ssh {self.user}@{self.host}:{self.port}"


def state_folder() -> Path:
    folder = folders.state() / "ssh"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def ssh_command(login: SshLogin, *options: str, run: Sequence[str] = ()) -> list[str]:
    """`run` is what the other side shall run."""
    ssh = shutil.which("ssh")
    if ssh is None:
        raise TunnelFailed(
            "the OpenSSH client is not installed",
            where=login.where,
            fix="install it (Debian, Ubuntu: apt-get install openssh-client), or use `access: direct` inside the VNet",
        )
    key_file = login.key_file
    if key_file is not None and not key_file.is_file():
        raise TunnelFailed(
            f"there is no key file {key_file}", where=login.where, fix="mend `secrets.ssh.private_key_file`"
        )
    identity = ["-i", _plain(key_file), "-o", "IdentitiesOnly=yes"] if key_file is not None else []
    place = ["-p", str(login.port), "-l", login.user, "--", login.host]
    return [ssh, "-T", *options, *_settings(login), *identity, *place, *run]


def _settings(login: SshLogin) -> list[str]:
    settings = {
        "ConnectTimeout": "20",
        "ServerAliveInterval": "15",
        "ServerAliveCountMax": "4",
        "StrictHostKeyChecking": "accept-new",
        "UserKnownHostsFile": f'"{_plain(state_folder() / "known_hosts")}"',
        # A connection that the user shares among sessions would outlive ours, and the proxy with it.
        "ControlMaster": "no",
        "ControlPath": "none",
    }
    if login.password is not None:
        settings |= {
            "PubkeyAuthentication": "no",
            "PreferredAuthentications": "password,keyboard-interactive",
            "NumberOfPasswordPrompts": "1",
        }
    else:
        settings["BatchMode"] = "yes"
    return [word for key, value in settings.items() for word in ("-o", f"{key}={value}")]


def _plain(file: Path) -> str:
    """ssh puts values in place of %h, %u and others, in names of files too."""
    return str(file).replace("%", "%%")


def ssh_failure(line: str, where: str) -> TunnelFailed:
    known_hosts = folders.state() / "ssh" / "known_hosts"
    steps = {
        "Permission denied": "see user and key (or password) under `secrets.ssh`; the key must be the cluster's",
        "Host key verification failed": "the host key is not the one of the last time; if the cluster was made anew, "
        f"take its line out of {known_hosts}",
        "Could not resolve": "see that the cluster exists: hdictl status --target azure",
        "timed out": "see that the NSG lets SSH in from here: `admins` of the network in the stack",
        "Connection refused": "see that the cluster is Running: hdictl status --target azure",
        "UNPROTECTED PRIVATE KEY": "chmod 600 the key file",
    }
    step = next((step for sign, step in steps.items() if sign in line), "try the same with: ssh -v")
    return TunnelFailed(line or "ssh ended without a word", where=where, fix=step)


def last_line(said: IO[bytes]) -> str:
    lines = [line.strip() for line in text_of(said).splitlines()]
    telling = [line for line in lines if line and not line.startswith(("Warning:", "@", "**"))]
    return telling[-1] if telling else ""


def text_of(said: IO[bytes], most: int = 65536) -> str:
    # ssh writes on through the same file: read without moving where it writes.
    return os.pread(said.fileno(), most, 0).decode(errors="replace")
