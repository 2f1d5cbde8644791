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

    @property
    def next_steps(self) -> tuple[str, ...]:
        """Commands, one a cluster, that carry out what was deferred: topics that shall have more or fewer replicas."""
        wanted: dict[str, list[str]] = {}
        for change in self.left.changes:
            if change.is_deferred and change.after is not None:
                cluster, _, topic = change.address.partition(":")[2].partition("/")
                wanted.setdefault(cluster, []).append(f"--replication {topic}={change.after['replication']}")
        return tuple(
            f"hdictl rebalance run --cluster {cluster} {' '.join(sorted(topics))}" for cluster, topics in wanted.items()
        )
