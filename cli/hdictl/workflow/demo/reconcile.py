"""Three counts side by side: the producer's, Spark's, and the independent one."""

from __future__ import annotations

from hdictl.plan.demo_report import PageTotal, Row
from hdictl.ports.jobs import BatchProgress
from hdictl.workflow.demo.ledger import Ledger
from hdictl.workflow.demo.recount import Output, Recount
from hdictl.workflow.demo.truth import Truth


def reconcile(truth: Truth, ledger: Ledger, found: Recount, output: Output) -> tuple[Row, ...]:
    counted = found.truth
    identical = sum(output.windows.get(place) == window for place, window in counted.windows.items())
    views_out = sum(views for views, _visitors in output.windows.values())
    return (
        Row("records produced", truth.produced, ledger.sum_of_output(lambda batch: batch.input_rows), counted.produced),
        Row("  valid", truth.valid, ledger.sum_of_output(lambda batch: batch.valid), counted.valid),
        Row("  tombstones", truth.tombstones, ledger.sum_of_output(lambda batch: batch.tombstones), counted.tombstones),
        Row("  dead-lettered", truth.dead, ledger.sum_of_dead_letters(lambda batch: batch.output_rows), counted.dead),
        Row("    found in the dead-letter topic", truth.dead, None, len(output.dead & found.dead)),
        Row("  late, dropped", truth.late, ledger.sum_of_output(lambda batch: batch.late), counted.late),
        Row("  duplicates, dropped", truth.duplicates, ledger.sum_of_output(_duplicates), counted.duplicates),
        Row("  heartbeats", truth.heartbeats, None, counted.heartbeats),
        Row("  views counted", truth.counted, views_out, counted.counted),
        Row("windows out", len(truth.windows), ledger.sum_of_output(_rows_out), len(counted.windows)),
        Row("  identical views and visitors", len(truth.windows), len(output.windows), identical),
    )


def page_totals(output: Output) -> tuple[PageTotal, ...]:
    totals: dict[str, tuple[int, int]] = {}
    for (page, _minute), (views, _visitors) in output.windows.items():
        so_far, minutes = totals.get(page, (0, 0))
        totals[page] = (so_far + views, minutes + 1)
    ranked = sorted(totals.items(), key=lambda item: (-item[1][0], item[0]))
    return tuple(PageTotal(page, views, minutes) for page, (views, minutes) in ranked)


def _duplicates(batch: BatchProgress) -> int:
    return batch.duplicates


def _rows_out(batch: BatchProgress) -> int:
    return batch.output_rows
