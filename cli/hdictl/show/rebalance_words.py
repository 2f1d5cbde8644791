"""Figures of a rebalance in words, the same in the terminal and on the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from hdictl.rebalance.batches import Batch, seconds
from hdictl.rebalance.plan import RebalancePlan
from hdictl.stack.units import count, rounded_duration, rounded_size

_KINDS = {
    "balance": "balance over all brokers",
    "repair": "repair of violations",
    "drain": "drain of brokers",
    "replication": "change of the replication factor",
    "rollback": "rollback of the last rebalance",
}
_RULES = {
    "fd": "fault domains",
    "ud": "update domains",
    "replicas": "replicas per broker",
    "leaders": "leaders per broker",
    "topic": "replicas per topic and broker",
    "bytes": "bytes per broker",
    "disk": "room on disk",
}


def kind_text(kind: str) -> str:
    return _KINDS.get(kind, kind)


def rule_text(rule: str) -> str:
    return _RULES.get(rule, rule)


def gap_text(gap: float) -> str:
    """A gap of 0.004 is 0.4 %. Nothing is rounded down to a proof: what is above the bound never reads 0 %."""
    if gap == float("inf"):
        return "no bound above 0"
    if gap == 0:
        return "0 %"
    percent = gap * 100
    return "< 0.1 %" if percent < 0.1 else f"{percent:.1f} %" if percent < 10 else f"{percent:,.0f} %"


def moves_text(plan: RebalancePlan) -> str:
    return f"{count(plan.moves, 'move')}; proven minimum {plan.certificate.moves:,} ({gap_text(plan.gap['moves'])})"


def bytes_text(plan: RebalancePlan) -> str:
    minimum = rounded_size(plan.certificate.bytes)
    return f"{rounded_size(plan.bytes)} to copy; proven minimum {minimum} ({gap_text(plan.gap['bytes'])})"


def fair(share: float) -> str:
    """A share of replicas or leaders; most are whole."""
    return f"{share:,.1f}".removesuffix(".0")


def rule_counts(plan: RebalancePlan) -> list[tuple[str, int, int]]:
    """Rules that are not kept, before or after, and how often."""
    had: Counter[str] = Counter(violation.rule for violation in plan.violations_before)
    has: Counter[str] = Counter(violation.rule for violation in plan.violations)
    rules = dict.fromkeys((*_RULES, *had, *has))
    return [(rule, had[rule], has[rule]) for rule in rules if had[rule] or has[rule]]


def spreads(plan: RebalancePlan) -> list[tuple[str, str, str]]:
    """The farthest that any broker is from its fair share: of what, before, after."""
    was, now = plan.spread_before, plan.spread
    return [
        ("replicas", fair(was.replicas), fair(now.replicas)),
        ("leaders", fair(was.leaders), fair(now.leaders)),
        ("per topic", fair(was.topic), fair(now.topic)),
        ("bytes", _percent(was.bytes), _percent(now.bytes)),
    ]


def _percent(part: float) -> str:
    return f"{part * 100:.1f} %" if 0 < part < 0.1 else f"{part * 100:,.0f} %"


def seconds_of(batches: Sequence[Batch], throttle: int | None) -> float | None:
    """None where nothing holds the copying back: how fast disks and network are is not known here."""
    return None if throttle is None else seconds(batches, throttle)


def time_text(batches: Sequence[Batch], throttle: int | None) -> str:
    in_batches = f"in {count(len(batches), 'batch', 'batches')}"
    if not any(batch.bytes for batch in batches):
        return f"nothing to copy, {in_batches}"
    if throttle is None:
        return f"{in_batches}, without a throttle: as fast as disks and network are"
    return (
        f"{_about(rounded_duration(seconds(batches, throttle)))} at {rounded_size(throttle)}/s per broker, {in_batches}"
    )


def _about(duration: str) -> str:
    return duration if duration.startswith("less") else f"about {duration}"
