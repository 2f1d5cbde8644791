"""What a check has to say: one finding, with its place and its fix."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum


class Severity(str, Enum):
    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True)
class Mark:
    """A place in a file; lines count from 1."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True)
class Finding:
    rule: str  # "T002"
    severity: Severity
    address: str  # "topic:page-views", "cluster:ingest", or a path in the file
    message: str
    fix: str
    mark: Mark
    waived: str | None = None  # the waiver's reason

    def __str__(self) -> str:
        return f"{self.mark}: {self.severity.value} {self.rule} {self.message}\n  → {self.fix}"


def blocking(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings that stop work: errors without a waiver."""
    return tuple(f for f in findings if f.severity is Severity.ERROR and f.waived is None)
