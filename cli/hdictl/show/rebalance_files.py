"""A rebalance plan to wherever somebody wants it: a file for `run`, a page, the terminal."""

from __future__ import annotations

from pathlib import Path

from hdictl.rebalance.batches import batches
from hdictl.rebalance.plan import RebalancePlan
from hdictl.rebalance.plan_file import to_text
from hdictl.show.rebalance import show_plan
from hdictl.show.terminal import say


def publish(plan: RebalancePlan, *, throttle: int | None, out: Path | None, html: Path | None, as_json: bool) -> None:
    portions = batches(plan)
    if out is not None:
        out.write_text(to_text(plan), encoding="utf-8")
    if html is not None:
        from hdictl.show.rebalance_page import page

        html.write_text(page(plan, portions, throttle), encoding="utf-8")
    show_plan(plan, portions, command="rebalance plan", throttle=throttle, as_json=as_json)
    for file, use in ((out, "hdictl rebalance run {}"), (html, "open it in a browser")):
        if file is not None:
            say(f"{file} written: {use.format(file)}")
