"""The rebalance page in a real browser: nothing is complained of, and what is shown is what the JSON says."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hdictl.rebalance.batches import batches
from hdictl.show.rebalance import plan_json
from hdictl.show.rebalance_page import page
from tests.acceptance.browser.browser import Browser
from tests.unit.rebalance_pictures.samples import Shape, sample

THROTTLE = 50_000_000
PHONE = 390


def test_it_shows_what_the_json_says(browser: Browser) -> None:
    plan = sample()
    portions = batches(plan)
    said = plan_json(plan, portions, THROTTLE)
    seen = browser.look(page(plan, portions, THROTTLE))
    assert seen.console == ()
    assert seen.found["loaded"] == [] and seen.found["scripts"] == 0
    value = {name: number for name, (number, _) in seen.figures.items()}
    assert value["moves"] == said["moves"]
    assert value["bytes"] == said["bytes"]
    assert value["bound.moves"] == said["bound"]["moves"]
    assert value["bound.bytes"] == said["bound"]["bytes"]
    assert value["violations_before"] == len(said["violations_before"])
    assert value["violations"] == len(said["violations"])
    assert value["leader_changes"] == said["leader_changes"]
    assert value["batches"] == len(said["batches"])
    assert value["seconds_to_copy"] == pytest.approx(said["seconds_to_copy"])
    for broker, body in said["brokers"].items():
        for when in ("before", "after"):
            for quantity, number in body[when].items():
                assert value[f"brokers.{broker}.{when}.{quantity}"] == number
        assert value[f"brokers.{broker}.inbound"] == body["inbound"]
        assert value[f"brokers.{broker}.outbound"] == body["outbound"]
    assert seen.figures["moves"][1] == f"{said['moves']:,}"
    assert f"{said['moves']:,} moves: no plan under the same rules has fewer" in seen.found["text"]


def test_every_part_is_drawn(browser: Browser) -> None:
    plan = sample()
    seen = browser.look(page(plan, batches(plan), THROTTLE))
    assert [heading for heading, _ in seen.found["sections"]] == [
        "Brokers against their fair share",
        "Fault and update domains",
        "Where replicas are",
        "Batches over time",
        "Partitions that change",
    ]
    assert all(height > 40 for _, height in seen.found["sections"])
    assert seen.found["pictures"] == 0, "pictures without any size"
    replicas = sum(len(held) for held in plan.placement.values())
    assert seen.found["cells"] >= 2 * replicas


@pytest.mark.parametrize("width", [PHONE, 1280])
def test_only_the_tables_and_maps_scroll_sideways(browser: Browser, width: int) -> None:
    plan = sample()
    seen = browser.look(page(plan, batches(plan), THROTTLE), width=width)
    assert seen.found["width"] <= width
    assert seen.found["needed"] <= seen.found["width"]


def test_it_is_dark_where_the_screen_is(browser: Browser) -> None:
    plan = sample(Shape(3, 4, 2, 5, 2))
    text = page(plan, batches(plan), THROTTLE)
    light, dark = browser.look(text), browser.look(text, is_dark=True)
    assert _lightness(light.found["ground"]) - _lightness(light.found["ink"]) > 150
    assert _lightness(dark.found["ink"]) - _lightness(dark.found["ground"]) > 150


def test_names_never_become_markup(browser: Browser) -> None:
    plan = replace(sample(Shape(3, 4, 2, 5, 2)), cluster="<script>console.log('run')</script>", notes=("<img src=x>",))
    seen = browser.look(page(plan, batches(plan), None))
    assert seen.console == ()
    assert seen.found["heading"] == plan.cluster
    assert "<img src=x>" in seen.found["text"]
    assert seen.found["loaded"] == [] and seen.found["scripts"] == 0


def test_a_script_that_got_in_would_not_run(browser: Browser) -> None:
    """The page's own policy forbids it; this also shows that the console is heard."""
    plan = sample(Shape(3, 4, 2, 5, 2))
    broken = page(plan, batches(plan), None).replace("<main>", "<main><script>document.title = 'ran'</script>")
    seen = browser.look(broken)
    assert seen.found["title"] == "Rebalance of ingest"
    assert any("Content Security Policy" in line for line in seen.console)


def _lightness(colour: str) -> float:
    """Of `rgb(251, 251, 249)`."""
    parts = [int(part) for part in colour.removeprefix("rgb(").removesuffix(")").split(",")]
    return sum(parts) / len(parts)
