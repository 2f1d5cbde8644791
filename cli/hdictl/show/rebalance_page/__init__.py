"""A rebalance plan as one page of HTML: nothing is loaded from elsewhere, and nothing in it runs.

    markup     pieces of HTML and SVG; the one place where text from outside is made harmless
    rows       the order of brokers          bars       one bar against a fair share
    verdict    the figures that matter       brokers    every broker before and after
    domains    fault × update domains        crowded    which of them partitions share
    batches    bytes over time               spans      its axis
    heat       broker × partition (heat_partitions) or, for large clusters, broker × topic (heat_topics)
    moves      every partition that changes, as text

The look is `templates/page/rebalance.css`.
"""

from __future__ import annotations

from collections.abc import Sequence

from hdictl.assets import template
from hdictl.rebalance.batches import Batch
from hdictl.rebalance.plan import RebalancePlan
from hdictl.show.rebalance_page.batches import batches_section
from hdictl.show.rebalance_page.brokers import brokers_section
from hdictl.show.rebalance_page.domains import domains_section
from hdictl.show.rebalance_page.heat_partitions import partition_map
from hdictl.show.rebalance_page.heat_topics import topic_map
from hdictl.show.rebalance_page.markup import section, text
from hdictl.show.rebalance_page.moves import moves_section
from hdictl.show.rebalance_page.verdict import verdict

_MOST_REPLICAS_DRAWN = 3_600

# Scripts, pictures and fonts from anywhere are refused by the browser itself, whatever a plan file may contain.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


def page(plan: RebalancePlan, batches: Sequence[Batch], throttle: int | None) -> str:
    """`throttle` in bytes a second and broker; None where nothing holds the copying back."""
    sections = (
        brokers_section(plan),
        domains_section(plan),
        _replicas_section(plan),
        batches_section(plan, batches, throttle),
        moves_section(plan),
    )
    body = "\n".join(part for part in sections if part)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>{text(f"Rebalance of {plan.cluster or 'a Kafka cluster'}")}</title>
<style>
{template("page", "rebalance.css").read_text(encoding="utf-8")}</style>
</head>
<body>
{verdict(plan, batches, throttle)}
<main>
{body}
</main>
</body>
</html>
"""


def _replicas_section(plan: RebalancePlan) -> str:
    if not plan.placement or not plan.brokers:
        return ""
    if sum(len(replicas) for replicas in plan.placement.values()) <= _MOST_REPLICAS_DRAWN:
        return section(
            "replicas",
            "Where replicas are",
            "Rows are brokers by fault domain, columns partitions by topic. Point at a cell to read it.",
            partition_map(plan),
        )
    return section(
        "replicas",
        "Where replicas are",
        "Rows are brokers by fault domain, columns topics; the colour compares a broker's replicas of a topic with its "
        "share. Point at a cell to read it.",
        topic_map(plan),
    )
