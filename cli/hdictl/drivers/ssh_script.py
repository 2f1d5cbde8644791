"""A script of ours, run on the other side of an SSH login, and what it printed."""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from hdictl.drivers.ssh_client import SshLogin, last_line, ssh_command, ssh_failure, state_folder, text_of
from hdictl.drivers.ssh_password import PasswordPipe
from hdictl.errors import TunnelFailed

_PATIENCE_SECONDS = 120.0  # login and script together
_TICK_SECONDS = 0.05
_END_SECONDS = 5.0
_MOST = 1 << 20  # bytes of output; a topology document has some thousands
_SSH_ITSELF = 255  # the exit code when it is ssh that failed, not what it ran

# As root where the user may become so without a password, as on HDInsight.
_SHELL = "if sudo -n true 2>/dev/null; then exec sudo -n bash -s; else exec bash -s; fi"


def ssh_script(login: SshLogin, script: Path, patience: float = _PATIENCE_SECONDS) -> str:
    """Standard output, whatever the script's exit code. The script travels on standard input: nothing stays there."""
    command = ssh_command(login, run=[_SHELL])
    with (
        script.open("rb") as source,
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as said,
        PasswordPipe(login.password, state_folder()) as pipe,
    ):
        environment = {**os.environ, **pipe.environment}
        process = subprocess.Popen(
            command, stdin=source, stdout=out, stderr=said, env=environment, start_new_session=True
        )
        try:
            _await_end(process, pipe, login.where, patience)
        finally:
            _end(process)
        if process.returncode == _SSH_ITSELF:
            raise ssh_failure(last_line(said), login.where)
        return text_of(out, _MOST)


def _await_end(process: subprocess.Popen[bytes], pipe: PasswordPipe, where: str, patience: float) -> None:
    deadline = time.monotonic() + patience
    while process.poll() is None:
        if time.monotonic() > deadline:
            raise TunnelFailed(
                f"the script has not ended after {patience:.0f} s", where=where, fix="see how the node is: ssh to it"
            )
        pipe.feed()
        time.sleep(_TICK_SECONDS)


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(_END_SECONDS)
    if process.poll() is None:
        process.kill()
        process.wait()
