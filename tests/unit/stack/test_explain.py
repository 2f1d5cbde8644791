from __future__ import annotations

import json
from dataclasses import asdict

import pytest

from hdictl.errors import UsageError
from hdictl.stack.check import RULES
from hdictl.stack.explain import explain, known_keys


def test_a_number():
    explanation = explain("clusters.*.workers.count")
    assert explanation.type == "whole number"
    assert explanation.default == "kafka: 4; spark: 3"
    assert explanation.values == ("1 or more",)


@pytest.mark.parametrize(
    ("asked", "subject"),
    [
        ("clusters.ingest.workers.count", "clusters.*.workers.count"),
        ("topics.team.a.events.partitions", "topics.*.partitions"),
        ("topics.defaults.partitions", "topics.defaults.partitions"),
        ("workers.count", "clusters.*.workers.count"),
        ("partitions", "topics.*.partitions"),
        ("retention.ms", "topics.*.config.retention.ms"),
        ("topics.page-views.config.retention.ms", "topics.*.config.retention.ms"),
        ("waivers", "waivers"),
    ],
)
def test_what_is_meant(asked, subject):
    assert explain(asked).subject == subject


def test_a_setting():
    explanation = explain("topics.*.config.retention.ms")
    assert "Default: 7d." in explanation.description
    assert "3d" in explanation.examples


def test_a_mapping_lists_its_keys():
    assert explain("waivers").keys == ("*.rule", "*.on", "*.reason", "*.until")
    assert "retention.ms" in explain("topics.*.config").keys


def test_a_rule():
    explanation = explain("t004")
    assert explanation.subject.startswith("T004: ")
    assert (explanation.severity, explanation.why, explanation.fix, explanation.source) == (
        "error",
        RULES["T004"].why,
        RULES["T004"].fix,
        RULES["T004"].source,
    )


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ("workers.cout", r"there is no key `workers.cout` \(did you mean"),
        ("clustres", r"did you mean `clusters`\?"),
        ("T099", "there is no rule `T099`"),
        ("cluster", "is the end of 3 keys"),
        ("", "there is no key"),
        ("x" * 3000, "there is no key"),
        ("*", "is the end of"),
        ("[", "there is no key"),
    ],
)
def test_what_is_not_known(asked, message):
    with pytest.raises(UsageError, match=message) as caught:
        explain(asked)
    assert caught.value.fix
    assert len(str(caught.value)) < 600


@pytest.mark.parametrize("name", [*known_keys(), *RULES])
def test_everything_can_be_explained(name):
    explanation = explain(name)
    json.dumps(asdict(explanation))
    assert explanation.description or explanation.why or name.endswith("*")
