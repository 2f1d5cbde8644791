"""Where Azure answers, and how long we wait for it. Everything has a default; the environment may say otherwise."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

from hdictl.errors import UsageError

ENDPOINT = "HDICTL_AZURE_ENDPOINT"
POLL = "HDICTL_AZURE_POLL_SECONDS"
PATIENCE = "HDICTL_AZURE_PATIENCE_SECONDS"
STORAGE = "HDICTL_AZURE_STORAGE_ENDPOINT"
VAULT = "HDICTL_AZURE_VAULT_ENDPOINT"

_PUBLIC = "https://management.azure.com"
_PUBLIC_STORAGE = "https://{account}.dfs.core.windows.net"
_PUBLIC_VAULT = "https://{vault}.vault.azure.net"
_LOOK_SECONDS = 15.0


@dataclass(frozen=True)
class Settings:
    endpoint: str = _PUBLIC
    storage_endpoint: str = _PUBLIC_STORAGE
    vault_endpoint: str = _PUBLIC_VAULT
    poll_seconds: float | None = None  # None: as the service's Retry-After says
    patience_seconds: float = 300  # one request, with all its repetitions
    retries: int = 8
    connect_retries: int = 4  # some ten seconds: who has no network shall learn it soon
    backoff_seconds: float = 0.8

    @property
    def look_seconds(self) -> float:
        """How often we look at what nobody says an interval for."""
        return _LOOK_SECONDS if self.poll_seconds is None else self.poll_seconds

    @property
    def scope(self) -> str:
        """What a token for Azure Resource Manager is asked for."""
        return f"{self.endpoint}/.default"

    @property
    def is_public_vault(self) -> bool:
        return self.vault_endpoint == _PUBLIC_VAULT

    def storage(self, account: str) -> str:
        return self.storage_endpoint.replace("{account}", account)

    def vault(self, name: str) -> str:
        return self.vault_endpoint.replace("{vault}", name)


def settings(environment: Mapping[str, str] = os.environ) -> Settings:
    default = Settings()
    poll = environment.get(POLL)
    patience = environment.get(PATIENCE)
    return Settings(
        endpoint=_address(environment, ENDPOINT, default.endpoint),
        storage_endpoint=_address(environment, STORAGE, default.storage_endpoint),
        vault_endpoint=_address(environment, VAULT, default.vault_endpoint),
        poll_seconds=_seconds(POLL, poll) if poll else default.poll_seconds,
        patience_seconds=_seconds(PATIENCE, patience) if patience else default.patience_seconds,
    )


def _address(environment: Mapping[str, str], variable: str, default: str) -> str:
    stated = environment.get(variable) or default
    if not stated.startswith("https://"):
        raise UsageError(
            f"`{stated}` is not an https:// address",
            where=variable,
            fix=f"unset {variable}, or give the whole address; tokens are sent over TLS only",
        )
    return stated.rstrip("/")


def _seconds(variable: str, stated: str) -> float:
    try:
        seconds = float(stated)
    except ValueError:
        seconds = -1
    if not 0 <= seconds < float("inf"):
        raise UsageError(f"`{stated}` is not a number of seconds", where=variable, fix=f"unset {variable}")
    return seconds
