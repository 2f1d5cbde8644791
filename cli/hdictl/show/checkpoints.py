"""Checkpoints: where queries stand, and what a reset does."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from rich.markup import escape

from hdictl.show.terminal import out, print_json, print_text
from hdictl.streaming.checkpoint import Checkpoint
from hdictl.streaming.outcomes import ResetPlan

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
        for topic, partitions in each.offsets.items():
            identity = (each.belongs_to.get("topics") or {}).get(topic)
            places = "  ".join(f"p{number} {offset:,}" for number, offset in sorted(partitions.items()))
            out.print(f"  {escape(topic)}{f' [dim](id {identity})[/dim]' if identity else ''}: {places}")
        if each.watermark_ms:
            moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(each.watermark_ms / 1000))
            out.print(f"  watermark {moment}")
        for key in _WORTH_SAYING:
            if key in each.pinned:
                out.print(f"  [dim]pinned: {escape(key)} = {escape(each.pinned[key])}[/dim]")


def described_reset(plan: ResetPlan) -> str:
    lines = [f"job `{plan.job}` begins anew: {', '.join(plan.queries) or 'no query has a checkpoint'}"]
    lines += [f"  {amount:,} records of {topic} are never read" for topic, amount in plan.skipped.items()]
    lines += [f"  {amount:,} records of {topic} are read again" for topic, amount in plan.again.items()]
    lines += [f"  {source} is moved to {to}" for source, to in plan.moved]
    return "\n".join(lines)


def show_reset(plan: ResetPlan, *, as_json: bool) -> None:
    if as_json:
        body: Mapping[str, object] = asdict(plan)
        print_json("jobs checkpoint reset", dict(body))
        return
    print_text(described_reset(plan))
    print_text(f"start it: hdictl jobs submit {plan.job}")
