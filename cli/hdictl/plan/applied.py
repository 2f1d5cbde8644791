"""What came of a plan."""

from __future__ import annotations

from dataclasses import dataclass

from hdictl.plan.change import Plan


@dataclass
class Applied:
    """Counts, kept while the work goes on."""

    done: int
    total: int
    deferred: int

    def finished(self, count: int) -> None:
        self.done += count


@dataclass(frozen=True)
class Converged:
    plan: Plan
    applied: Applied
    left: Plan  # what a new plan still holds: nothing, or what is deferred
