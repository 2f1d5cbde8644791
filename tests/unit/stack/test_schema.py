from __future__ import annotations

from pathlib import Path

import jsonschema
import pytest

from hdictl.stack.schema import json_schema
from hdictl.stack.source import read

STACKS = sorted(Path(__file__).parents[2].joinpath("invariants", "stacks").glob("*.yaml"))


@pytest.fixture(scope="module")
def validator():
    return jsonschema.Draft202012Validator(json_schema(), format_checker=jsonschema.FormatChecker())


def test_it_is_a_schema():
    schema = json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["title"] == "hdictl stack"


@pytest.mark.parametrize("file", STACKS, ids=lambda file: file.stem)
def test_examples_are_valid(validator, file):
    data = read(file.read_text(encoding="utf-8"), file.name).data
    assert [error.message for error in validator.iter_errors(data)] == []


GOOD = (
    "topics: {t: ~}",
    "topics: ~",
    "deleted: {t: ~}",
    "clusters: {k: {kind: kafka, workers: {count: '${N}'}}}",
    "topics: {t: {config: {retention.ms: 3d, segment.bytes: 1GiB, cleanup.policy: [compact, delete]}}}",
    "topics: {t: {config: {retention.ms: -1, retention.bytes: unlimited, preallocate: true}}}",
    "jobs: {j: {pipeline: p, cluster: s, trigger: 90s}}",
)
BAD = (
    "topic: {}",
    "topics: {t: {partition: 3}}",
    "topics: {t: {partitions: many}}",
    "topics: {t: {partitions: 0}}",
    "topics: {defaults: {partition: 3}}",
    "topics: {t: {config: {retention: 3d}}}",
    "topics: {t: {config: {retention.ms: 3 fortnights}}}",
    "topics: {t: {config: {cleanup.policy: compacted}}}",
    "clusters: {k: {kind: flink}}",
    "clusters: {k: {kind: spark, kafka: '3.2'}}",
    "jobs: {j: {pipeline: p, cluster: s, trigger: 10}}",
    "waivers: {w: {rule: T002}}",
)


@pytest.mark.parametrize("text", GOOD)
def test_good(validator, text):
    assert [error.message for error in validator.iter_errors(read(f"stack: d\n{text}\n", "s").data)] == []


@pytest.mark.parametrize("text", BAD)
def test_typos_fail(validator, text):
    assert not validator.is_valid(read(f"stack: d\n{text}\n", "s").data)


def test_every_key_is_described():
    def undescribed(node, path):
        for key, child in node.get("properties", {}).items():
            described = "description" in child or "$ref" in child
            if not described:
                yield f"{path}.{key}"

    schema = json_schema()
    models = {"Stack": schema, **schema["$defs"]}
    assert [found for name, node in models.items() for found in undescribed(node, name)] == []
