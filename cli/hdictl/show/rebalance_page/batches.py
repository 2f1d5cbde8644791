"""What each broker receives and sends in each batch, over time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hdictl.rebalance.batches import Batch
from hdictl.rebalance.plan import RebalancePlan
from hdictl.show.rebalance_page.markup import cell, figure, folded, legend, scroller, section, table, text
from hdictl.show.rebalance_page.rows import in_order
from hdictl.show.rebalance_page.spans import Span, spans_of, ticks
from hdictl.show.rebalance_words import time_text
from hdictl.stack.units import count, rounded_duration, rounded_size

_LEFT, _RIGHT, _WIDTH = 52, 150, 1080
_ROW, _TOP = 18, 26


def batches_section(plan: RebalancePlan, batches: Sequence[Batch], throttle: int | None) -> str:
    if not batches:
        return ""
    spans = spans_of(batches)
    words = time_text(batches, throttle)
    band = count(len(spans[0].batches), "batch", "batches")
    marks = legend((("arrives", "bytes that arrive"), ("leaves", "bytes that it sends"), ("band", band)))
    return section(
        "batches",
        "Batches over time",
        f"{text(words[0].upper() + words[1:])}. A batch is over when its busiest broker is.",
        marks,
        scroller("Bytes in and out per broker and batch", _chart(plan, spans, throttle)),
        folded(count(len(batches), "batch", "batches"), scroller("Batches", _table(spans, throttle))),
    )


def _chart(plan: RebalancePlan, spans: Sequence[Span], throttle: int | None) -> str:
    rows = [change for change in in_order(plan.brokers) if change.inbound or change.outbound]
    whole = spans[-1].end
    scale = (_WIDTH - _LEFT - _RIGHT) / whole if whole else 0.0
    height = _TOP + len(rows) * _ROW + 6
    parts = [*_bands(spans, scale, height), *_axis(whole, scale, height, throttle)]
    for at, change in enumerate(rows):
        parts += _row(change.broker.id, _TOP + at * _ROW, spans, scale)
        sums = f"{rounded_size(change.inbound)} in, {rounded_size(change.outbound)} out"
        parts.append(f'<text class="dim" x="{_WIDTH - _RIGHT + 8}" y="{_TOP + at * _ROW + 13}">{sums}</text>')
    size = f'viewBox="0 0 {_WIDTH} {height}"'
    return f'<svg class="gantt" {size} role="img" aria-label="Batches over time">{"".join(parts)}</svg>'


def _bands(spans: Sequence[Span], scale: float, height: int) -> Iterable[str]:
    for at, span in enumerate(spans):
        kind = "band other" if at % 2 else "band"
        title = f"batch {span.name}: {rounded_size(span.bytes)}"
        yield cell(kind, (_x(span.begin, scale), _TOP, round(span.length * scale, 2), height - _TOP - 4), title)


def _axis(whole: float, scale: float, height: int, throttle: int | None) -> Iterable[str]:
    for at, words in ticks(whole, throttle):
        x = _x(at, scale)
        yield f'<path class="tick" d="M{x:g} {_TOP - 4}V{height - 4}"/>'
        yield f'<text class="dim" x="{x:g}" y="{_TOP - 10}" text-anchor="middle">{words}</text>'


def _row(broker: int, y: int, spans: Sequence[Span], scale: float) -> Iterable[str]:
    yield f'<text x="{_LEFT - 8}" y="{y + 13}" text-anchor="end">{broker}</text>'
    for span in spans:
        arrives, leaves = span.inbound[broker], span.outbound[broker]
        for kind, size, words, shift in (("arrives", arrives, "arrive on", 3), ("leaves", leaves, "leave", 10)):
            if size:
                title = f"batch {span.name}: {rounded_size(size)} {words} {broker}"
                yield cell(kind, (_x(span.begin, scale), y + shift, round(size * scale, 2), 6), title)


def _x(position: float, scale: float) -> float:
    return round(_LEFT + position * scale, 2)


def _table(spans: Sequence[Span], throttle: int | None) -> str:
    headings = ("batch", "partitions", "moves", "to copy", "busiest broker", "takes", "done after")
    rows = (
        (
            span.name,
            f"{sum(len(batch.steps) for batch in span.batches):,}",
            f"{sum(batch.moves for batch in span.batches):,}",
            figure(f"batches.{span.name}.bytes", span.bytes, rounded_size(span.bytes)),
            _busiest(span),
            rounded_duration(span.length / throttle) if throttle else "–",
            rounded_duration(span.end / throttle) if throttle else "–",
        )
        for span in spans
    )
    return table("Batches", headings, rows, numbers=(1, 2, 3, 5, 6))


def _busiest(span: Span) -> str:
    flows = [(size, -broker, "receives") for broker, size in span.inbound.items()]
    flows += [(size, -broker, "sends") for broker, size in span.outbound.items()]
    if not flows:
        return "nothing to copy"
    size, broker, verb = max(flows)
    return f"{-broker} {verb} {rounded_size(size)}"
