"""The page: its figures are the plan's, its pictures have a mark for everything, and a huge cluster stays readable."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from hdictl.rebalance.batches import Batch, batches
from hdictl.rebalance.plan import RebalancePlan, Violation
from hdictl.show.rebalance_page import page
from hdictl.show.rebalance_page.spans import spans_of, ticks
from tests.unit.rebalance_pictures.samples import Shape, plan_of, sample

SMALL = Shape(3, 4, 2, 5, 2)
THROTTLE = 50_000_000
_VOID = {"meta", "link", "br"}


class Parsed(HTMLParser):
    """Figures, tags and text of a page; every element that opens has to close."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.figures: dict[str, str] = {}
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.tags.append((tag, found))
        if tag == "data":
            name = str(found["data-figure"])
            assert self.figures.setdefault(name, str(found["value"])) == found["value"], name
        if tag not in _VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self._open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())

    def cells(self, kind: str) -> int:
        return sum(attributes.get("class") == kind for tag, attributes in self.tags if tag == "path")


def drawn(plan: RebalancePlan, throttle: int | None = THROTTLE) -> Parsed:
    return Parsed(page(plan, batches(plan), throttle))


def test_its_figures_are_the_plans():
    plan = sample()
    figures = drawn(plan).figures
    assert figures["moves"] == str(plan.moves)
    assert figures["bytes"] == str(plan.bytes)
    assert figures["bound.moves"] == str(plan.certificate.moves)
    assert figures["bound.bytes"] == str(plan.certificate.bytes)
    assert figures["violations_before"] == figures["violations_before.ud"] == str(len(plan.violations_before))
    assert figures["violations"] == "0"
    assert figures["leader_changes"] == str(plan.leader_changes)
    for change in plan.brokers:
        name = f"brokers.{change.broker.id}"
        for when, load in (("before", change.before), ("after", change.after)):
            assert figures[f"{name}.{when}.replicas"] == str(load.replicas)
            assert figures[f"{name}.{when}.leaders"] == str(load.leaders)
            assert figures[f"{name}.{when}.bytes"] == str(load.bytes)
        assert figures[f"{name}.inbound"] == str(change.inbound)


def test_every_replica_has_its_cell_before_and_after():
    plan = sample()
    parsed = drawn(plan)
    partitions, replicas = len(plan.placement), sum(len(held) for held in plan.placement.values())
    leads, follows = (
        parsed.cells("lead") + parsed.cells("lead moved"),
        parsed.cells("follow") + parsed.cells("follow moved"),
    )
    assert leads == 2 * partitions
    assert follows == 2 * (replicas - partitions)
    # What moves is marked where it leaves and where it arrives.
    assert parsed.cells("lead moved") + parsed.cells("follow moved") == 2 * plan.moves
    assert parsed.cells("broken") == len({violation.where for violation in plan.violations_before})


def test_cells_say_what_they_are():
    step = next(step for step in sample().steps if step.moves)
    text = drawn(sample()).text
    assert f"{step.topic}/{step.partition} on {step.adding[0]}: " in text
    assert ", leaves" in text and ", arrives" in text


def test_domains_say_which_of_them_are_crowded():
    text = drawn(sample()).text
    assert "UD 0 360 → 240 60 → 0 crowded" in text
    assert "FD 0 360 → 360 1001" in text


def test_ten_thousand_partitions_are_drawn_by_topic():
    shape = Shape(20, 30, topics=833, partitions=12)
    plan = sample(shape)
    text = page(plan, [Batch(plan.steps)], THROTTLE)
    assert len(text.encode()) < 3_000_000
    parsed = Parsed(text)
    # 199 topics of their own and one column for the rest, for 30 brokers, twice.
    kinds = ("none", "low", "even", "high", "higher")
    assert sum(parsed.cells(kind) for kind in kinds) == 200 * 30 * 2
    assert "634 topics with less to copy share the last column" in parsed.text
    assert f"and {len(plan.steps) - 400:,} smaller ones, in the plan file" in parsed.text


def test_names_never_become_markup():
    nasty = '"><script>alert(1)</script>'
    plan = replace(
        sample(SMALL),
        cluster=nasty,
        cluster_id=nasty,
        notes=(nasty,),
        violations=(Violation("fd", nasty, nasty),),
        violations_before=(Violation("fd", nasty, nasty),),
    )
    parsed = drawn(plan)
    assert all(tag != "script" for tag, _ in parsed.tags)
    assert parsed.text.count("alert(1)") == 8


def test_nothing_is_loaded_and_nothing_runs():
    text = page(sample(), batches(sample()), THROTTLE)
    assert not re.search(r"https?:|//|\burl\(|@import|<script|\bon[a-z]+=|\bsrc=", text)
    assert "Content-Security-Policy" in text


def test_it_can_be_read_by_everyone():
    parsed = drawn(sample())
    pictures = [attributes for tag, attributes in parsed.tags if tag == "svg"]
    assert pictures and all(attributes["role"] == "img" for attributes in pictures)
    scrolled = [attributes for tag, attributes in parsed.tags if "scroll" in str(attributes.get("class"))]
    assert scrolled and all(each["tabindex"] == "0" and each["aria-label"] for each in scrolled)
    headings = [attributes.get("id") for tag, attributes in parsed.tags if tag == "h2"]
    assert headings == ["brokers", "domains", "replicas", "batches", "moves"]
    assert ("html", {"lang": "en"}) in parsed.tags


@pytest.mark.parametrize(
    ("plan", "sentence"),
    [
        (sample(), "480 moves: no plan under the same rules has fewer. All 60 violations are mended."),
        (
            replace(sample(), certificate=replace(sample().certificate, moves=470)),
            "480 moves, 2.1 % above the proven minimum. All 60 violations are mended.",
        ),
        (
            replace(sample(), violations=sample().violations_before[:2]),
            "has fewer. 2 violations left (before: 60); each has its reason below.",
        ),
        (
            plan_of(SMALL.brokers, SMALL.before(), SMALL.before(), SMALL.sizes()),
            "Nothing moves. Every rule is kept.",
        ),
    ],
)
def test_the_verdict_comes_first(plan, sentence):
    assert drawn(plan).text.split("replicas to move")[0].endswith(sentence + " ")


def test_batches_are_bundled_where_they_are_too_many():
    batch = Batch((), {1001: 10}, {1002: 20})
    spans = spans_of([batch] * 250)
    assert len(spans) == 84
    assert [span.name for span in spans[:2]] == ["1–3", "4–6"]
    assert spans[0].inbound[1001] == 30
    assert spans[-1].end == 250 * 20


@pytest.mark.parametrize(
    ("whole", "throttle", "last"),
    [
        (600 * 50, 50, "10 min"),
        (30 * 86_400 * 50, 50, "28 d"),
        (0, 50, "0"),
        (2.5e12, None, "2.5 TB"),
    ],
)
def test_the_axis_has_round_places(whole, throttle, last):
    found = list(ticks(whole, throttle))
    assert found[0] == (0, "0")
    assert found[-1][1] == last
    assert len(found) <= 9


def test_a_cluster_without_partitions_has_a_page():
    assert "Nothing moves." in Parsed(page(plan_of(SMALL.brokers, {}, {}, {}), (), THROTTLE)).text
