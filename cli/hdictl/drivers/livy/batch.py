"""What Livy is asked for, and what it says about what it has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from hdictl.drivers.livy.log_text import printed

Value = str | int | float | bool

_BEFORE = frozenset({"not_started", "starting", "recovering"})
_RUNNING = frozenset({"running", "idle", "busy", "shutting_down"})
_OVER = frozenset({"success", "dead", "error", "killed"})


@dataclass(frozen=True)
class BatchRequest:
    """The 16 fields of POST /batches; Livy refuses any other."""

    file: str
    name: str | None = None
    args: tuple[Value, ...] = ()
    conf: Mapping[str, Value] = field(default_factory=dict)
    class_name: str | None = None
    jars: tuple[str, ...] = ()
    py_files: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    archives: tuple[str, ...] = ()
    driver_memory: str | None = None
    driver_cores: int | None = None
    executor_memory: str | None = None
    executor_cores: int | None = None
    num_executors: int | None = None
    queue: str | None = None
    proxy_user: str | None = None

    def to_body(self) -> dict[str, Any]:
        """As JSON. What was not said is left out: a `conf` of null makes Livy forget its master and the jars."""
        found: dict[str, Any] = {}
        for each in fields(self):
            value = getattr(self, each.name)
            is_said = value is not None and not (isinstance(value, tuple | Mapping) and not value)
            if is_said:
                found[_camel(each.name)] = _rendered(value)
        return found


@dataclass(frozen=True)
class Batch:
    """A batch as Livy sees it; YARN may be ahead."""

    id: int
    state: str
    name: str | None = None
    proxy_user: str | None = None  # Livy passes over one that was asked for when it may not act for others
    app_id: str | None = None  # YARN's; null for a Spark that runs on one machine
    log: tuple[str, ...] = ()  # the last few lines
    is_logged: bool = True  # Livy has a log for it, if only an empty one
    is_nameable: bool = True  # Livy says whether it has a name; 0.5 does not

    @property
    def is_waiting(self) -> bool:
        """Accepted, and not at work yet."""
        return self.state in _BEFORE

    @property
    def is_running(self) -> bool:
        return self.state in _RUNNING

    @property
    def is_over(self) -> bool:
        return self.state in _OVER

    @property
    def has_succeeded(self) -> bool:
        return self.state == "success"

    @property
    def looks_phantom(self) -> bool:
        """Registered, and never started: its submission was refused after it had been noted.

        A batch whose spark-submit was started has a log from that moment on, if only its headings. One that is being
        started at this moment looks the same for milliseconds; so does one whose log this user may not see.
        """
        return self.state == "starting" and self.app_id is None and not self.is_logged


def to_batch(found: Mapping[str, Any]) -> Batch:
    """Whatever is missing or null is not known: versions differ, and a new state is no reason to fail."""
    lines = [str(line) for line in found.get("log") or ()]
    return Batch(
        id=int(found["id"]),
        state=str(found.get("state") or "unknown"),
        name=_text(found.get("name")),
        proxy_user=_text(found.get("proxyUser")),
        app_id=_text(found.get("appId")),
        log=printed(lines),
        is_logged=bool(lines),
        is_nameable="name" in found,
    )


def _text(value: object) -> str | None:
    return str(value) if value not in (None, "") else None


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def _rendered(value: object) -> object:
    """Livy's arguments and settings are strings, and it answers a number among them with a ClassCastException."""
    if isinstance(value, Mapping):
        return {str(key): _as_text(each) for key, each in value.items()}
    if isinstance(value, tuple):
        return [_as_text(each) for each in value]
    return value


def _as_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
