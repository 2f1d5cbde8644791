"""Dead letters, as people read them."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any

from rich.markup import escape

from hdictl.show.tables import print_table, table
from hdictl.show.terminal import out, print_json, print_text
from hdictl.streaming.letters import DeadLetter, by_error
from hdictl.streaming.outcomes import Replay

_WIDTH = 160


def show_letters(job: str, found: Sequence[DeadLetter], limit: int, *, as_json: bool) -> None:
    newest = sorted(found, key=lambda letter: letter.timestamp)[len(found) - min(limit, len(found)) :]
    if as_json:
        errors = dict(by_error(found))
        body = {"job": job, "total": len(found), "errors": errors, "letters": [_listed(each) for each in newest]}
        print_json("jobs dlq show", body)
        return
    if not found:
        print_text(f"{job} has no dead letters")
        return
    rows = table("error", "records", right=("records",))
    for error, number in by_error(found):
        rows.add_row(escape(printable(error)), f"{number:,}")
    print_table(rows)
    for letter in newest:
        where = f"{letter.origin}/{letter.origin_partition}@{letter.origin_offset}"
        size = "" if letter.whole_bytes is None else f"  the first part of {letter.whole_bytes:,} bytes"
        out.print(f"[dim]{escape(printable(where))}[/dim] {escape(printable(letter.error))}[dim]{size}[/dim]")
        out.print(f"  {escape(printable(_text(letter.value))[:_WIDTH])}")


def described_replay(plan: Replay) -> str:
    lines = [f"{number:,} records go to {printable(topic)} again" for topic, number in plan.targets.items()]
    return "\n".join(lines)


def show_replay(job: str, plan: Replay, sent: int, *, as_json: bool) -> None:
    if as_json:
        body = {
            "job": job,
            "sent": sent,
            "topics": dict(plan.targets),
            "passed_over": plan.passed_over,
            "cut": plan.cut,
        }
        print_json("jobs dlq replay", body)
        return
    before = f"; {plan.passed_over:,} were sent again before" if plan.passed_over else ""
    cut = f"; {plan.cut:,} were too large to be kept whole, and are not sent" if plan.cut else ""
    print_text(f"{sent:,} record{'' if sent == 1 else 's'} sent again{before}{cut}")


def printable(text: str) -> str:
    """Whoever can write to a topic writes here: nothing of it may be a command to the terminal."""
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)


def _listed(letter: DeadLetter) -> dict[str, Any]:
    return {
        "topic": letter.origin,
        "partition": letter.origin_partition,
        "offset": letter.origin_offset,
        "timestamp": letter.timestamp,
        "error": letter.error,
        "key": None if letter.key is None else _text(letter.key),
        "value": None if letter.value is None else _text(letter.value),
        "whole_bytes": letter.whole_bytes,
    }


def _text(value: bytes | None) -> str:
    if value is None:
        return ""
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return f"base64:{base64.b64encode(value).decode()}"
