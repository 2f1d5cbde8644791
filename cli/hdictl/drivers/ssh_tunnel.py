"""A SOCKS proxy into a cluster's network, over the SSH endpoint that every HDInsight cluster has."""

from __future__ import annotations

import os
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from hdictl.drivers import socks
from hdictl.drivers.azure.secrets import SecretText
from hdictl.drivers.ssh_client import SshLogin, last_line, ssh_command, ssh_failure, state_folder, text_of
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
    login = SshLogin(host, port, user, key_file, password)
    local = _free_port()
    command = ssh_command(login, "-N", "-D", f"{HOST}:{local}", "-o", "ExitOnForwardFailure=yes")
    with tempfile.TemporaryFile() as said, PasswordPipe(password, state_folder()) as pipe:
        keeper = subprocess.Popen(
            ["/bin/sh", "-c", _KEEPER, "hdictl-tunnel", *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=said,
            env={**os.environ, **pipe.environment},
            start_new_session=True,
        )
        try:
            _await_login(keeper, local, pipe, said, login.where)
            _require_forwarding(local, said, login.where)
            yield f"socks5h://{HOST}:{local}"
        finally:
            _end(keeper)


def _await_login(keeper: subprocess.Popen[bytes], local: int, pipe: PasswordPipe, said: IO[bytes], where: str) -> None:
    """ssh opens the port once it is logged in."""
    deadline = time.monotonic() + _LOGIN_SECONDS
    while not _answers(local):
        if keeper.poll() is not None:
            raise ssh_failure(last_line(said), where)
        if time.monotonic() > deadline:
            raise ssh_failure(last_line(said) or f"no login after {_LOGIN_SECONDS:.0f} s", where)
        pipe.feed()
        time.sleep(_TICK_SECONDS)


def _require_forwarding(local: int, said: IO[bytes], where: str) -> None:
    """A server may take the login and forbid what it is for; then ssh says so once something is sent through."""
    if not socks.gets_through(HOST, local, "localhost", 22) and "administratively prohibited" in text_of(said):
        raise TunnelFailed(
            "the server lets us in, but does not forward connections",
            where=where,
            fix="let its sshd allow it (AllowTcpForwarding), or work inside the VNet with `access: direct`",
        )


def _end(keeper: subprocess.Popen[bytes]) -> None:
    """Closing the pipe ends ssh; waiting is for a clean end only."""
    assert keeper.stdin is not None  # noqa: S101 — it was opened as a pipe
    keeper.stdin.close()
    try:
        keeper.wait(_END_SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(keeper.pid, 9)
        keeper.wait()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def _answers(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex((HOST, port)) == 0
