"""The plan in the terminal: what a person needs in order to say yes, in a window of 80 columns."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from hdictl.rebalance.batches import batches
from hdictl.rebalance.plan import Certificate, Violation
from hdictl.rebalance.plan_file import from_document, to_document
from hdictl.show.rebalance import show_plan
from hdictl.show.rebalance_words import gap_text
from tests.unit.rebalance_pictures.samples import Shape, plan_of, sample

SMALL = Shape(3, 4, 2, 5, 2)


def shown(capsys, plan, throttle=50_000_000):
    show_plan(plan, batches(plan), command="rebalance plan", throttle=throttle, as_json=False)
    return capsys.readouterr().out


def _words(line):
    return " ".join(line.split())


def test_every_broker_is_a_row_with_before_after_and_fair_share(capsys):
    plan = sample()
    lines = shown(capsys, plan).splitlines()
    assert lines[0] == "ingest  balance over all brokers"
    assert _words(lines[1]) == "broker FD UD replicas fair leaders fair GB fair in out"
    assert _words(lines[2]) == "1001 0 0 180 → 120 120 60 → 41 40 437 → 289 287 27 212"
    assert _words(lines[8]) == "1007 0 1 0 → 120 120 0 → 40 40 0 → 265 287 265 –"


def test_a_few_per_cent_of_terabytes_are_seen(capsys):
    """0.9 → 0.8 TB would be a tenth more or less."""
    plan = sample()
    first = replace(plan.brokers[0], before=replace(plan.brokers[0].before, bytes=2_056_000_000_000))
    lines = shown(capsys, replace(plan, brokers=(first, *plan.brokers[1:]))).splitlines()
    assert "2056 → 289" in _words(lines[2])


def test_what_it_costs_and_how_near_that_is_to_the_least(capsys):
    text = shown(capsys, sample())
    assert "480 moves; proven minimum 480 (0 %)" in text
    assert "1.11 TB to copy; proven minimum 1.11 TB (0.4 %)" in text
    assert "292 preferred leaders of 360 change" in text
    assert "at 50 MB/s per broker, in " in text
    assert "replicas 120 → 0, leaders 40 → 1, per topic 1 → 1, bytes 100 % → 7.7 %" in text
    assert "✓ violations 60 → 0" in text
    assert "! broker 1002 has 3 update domains to choose from" in text


def test_a_change_of_order_alone_takes_no_time(capsys):
    plan = sample(SMALL)
    turned = [replace(step, after=(*step.before[1:], step.before[0])) for step in plan.steps]
    assert "nothing to copy, in 1 batch" in shown(capsys, replace(plan, steps=tuple(turned)))


@pytest.mark.parametrize("shape", [SMALL, Shape(), Shape(20, 30, 10, 100)])
def test_it_fits_80_columns_and_has_no_colours_in_a_pipe(capsys, shape):
    text = shown(capsys, sample(shape))
    assert max(len(line.rstrip()) for line in text.splitlines()) <= 80
    assert "\x1b" not in text


def test_violations_that_stay_are_named_with_their_reason_and_counted(capsys):
    left = tuple(Violation("ud", f"orders/{number}", "only [2] update domains") for number in range(8))
    text = shown(capsys, replace(sample(SMALL), violations=left))
    assert "✗ violations 0 → 8" in text
    assert "  orders/0: only [2] update domains (update domains)" in text
    assert "orders/5" not in text
    assert "  and 3 more" in text


def test_nothing_to_do_is_said(capsys):
    plan = plan_of(SMALL.brokers, SMALL.before(), SMALL.before(), SMALL.sizes())
    text = shown(capsys, plan)
    assert "✓ nothing moves" in text
    assert "proven minimum" not in text


def test_unknown_domains_and_no_throttle(capsys):
    brokers = tuple(replace(broker, fd=None, ud=None) for broker in SMALL.brokers)
    text = shown(capsys, plan_of(brokers, SMALL.before(), SMALL.after(), SMALL.sizes()), throttle=None)
    assert text.splitlines()[2].split()[:3] == ["1001", "?", "?"]
    assert "without a throttle: as fast as disks and network are" in text


@pytest.mark.parametrize(
    ("gap", "text"),
    [(0.0, "0 %"), (0.0001, "< 0.1 %"), (0.0072, "0.7 %"), (0.254, "25 %"), (float("inf"), "no bound above 0")],
)
def test_a_gap_is_never_rounded_down_to_a_proof(gap, text):
    assert gap_text(gap) == text


def test_the_json_is_the_plan_file_and_how_it_is_carried_out(capsys):
    plan = replace(sample(SMALL), certificate=Certificate(0, 0, "none"))
    portions = batches(plan)
    show_plan(plan, portions, command="rebalance plan", throttle=1_000_000, as_json=True)
    said = json.loads(capsys.readouterr().out)
    assert (said["command"], said["version"], said["throttle"]) == ("rebalance plan", 1, 1_000_000)
    assert {key: said[key] for key in to_document(plan)} == to_document(plan)
    assert from_document(said) == plan
    assert said["gap"] == {"moves": None, "bytes": None}
    assert sum(batch["bytes"] for batch in said["batches"]) == plan.bytes
    assert said["seconds_to_copy"] == sum(batch["seconds"] for batch in said["batches"])
