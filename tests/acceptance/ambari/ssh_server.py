"""A real sshd on loopback, with a configuration, a host key and authorized keys of its own."""

from __future__ import annotations

import getpass
import os
import shutil
import socket
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

SSHD = shutil.which("sshd", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
KEYGEN = shutil.which("ssh-keygen")
UNSHARE = shutil.which("unshare")


def can_have_passwords() -> bool:
    """A password needs a shadow file of the test's own, which needs a mount namespace of its own."""
    if os.geteuid() != 0 or UNSHARE is None or shutil.which("openssl") is None:
        return False
    tried = subprocess.run([UNSHARE, "-m", "true"], capture_output=True, check=False)
    return tried.returncode == 0


@dataclass
class SshServer:
    folder: Path
    forwarding: bool = True
    password: str | None = None
    environment: dict[str, str] = field(default_factory=dict)  # of what is run there
    port: int = 0
    user: str = field(default_factory=getpass.getuser)
    _process: subprocess.Popen[bytes] | None = None

    @property
    def key(self) -> Path:
        return self.folder / "key"

    @property
    def log(self) -> str:
        return (self.folder / "log").read_text(errors="replace")

    def __enter__(self) -> SshServer:
        assert SSHD is not None
        self.folder.mkdir(parents=True, exist_ok=True)
        self.make_host_key()
        if not self.key.exists():
            _keygen(self.key)
        (self.folder / "authorized_keys").write_text(self.key.with_suffix(".pub").read_text())
        (self.folder / "authorized_keys").chmod(0o600)
        self.port = self.port or _free_port()
        (self.folder / "config").write_text(self._config())
        if os.geteuid() == 0:
            Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)  # sshd insists, when it is root's
        command = [SSHD, "-D", "-e", "-f", str(self.folder / "config")]
        if self.password is not None:
            command = self._with_own_shadow(command)
        with (self.folder / "log").open("wb") as log:
            self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self._await()
        return self

    def __exit__(self, *reason: object) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(120)

    def make_host_key(self) -> None:
        if not (self.folder / "host_key").exists():
            _keygen(self.folder / "host_key")

    def forget_host_key(self) -> None:
        for name in ("host_key", "host_key.pub"):
            (self.folder / name).unlink()

    def _config(self) -> str:
        lines = [
            "ListenAddress 127.0.0.1",
            f"Port {self.port}",
            f"HostKey {self.folder / 'host_key'}",
            f"PidFile {self.folder / 'pid'}",
            f"AuthorizedKeysFile {self.folder / 'authorized_keys'}",
            "StrictModes no",
            "UsePAM no",
            "PermitRootLogin yes",
            f"PasswordAuthentication {'yes' if self.password is not None else 'no'}",
            f"AllowTcpForwarding {'yes' if self.forwarding else 'no'}",
        ]
        stated = " ".join(f'"{name}={value}"' for name, value in self.environment.items())
        lines += [f"SetEnv {stated}"] if stated else []
        return "\n".join(lines) + "\n"

    def _with_own_shadow(self, command: list[str]) -> list[str]:
        """The password holds for this sshd alone: only it sees the file."""
        assert UNSHARE is not None
        hashed = subprocess.run(
            ["openssl", "passwd", "-6", "-stdin"], input=self.password, capture_output=True, text=True, check=True
        ).stdout.strip()
        shadow = self.folder / "shadow"
        shadow.write_text(f"{self.user}:{hashed}:19000:0:99999:7:::\nsshd:!:19000::::::\n")
        shadow.chmod(0o600)
        script = 'mount --bind "$0" /etc/shadow && exec "$@"'
        return [UNSHARE, "-m", "sh", "-c", script, str(shadow), *command]

    def _await(self) -> None:
        deadline = time.monotonic() + 120
        while True:
            assert self._process is not None
            assert self._process.poll() is None, self.log
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            assert time.monotonic() < deadline, self.log
            time.sleep(0.05)


def _keygen(file: Path) -> None:
    assert KEYGEN is not None
    subprocess.run([KEYGEN, "-q", "-t", "ed25519", "-N", "", "-f", str(file)], check=True, capture_output=True)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
