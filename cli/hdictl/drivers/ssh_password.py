"""A password for ssh that stands in no argument, no environment and no file.

ssh closes every inherited file but the first three, and asks a program of its choice (SSH_ASKPASS) for the password.
Ours reads it from a named pipe, into which hdictl writes when somebody opens the other end.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from hdictl.drivers.azure.secrets import SecretText

_ASK = '#!/bin/sh\nexec head -n 1 "${0%/*}/pipe"\n'


class PasswordPipe:
    """Without a password it does nothing."""

    def __init__(self, password: SecretText | None, parent: Path) -> None:
        self._password = password
        self._parent = parent  # /tmp would not do: programs may not be run from it everywhere
        self._folder: Path | None = None

    def __enter__(self) -> PasswordPipe:
        if self._password is not None:
            self._folder = Path(tempfile.mkdtemp(prefix="ask-", dir=self._parent))  # nobody else may look into it
            os.mkfifo(self._folder / "pipe", 0o600)
            ask = self._folder / "ask"
            ask.write_text(_ASK)
            ask.chmod(0o700)
        return self

    def __exit__(self, *reason: object) -> None:
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def environment(self) -> Mapping[str, str]:
        if self._folder is None:
            return {}
        # Before OpenSSH 8.4 only a display made ssh ask a program.
        display = os.environ.get("DISPLAY") or ":0"
        return {"SSH_ASKPASS": str(self._folder / "ask"), "SSH_ASKPASS_REQUIRE": "force", "DISPLAY": display}

    def feed(self) -> None:
        """Give the password to whoever asks at this moment; nobody does most of the time."""
        if self._folder is None or self._password is None:
            return
        with suppress(OSError):  # nobody has the pipe open, or no longer
            pipe = os.open(self._folder / "pipe", os.O_WRONLY | os.O_NONBLOCK)
            try:
                os.write(pipe, self._password.reveal().encode() + b"\n")
            finally:
                os.close(pipe)
