"""The maker of the events and the independent count agree, whatever way the records reach Kafka."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hdictl.ports.kafka import Record
from hdictl.workflow.demo.events import Scenario, Settings, scenario
from hdictl.workflow.demo.recount import read_output, recount

SMALL = Settings(views=600, late=40)
NOW = 1_794_000_000_000  # records are sent long after the events happened


def arrived(plot: Scenario, partitions: int, chance: random.Random) -> list[Record]:
    """The records as Kafka might hold them: any order within what is sent before the job is awaited."""
    records: list[Record] = []
    offsets = [0] * partitions
    moment = NOW
    block: list[tuple[bytes | None, bytes | None]] = []
    for wave in plot.waves:
        block += wave.messages
        if not wave.is_awaited:
            continue
        chance.shuffle(block)
        moment += 1000
        for key, value in block:
            partition = chance.randrange(partitions)
            records.append(Record(partition, offsets[partition], moment + chance.randrange(900), key, value))
            offsets[partition] += 1
        block = []
    return records


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**16), partitions=st.integers(1, 12), order=st.integers(0, 2**16))
def test_both_counts_agree(seed, partitions, order):
    plot = scenario(replace(SMALL, seed=seed))
    found = recount(arrived(plot, partitions, random.Random(order)), delay=SMALL.delay)
    assert found.truth == plot.truth
    assert len(found.dead) == plot.truth.dead


def test_the_same_seed_makes_the_same_events_and_another_one_others():
    assert scenario(SMALL) == scenario(SMALL)
    assert scenario(SMALL) != scenario(replace(SMALL, seed=7))


def test_the_demo_has_every_fault_and_enough_events():
    plot = scenario()
    truth = plot.truth
    assert truth.produced == sum(len(wave.messages) for wave in plot.waves)
    assert truth.produced == truth.valid + truth.dead + truth.tombstones
    assert truth.counted >= 20_000
    assert min(truth.late, truth.duplicates, truth.dead, truth.tombstones, truth.heartbeats) > 0


def test_no_split_into_batches_makes_an_awaited_event_late():
    plot = scenario(SMALL)
    *awaited, _heartbeat, _third, last = plot.waves
    at_once = Scenario(tuple(awaited), plot.truth)
    backwards = Scenario(tuple(replace(wave, is_awaited=True) for wave in reversed(awaited)), plot.truth)
    for order in (at_once, backwards):
        assert recount(arrived(order, 3, random.Random(1)), delay=SMALL.delay).truth.late == 0
    # and every window is closed by the end
    assert last.watermark >= max(start for _page, start in plot.truth.windows) + 60_000


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (None, "tombstones"),
        (b"", "dead"),
        (b"{}", "dead"),
        (b"[]", "dead"),
        (b'{"event_id":"1","event_type":"heartbeat","event_time":"1"}', "dead"),
        (b'{"event_id":"1","event_type":"heartbeat","event_time":true}', "dead"),
        (b'{"event_id":"1","event_type":"heartbeat","event_time":1794003600001}', "dead"),
        (b'{"event_id":"1","event_type":"page_view","event_time":1,"page":"/"}', "dead"),
        (b'{"event_id":"1","event_type":"heartbeat","event_time":1}', "heartbeats"),
        (b'{"event_id":"1","event_type":"page_view","event_time":1,"page":"/","user_id":"u"}', "counted"),
    ],
)
def test_each_kind_of_record(value, name):
    truth = recount([Record(0, 0, NOW, None, value)], delay=1).truth
    assert (truth.produced, getattr(truth, name)) == (1, 1)
    assert truth.produced == truth.valid + truth.dead + truth.tombstones


def test_late_is_what_is_not_after_the_watermark():
    def record(number: int, at: int) -> Record:
        value = f'{{"event_id":"{number}","event_type":"heartbeat","event_time":{at}}}'
        return Record(0, number, NOW + number, None, value.encode())

    truth = recount([record(0, 1000), record(1, 900), record(2, 901)], delay=100).truth
    assert (truth.late, truth.heartbeats) == (1, 2)


def window(page: str, start: int, views: int) -> Record:
    value = f'{{"page":"{page}","window_start":{start},"views":{views},"visitors":1}}'
    return Record(0, 0, NOW, b"k", value.encode(), (("event_id", f"{page}|{start}".encode()),))


def dead(offset: int) -> Record:
    return Record(0, 0, NOW, b"k", b"", (("partition", b"2"), ("offset", str(offset).encode())))


def test_copies_in_the_output_are_recognised():
    output = read_output([window("/", 0, 3), window("/", 0, 3), window("/", 60, 1)], [dead(1), dead(1), dead(2)])
    assert output.windows == {("/", 0): (3, 1), ("/", 60): (1, 1)}
    assert (output.window_copies, output.dead_copies) == (1, 1)
    assert output.dead == {(2, 1), (2, 2)}
    assert output.contradictions == ()


def test_one_identity_with_two_contents_is_a_contradiction():
    output = read_output([window("/", 0, 3), window("/", 0, 4)], [])
    assert output.contradictions == ("/|0",)
