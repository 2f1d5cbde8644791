"""A thousand topics of six partitions on three local brokers: no time-out, and nothing left to do afterwards."""

from __future__ import annotations

import pytest

from tests.workspace import kafka_stack


@pytest.mark.slow
def test_a_thousand_topics(running):
    workspace = running()
    workspace.write(kafka_stack({f"topic-{number:04}": {"partitions": 6} for number in range(1000)}))
    workspace.run("up", "--no-topics").ok()
    workspace.run("plan", "--out", "plan.json").failed(3, "1000 to create")
    workspace.run("apply", "plan.json", timeout=900).ok()
    # Whichever broker answers, it knows all of them.
    for _ in range(3):
        workspace.run("plan").ok()
    assert workspace.run("status").code == 0
