"""A SOCKS proxy into a cluster's network, over the SSH endpoint that every HDInsight cluster has.

The system's own ssh does the work, so that a person's configuration, agent and jump hosts count. Host keys are kept in
a file of ours: the first one is believed, a changed one never.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from hdictl.drivers import folders, socks
from hdictl.drivers.azure.secrets import SecretText
from hdictl.drivers.ssh_password import PasswordPipe
from hdictl.errors import TunnelFailed

HOST = "127.0.0.1"
_LOGIN_SECONDS = 60.0
_END_SECONDS = 5.0
_TICK_SECONDS = 0.05

# ssh ends when hdictl does, however that ends: the shell's input is a pipe whose other end is ours. The shell ends when
# ssh does. A session of its own keeps Ctrl-C away, so that what is going on can be finished through the tunnel.
_KEEPER = """
exec 3<&0
"$@" </dev/null 3<&- & ssh=$!
(cat <&3 >/dev/null; kill $ssh) 2>/dev/null & watch=$!
wait $ssh; code=$?
kill $watch 2>/dev/null
exit $code
"""


@contextmanager
def tunnel(host: str, port: int, user: str, key_file: Path | None, password: SecretText | None) -> Iterator[str]:
    """The proxy's address, socks5h://127.0.0.1:PORT, for as long as the context lasts."""
    where = f"ssh {user}@{host}:{port}"
    ssh = shutil.which("ssh")
    if ssh is None:
        raise TunnelFailed(
            "the OpenSSH client is not installed",
            where=where,
            fix="install it (Debian, Ubuntu: apt-get install openssh-client), or use `access: direct` inside the VNet",
        )
    if key_file is not None and not key_file.is_file():
        raise TunnelFailed(f"there is no key file {key_file}", where=where, fix="mend `secrets.ssh.private_key_file`")
    local = _free_port()
    folder = folders.state() / "ssh"
    folder.mkdir(mode=0o700, exist_ok=True)
    options = _options(folder / "known_hosts", local, key_file, with_password=password is not None)
    command = [ssh, *options, "-p", str(port), "-l", user, "--", host]
    with tempfile.TemporaryFile() as said, PasswordPipe(password, folder) as pipe:
        keeper = subprocess.Popen(
            ["/bin/sh", "-c", _KEEPER, "hdictl-tunnel", *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=said,
            env={**os.environ, **pipe.environment},
            start_new_session=True,
        )
        try:
            _await_login(keeper, local, pipe, said, where)
            _require_forwarding(local, said, where)
            yield f"socks5h://{HOST}:{local}"
        finally:
            _end(keeper)


def _options(known_hosts: Path, local: int, key_file: Path | None, *, with_password: bool) -> list[str]:
    settings = {
        "ExitOnForwardFailure": "yes",
        "ConnectTimeout": "20",
        "ServerAliveInterval": "15",
        "ServerAliveCountMax": "4",
        "StrictHostKeyChecking": "accept-new",
        "UserKnownHostsFile": f'"{_plain(known_hosts)}"',
        # A connection that the user shares among sessions would outlive ours, and the proxy with it.
        "ControlMaster": "no",
        "ControlPath": "none",
    }
    if with_password:
        settings |= {
            "PubkeyAuthentication": "no",
            "PreferredAuthentications": "password,keyboard-interactive",
            "NumberOfPasswordPrompts": "1",
        }
    else:
        settings["BatchMode"] = "yes"
    identity = ["-i", _plain(key_file), "-o", "IdentitiesOnly=yes"] if key_file is not None else []
    stated = [word for key, value in settings.items() for word in ("-o", f"{key}={value}")]
    return ["-N", "-T", "-D", f"{HOST}:{local}", *stated, *identity]


def _plain(file: Path) -> str:
    """ssh puts values in place of %h, %u and others, in names of files too."""
    return str(file).replace("%", "%%")


def _await_login(keeper: subprocess.Popen[bytes], local: int, pipe: PasswordPipe, said: IO[bytes], where: str) -> None:
    """ssh opens the port once it is logged in."""
    deadline = time.monotonic() + _LOGIN_SECONDS
    while not _answers(local):
        if keeper.poll() is not None:
            raise _failed(_last_line(said), where)
        if time.monotonic() > deadline:
            raise _failed(_last_line(said) or f"no login after {_LOGIN_SECONDS:.0f} s", where)
        pipe.feed()
        time.sleep(_TICK_SECONDS)


def _require_forwarding(local: int, said: IO[bytes], where: str) -> None:
    """A server may take the login and forbid what it is for; then ssh says so once something is sent through."""
    if not socks.gets_through(HOST, local, "localhost", 22) and "administratively prohibited" in _text(said):
        raise TunnelFailed(
            "the server lets us in, but does not forward connections",
            where=where,
            fix="let its sshd allow it (AllowTcpForwarding), or work inside the VNet with `access: direct`",
        )


def _failed(line: str, where: str) -> TunnelFailed:
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


def _end(keeper: subprocess.Popen[bytes]) -> None:
    """Closing the pipe ends ssh; waiting is for a clean end only."""
    assert keeper.stdin is not None  # noqa: S101 — it was opened as a pipe
    keeper.stdin.close()
    try:
        keeper.wait(_END_SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(keeper.pid, 9)
        keeper.wait()


def _last_line(said: IO[bytes]) -> str:
    lines = [line.strip() for line in _text(said).splitlines()]
    telling = [line for line in lines if line and not line.startswith(("Warning:", "@", "**"))]
    return telling[-1] if telling else ""


def _text(said: IO[bytes]) -> str:
    # ssh writes on through the same file: read without moving where it writes.
    return os.pread(said.fileno(), 65536, 0).decode(errors="replace")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def _answers(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex((HOST, port)) == 0
