"""What came as a secret is kept as its SHA-256 and nothing else."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

# Properties that Microsoft's specification marks as secret, or that hold one.
SECRET_PROPERTIES = frozenset(
    {
        "restauthcredential.password",
        "password",
        "domainuserpassword",
        "certificatepassword",
        "applicationsecret",
        "key",  # of a storage account; a key of a vault is an object and is left alone
        "saskey",
        "primarykey",
        "secondarykey",
    }
)


def digest(value: str) -> str:
    return hashlib.sha256(value.encode()).hexdigest()


def redacted(value: Any, known: Iterable[str] = ()) -> Any:
    """The same JSON with secret properties, and texts that hold a known secret, as digests."""
    known = [secret for secret in known if secret]
    if isinstance(value, Mapping):
        return {
            key: _sealed(item) if key.lower() in SECRET_PROPERTIES and isinstance(item, str) else redacted(item, known)
            for key, item in value.items()
        }
    if isinstance(value, (list, tuple)):
        return [redacted(item, known) for item in value]
    if isinstance(value, str):
        for secret in known:
            value = value.replace(secret, _sealed(secret))
    return value


def without_secrets(value: Any) -> Any:
    """The same JSON with secret properties left out, as the service answers."""
    if isinstance(value, Mapping):
        return {k: without_secrets(v) for k, v in value.items() if k.lower() not in SECRET_PROPERTIES or _is_open(v)}
    if isinstance(value, (list, tuple)):
        return [without_secrets(item) for item in value]
    return value


def misplaced(value: Any, known: Iterable[str], path: str = "") -> list[str]:
    """Where a known secret stands in a property that is not meant for secrets."""
    known = [secret for secret in known if secret]
    if isinstance(value, Mapping):
        return [
            found
            for key, item in value.items()
            if key.lower() not in SECRET_PROPERTIES or _is_open(item)
            for found in misplaced(item, known, f"{path}/{key}")
        ]
    if isinstance(value, (list, tuple)):
        return [found for index, item in enumerate(value) for found in misplaced(item, known, f"{path}/{index}")]
    return [path] if isinstance(value, str) and any(secret in value for secret in known) else []


def _is_open(value: Any) -> bool:
    return isinstance(value, (Mapping, list))


def _sealed(value: str) -> str:
    return value if value.startswith("sha256:") else f"sha256:{digest(value)}"


@dataclass
class SecretsSeen:
    """Who got which secret: the parameter's name, or the cluster's."""

    _digests: dict[str, str] = field(default_factory=dict)

    def remember(self, who: str, value: str) -> None:
        self._digests[who.lower()] = value.removeprefix("sha256:") if value.startswith("sha256:") else digest(value)

    def of(self, who: str) -> str | None:
        return self._digests.get(who.lower())
