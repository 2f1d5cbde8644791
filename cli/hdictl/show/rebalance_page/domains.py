"""Fault domains × update domains with the brokers in them, and which rules are not kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from hdictl.rebalance.plan import BrokerChange, RebalancePlan, Violation
from hdictl.show.rebalance_page.bars import bar
from hdictl.show.rebalance_page.crowded import crowded
from hdictl.show.rebalance_page.markup import figure, folded, scroller, section, table, text
from hdictl.show.rebalance_page.rows import domain, in_order
from hdictl.show.rebalance_words import fair, rule_counts, rule_text
from hdictl.stack.units import count

_MOST_LISTED = 300
_LAST = 1 << 30


def domains_section(plan: RebalancePlan) -> str:
    return section(
        "domains",
        "Fault and update domains",
        "Brokers of one row fail together, brokers of one column are restarted together: a partition wants its "
        "replicas in different rows and different columns. Numbers are replicas, before → after; <i>crowded</i> are "
        "partitions that break the rule with more than one replica there.",
        scroller("Brokers by fault and update domain", _matrix(plan)),
        _violations(plan),
    )


def _matrix(plan: RebalancePlan) -> str:
    brokers = in_order(plan.brokers)
    rows, columns = _sorted(c.broker.fd for c in brokers), _sorted(c.broker.ud for c in brokers)
    most = max((max(c.before.replicas, c.after.replicas, c.fair_replicas) for c in brokers), default=0.0)
    by_fd, by_ud = crowded(plan, "fd"), crowded(plan, "ud")
    sums = {ud: _sum([change for change in brokers if change.broker.ud == ud]) for ud in columns}
    head = "".join(f'<th scope="col">UD {domain(ud)}{sums[ud]}{_crowd(by_ud, ud)}</th>' for ud in columns)
    body = ""
    for fd in rows:
        row = [change for change in brokers if change.broker.fd == fd]
        cells = "".join(_cell([change for change in row if change.broker.ud == ud], most) for ud in columns)
        body += f'<tr><th scope="row">FD {domain(fd)}{_sum(row)}{_crowd(by_fd, fd)}</th>{cells}</tr>\n'
    caption = "<caption>Rows are fault domains, columns update domains</caption>"
    return f'<table class="matrix">{caption}<thead><tr><td></td>{head}</tr></thead><tbody>{body}</tbody></table>'


def _sorted(domains: Iterable[int | None]) -> list[int | None]:
    return sorted(set(domains), key=lambda number: _LAST if number is None else number)


def _sum(members: Sequence[BrokerChange]) -> str:
    before, after = sum(c.before.replicas for c in members), sum(c.after.replicas for c in members)
    return f'<span class="sum">{before:,} → {after:,}</span>'


def _crowd(crowd: Mapping[int | None, tuple[int, int]], number: int | None) -> str:
    if number not in crowd:
        return ""
    before, after = crowd[number]
    return f'<span class="crowd">{before:,} → {after:,} crowded</span>'


def _cell(members: Sequence[BrokerChange], most: float) -> str:
    if not members:
        return '<td class="none"></td>'
    return "<td>" + "".join(_broker(change, most) for change in members) + "</td>"


def _broker(change: BrokerChange, most: float) -> str:
    before, after, share = change.before.replicas, change.after.replicas, change.fair_replicas
    title = f"{change.broker.id}: {before} → {after} replicas, fair share {fair(share)}"
    return (
        f'<div class="broker"><b>{change.broker.id}</b> <span>{before:,} → {after:,}</span>'
        f"{bar(before, after, share, most, title)}</div>"
    )


def _violations(plan: RebalancePlan) -> str:
    before, after = plan.violations_before, plan.violations
    if not before and not after:
        return '<p class="kept">✓ Every rule is kept, before and after.</p>'
    counted = table(
        "Violations by rule",
        ("rule", "before", "after"),
        (
            (
                text(rule_text(rule)),
                figure(f"violations_before.{rule}", had, f"{had:,}"),
                figure(f"violations.{rule}", has, f"{has:,}"),
            )
            for rule, had, has in rule_counts(plan)
        ),
        numbers=(1, 2),
    )
    lists = (_listed("after", after, is_open=True), _listed("before", before, is_open=False))
    return "\n".join((scroller("Violations by rule", counted), *(made for made in lists if made)))


def _listed(when: str, violations: Sequence[Violation], *, is_open: bool) -> str:
    if not violations:
        return ""
    rows = ((text(rule_text(v.rule)), text(v.where), text(v.reason)) for v in violations[:_MOST_LISTED])
    made = table(f"Violations {when}", ("rule", "where", "why"), rows)
    left = len(violations) - _MOST_LISTED
    more = f"<p>and {left:,} more, in the plan file</p>" if left > 0 else ""
    summary = f"{count(len(violations), 'violation')} {when}"
    return folded(summary, scroller(f"Violations {when}", made), more, is_open=is_open)
