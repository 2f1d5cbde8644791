"""Replicas, leaders and bytes of every broker, before and after, against its fair share."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hdictl.rebalance.plan import BrokerChange, Load, RebalancePlan
from hdictl.show.rebalance_page.bars import bar
from hdictl.show.rebalance_page.markup import figure, legend, scroller, section, text
from hdictl.show.rebalance_page.rows import by_fault_domain, domain
from hdictl.show.rebalance_words import fair
from hdictl.stack.units import rounded_size

Quantity = tuple[str, Callable[[Load], int], Callable[[BrokerChange], float], Callable[[float], str]]


def _number(value: float) -> str:
    return fair(value)


QUANTITIES: Sequence[Quantity] = (
    ("replicas", lambda load: load.replicas, lambda change: change.fair_replicas, _number),
    ("leaders", lambda load: load.leaders, lambda change: change.fair_leaders, _number),
    ("bytes", lambda load: load.bytes, lambda change: change.fair_bytes, rounded_size),
)


def brokers_section(plan: RebalancePlan) -> str:
    marks = legend((("was", "before"), ("now", "after"), ("fair", "fair share")))
    headings = "".join(f'<th scope="col" colspan="2">{name}</th>' for name, *_ in QUANTITIES)
    head = (
        '<tr><th scope="col">FD</th><th scope="col">UD</th><th scope="col">broker</th>'
        f'{headings}<th scope="col" class="number">in</th><th scope="col" class="number">out</th></tr>'
    )
    most = {name: _most(plan, load_of, share_of) for name, load_of, share_of, _ in QUANTITIES}
    body = "\n".join(_group(fd, members, most) for fd, members in by_fault_domain(plan))
    made = f"<table class=brokers><caption>Brokers by fault domain</caption><thead>{head}</thead>{body}</table>"
    return section(
        "brokers",
        "Brokers against their fair share",
        "A fair share is what a broker would hold if all rules are kept and nobody holds more than needed; where "
        "domains have different numbers of brokers, shares differ. <i>in</i> is copied to the broker, <i>out</i> is "
        "read from it.",
        marks,
        scroller("Brokers before and after", made),
    )


def _most(plan: RebalancePlan, load_of: Callable[[Load], int], share_of: Callable[[BrokerChange], float]) -> float:
    return max(max(load_of(c.before), load_of(c.after), share_of(c)) for c in plan.brokers) if plan.brokers else 0


def _group(fd: int | None, members: Sequence[BrokerChange], most: dict[str, float]) -> str:
    first = f'<th scope="rowgroup" rowspan="{len(members)}">{domain(fd)}</th>'
    rows = (f"<tr>{first if at == 0 else ''}{_row(change, most)}</tr>" for at, change in enumerate(members))
    return f"<tbody>{''.join(rows)}</tbody>"


def _row(change: BrokerChange, most: dict[str, float]) -> str:
    id = change.broker.id
    parts = [f"<td>{domain(change.broker.ud)}</td>", f'<th scope="row">{id}{_remark(change)}</th>']
    for name, load_of, share_of, words in QUANTITIES:
        before, after, share = load_of(change.before), load_of(change.after), share_of(change)
        figures = (
            f"{figure(f'brokers.{id}.before.{name}', before, words(before))} → "
            f"<b>{figure(f'brokers.{id}.after.{name}', after, words(after))}</b>"
        )
        title = f"{id}: {words(before)} → {words(after)} {name}, fair share {words(share)}"
        parts += [
            f'<td class="number">{figures}</td>',
            f'<td class="barred">{bar(before, after, share, most[name], title)}</td>',
        ]
    for name, value in (("inbound", change.inbound), ("outbound", change.outbound)):
        shown = figure(f"brokers.{id}.{name}", value, rounded_size(value) if value else "–")
        parts.append(f'<td class="number">{shown}</td>')
    return "".join(parts)


def _remark(change: BrokerChange) -> str:
    if change.after.replicas and not change.before.replicas:
        return f' <span class="tag">{text("was empty")}</span>'
    if change.before.replicas and not change.after.replicas:
        return f' <span class="tag">{text("becomes empty")}</span>'
    return ""
