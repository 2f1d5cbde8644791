"""What a person wants to know first: how much moves, how near that is to the least, what is mended, how long."""

from __future__ import annotations

from collections.abc import Sequence

from hdictl.rebalance.batches import Batch
from hdictl.rebalance.plan import RebalancePlan
from hdictl.show.rebalance_page.markup import figure, text
from hdictl.show.rebalance_words import gap_text, kind_text, rule_counts, rule_text, seconds_of, spreads
from hdictl.stack.units import count, rounded_duration, rounded_size


def verdict(plan: RebalancePlan, batches: Sequence[Batch], throttle: int | None) -> str:
    tiles = "\n".join(
        (_moves(plan), _bytes(plan), _time(batches, throttle), _violations(plan), _spread(plan), _leaders(plan))
    )
    notes = "".join(f"<li>{text(note)}</li>" for note in plan.notes)
    state = "warn" if plan.violations else "good"
    return f"""<header>
<p class="kind">Rebalance plan: {text(kind_text(plan.kind))}</p>
<h1>{text(plan.cluster or "Kafka cluster")}</h1>
<p class="verdict {state}">{text(sentence(plan))}</p>
<div class="tiles">
{tiles}
</div>
{f'<ul class="notes" aria-label="Notes">{notes}</ul>' if notes else ""}
<p class="dim">No plan under the same rules can do with less than the proven minimum. The rules:
{text(plan.certificate.constraints)}.<br>{text(_origin(plan))}</p>
</header>"""


def _origin(plan: RebalancePlan) -> str:
    parts = (
        plan.cluster_id and f"cluster id {plan.cluster_id}",
        f"state {plan.fingerprint}",
        plan.seconds and f"planned in {plan.seconds:.2f} s",
    )
    return " · ".join(str(part) for part in parts if part)


def sentence(plan: RebalancePlan) -> str:
    return f"{_moving(plan)} {_mending(plan)}"


def _moving(plan: RebalancePlan) -> str:
    if plan.is_empty:
        return "Nothing moves."
    if plan.gap["moves"] == 0:
        return f"{count(plan.moves, 'move')}: no plan under the same rules has fewer."
    if plan.certificate.moves == 0:
        return f"{count(plan.moves, 'move')}."
    return f"{count(plan.moves, 'move')}, {gap_text(plan.gap['moves'])} above the proven minimum."


def _mending(plan: RebalancePlan) -> str:
    had, has = len(plan.violations_before), len(plan.violations)
    if has:
        return f"{count(has, 'violation')} left (before: {had:,}); each has its reason below."
    if had == 0:
        return "Every rule is kept."
    return "The one violation is mended." if had == 1 else f"All {had:,} violations are mended."


def _arrow(before: str, after: str) -> str:
    """On one line, however narrow."""
    return f"{before} → {after}".replace(" ", "\N{NO-BREAK SPACE}")


def _tile(name: str, value: str, *remarks: str) -> str:
    lines = "".join(f"<small>{remark}</small>" for remark in remarks if remark)
    return f'<div class="tile"><span class="name">{text(name)}</span><strong>{value}</strong>{lines}</div>'


def _moves(plan: RebalancePlan) -> str:
    bound = figure("bound.moves", plan.certificate.moves, f"{plan.certificate.moves:,}")
    gap = f"gap {text(gap_text(plan.gap['moves']))}"
    return _tile("replicas to move", figure("moves", plan.moves, f"{plan.moves:,}"), f"proven minimum {bound}", gap)


def _bytes(plan: RebalancePlan) -> str:
    bound = figure("bound.bytes", plan.certificate.bytes, rounded_size(plan.certificate.bytes))
    gap = f"gap {text(gap_text(plan.gap['bytes']))}"
    return _tile("data to copy", figure("bytes", plan.bytes, rounded_size(plan.bytes)), f"proven minimum {bound}", gap)


def _violations(plan: RebalancePlan) -> str:
    had, has = len(plan.violations_before), len(plan.violations)
    shown = f"{figure('violations_before', had, f'{had:,}')} → {figure('violations', has, f'{has:,}')}"
    return _tile(
        "violations",
        shown,
        *(f"{text(rule_text(rule))} {_arrow(f'{b:,}', f'{a:,}')}" for rule, b, a in rule_counts(plan)),
    )


def _time(batches: Sequence[Batch], throttle: int | None) -> str:
    in_batches = figure("batches", len(batches), count(len(batches), "batch", "batches"))
    seconds = seconds_of(batches, throttle)
    if throttle is None or seconds is None:
        return _tile("time", "–", "no throttle: as fast as it goes", in_batches)
    rate = f"{figure('throttle', throttle, rounded_size(throttle))}/s per broker"
    return _tile("time, about", figure("seconds_to_copy", seconds, rounded_duration(seconds)), rate, in_batches)


def _leaders(plan: RebalancePlan) -> str:
    return _tile(
        "preferred leaders that change",
        figure("leader_changes", plan.leader_changes, f"{plan.leader_changes:,}"),
        f"of {figure('partitions', len(plan.placement), count(len(plan.placement), 'partition'))}",
    )


def _spread(plan: RebalancePlan) -> str:
    (_, before, after), *others = spreads(plan)
    shown = (
        f"{figure('spread_before.replicas', plan.spread_before.replicas, before)} → "
        f"{figure('spread.replicas', plan.spread.replicas, after)} <span class=unit>replicas</span>"
    )
    return _tile("farthest from a fair share", shown, *(f"{name} {_arrow(was, now)}" for name, was, now in others))
