"""Checkpoints: where queries stand, and what a reset does."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from rich.markup import escape

from hdictl.show.terminal import out, print_json, print_text
from hdictl.streaming.checkpoint import Checkpoint
from hdictl.streaming.outcomes import LostState, ResetPlan

# What people try to change and wonder about; --json has all of them.
_WORTH_SAYING = ("spark.sql.shuffle.partitions", "spark.sql.streaming.stateStore.providerClass")


def show_checkpoints(job: str, found: Sequence[Checkpoint], *, as_json: bool) -> None:
    if as_json:
        listed = [{**asdict(each), "is_settled": each.is_settled} for each in found]
        print_json("jobs checkpoint show", {"job": job, "queries": listed})
        return
    if not found:
        print_text(f"{job} has no checkpoint: it has never run, or was reset")
    for each in found:
        settled = "" if each.is_settled else f", batch {each.begun} is begun"
        out.print(f"{escape(each.query)}  batch {each.committed} is done{settled}")
        for damage in each.damage:
            out.print(f"  [yellow]! {escape(damage)}[/yellow]")
        for topic, partitions in each.offsets.items():
            identity = each.topics.get(topic)
            places = "  ".join(f"p{number} {offset:,}" for number, offset in sorted(partitions.items()))
            out.print(f"  {escape(topic)}{f' [dim](id {identity})[/dim]' if identity else ''}: {places}")
        if each.watermark_ms:
            out.print(f"  watermark {_moment(each.watermark_ms)}")
        for key in _WORTH_SAYING:
            if key in each.pinned:
                out.print(f"  [dim]pinned: {escape(key)} = {escape(str(each.pinned[key]))}[/dim]")


def described_reset(plan: ResetPlan) -> str:
    lines = [f"job `{plan.job}` begins anew: {', '.join(plan.queries) or 'no query has a checkpoint'}"]
    lines += [f"  {amount:,} records of {topic} are never read" for topic, amount in plan.skipped.items()]
    lines += [f"  {amount:,} records of {topic} are read again" for topic, amount in plan.again.items()]
    lines += [_described_loss(each) for each in plan.lost]
    lines += [f"  {damage}" for damage in plan.damage]
    lines += [f"  {source} is moved to {to}" for source, to in plan.moved]
    return "\n".join(lines)


def _described_loss(lost: LostState) -> str:
    operators = f" ({'; '.join(lost.operators)})" if lost.operators else ""
    open_at = f"at the watermark {_moment(lost.watermark_ms)}" if lost.watermark_ms else "(it has no watermark yet)"
    return (
        f"  {lost.query} loses its state{operators}: windows, sessions, joins and keys that it remembers {open_at} "
        "come back only as far as their records are read again: --to earliest, or a time before them such as --to 2h"
    )


def _moment(ms: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(ms / 1000))


def show_reset(plan: ResetPlan, *, as_json: bool) -> None:
    if as_json:
        body: Mapping[str, object] = asdict(plan)
        print_json("jobs checkpoint reset", dict(body))
        return
    print_text(described_reset(plan))
    print_text(f"start it: hdictl jobs submit {plan.job}")
