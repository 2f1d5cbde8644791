"""A rebalance plan in the terminal and as JSON: every broker before and after, what it costs, what it proves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.markup import escape

from hdictl.rebalance.batches import Batch
from hdictl.rebalance.plan import BrokerChange, RebalancePlan, Violation
from hdictl.rebalance.plan_file import to_document
from hdictl.show.rebalance_words import (
    bytes_text,
    fair,
    kind_text,
    moves_text,
    rule_text,
    seconds_of,
    spreads,
    time_text,
)
from hdictl.show.tables import print_table, table
from hdictl.show.terminal import out, print_json
from hdictl.stack.units import count

_FIRST = 5  # violations that are named; the page and the JSON have all
_UNITS = (("TB", 10**12), ("GB", 10**9), ("MB", 10**6), ("KB", 10**3), ("B", 1))


def show_plan(
    plan: RebalancePlan, batches: Sequence[Batch], *, command: str, throttle: int | None, as_json: bool
) -> None:
    """`throttle` in bytes a second and broker; None where nothing holds the copying back."""
    if as_json:
        print_json(command, plan_json(plan, batches, throttle))
    else:
        _print_plan(plan, batches, throttle)


def plan_json(plan: RebalancePlan, batches: Sequence[Batch], throttle: int | None) -> dict[str, Any]:
    """The plan file's own document, and how it would be carried out."""
    return {
        **to_document(plan),
        "throttle": throttle,
        "seconds_to_copy": seconds_of(batches, throttle),
        "batches": [
            {
                "partitions": [[step.topic, step.partition] for step in batch.steps],
                "moves": batch.moves,
                "bytes": batch.bytes,
                "inbound": {str(broker): size for broker, size in batch.inbound.items()},
                "outbound": {str(broker): size for broker, size in batch.outbound.items()},
                "seconds": seconds_of((batch,), throttle),
            }
            for batch in batches
        ],
    }


def _print_plan(plan: RebalancePlan, batches: Sequence[Batch], throttle: int | None) -> None:
    out.print(f"[bold]{escape(plan.cluster or 'cluster')}[/bold]  [dim]{kind_text(plan.kind)}[/dim]")
    _print_brokers(plan.brokers)
    out.print()
    if plan.is_empty:
        out.print("[green]✓[/green] nothing moves")
    else:
        out.print(moves_text(plan))
        out.print(bytes_text(plan))
        out.print(f"[dim]under these rules: {escape(plan.certificate.constraints)}[/dim]")
        out.print(f"{count(plan.leader_changes, 'preferred leader')} of {len(plan.placement):,} change")
        out.print(time_text(batches, throttle))
    farthest = ", ".join(f"{name} {before} → {after}" for name, before, after in spreads(plan))
    out.print(f"farthest from a fair share:\n  {farthest}")
    _print_violations(plan)
    for note in plan.notes:
        out.print(f"[yellow]![/yellow] {escape(note)}")


def _print_brokers(brokers: Sequence[BrokerChange]) -> None:
    """One unit for all bytes, so that a column of numbers can be compared, and the table fits 80 columns; three digits,
    so that a few per cent are seen."""
    most = max((max(change.before.bytes, change.after.bytes) for change in brokers), default=0)
    unit, factor = next((unit, factor) for unit, factor in _UNITS if most >= 10 * factor or factor == 1)

    def scaled(size: float) -> str:
        return f"{size / factor:.{0 if most >= 100 * factor or factor == 1 else 1}f}"

    headings = ("broker", "FD", "UD", "replicas", "fair", "leaders", "fair", unit, "fair", "in", "out")
    rows = table(*headings, right=headings[1:])
    for change in brokers:
        before, after = change.before, change.after
        rows.add_row(
            str(change.broker.id),
            _domain(change.broker.fd),
            _domain(change.broker.ud),
            _change(str(before.replicas), str(after.replicas)),
            _share(change.fair_replicas),
            _change(str(before.leaders), str(after.leaders)),
            _share(change.fair_leaders),
            _change(scaled(before.bytes), scaled(after.bytes)),
            f"[dim]{scaled(change.fair_bytes)}[/dim]",
            scaled(change.inbound) if change.inbound else "–",
            scaled(change.outbound) if change.outbound else "–",
        )
    print_table(rows)


def _domain(number: int | None) -> str:
    return "?" if number is None else str(number)


def _change(before: str, after: str) -> str:
    return f"{before} → {after}"


def _share(share: float) -> str:
    return f"[dim]{fair(share).replace(',', '')}[/dim]"


def _print_violations(plan: RebalancePlan) -> None:
    had, has = len(plan.violations_before), len(plan.violations)
    mark = "[red]✗[/red]" if has else "[green]✓[/green]"
    out.print(f"{mark} violations {had:,} → {has:,}")
    for violation in plan.violations[:_FIRST]:
        out.print(f"  {_violation_text(violation)}")
    if has > _FIRST:
        out.print(f"  [dim]and {has - _FIRST:,} more[/dim]")


def _violation_text(violation: Violation) -> str:
    return escape(f"{violation.where}: {violation.reason}") + f" [dim]({rule_text(violation.rule)})[/dim]"
