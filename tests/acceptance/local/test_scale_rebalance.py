"""`scale` ends with the partitions on the new brokers: offered on a terminal, done with --rebalance, else said."""

from __future__ import annotations

import os
import pty
import subprocess
import time
from collections.abc import Callable

import pytest

from tests.workspace import Workspace, kafka_stack

OFFER = "Partitions are not on the new brokers yet. Move them now?"
COMMAND = "hdictl rebalance run --cluster ingest --target local"


@pytest.fixture
def grown(running: Callable[..., Workspace]) -> Workspace:
    workspace = running()
    workspace.write(kafka_stack({"views": {"partitions": 12}, "clicks": {"partitions": 6}}))
    workspace.run("up").ok()
    lines = "".join(f'{{"key": "k{n}", "value": {{"n": {n}}}}}\n' for n in range(200))
    workspace.run("topics", "produce", "views", stdin=lines).ok()
    return workspace


def holders(workspace: Workspace, topic: str) -> set[int]:
    described = workspace.run("topics", "describe", topic, "--json").ok().json["topic"]
    return {broker for replicas in described["assignment"] for broker in replicas}


def brokers(workspace: Workspace) -> set[str]:
    (cluster,) = workspace.run("status", "--json").ok().json["clusters"]
    return {node["name"] for node in cluster["nodes"]} - {"zookeeper"}


def on_a_terminal(workspace: Workspace, *arguments: str, question: str, answer: str) -> tuple[int, str]:
    """What a person sees who answers once."""
    ours, theirs = pty.openpty()
    child = subprocess.Popen(
        workspace.command(*arguments),
        cwd=workspace.folder,
        env=workspace.environment(),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    seen, is_answered, deadline = "", False, time.monotonic() + 300
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # the other end is closed: the program has ended
            break
        seen += piece.decode(errors="replace")
        assert time.monotonic() < deadline, seen
        if question in seen and not is_answered:
            is_answered = True
            os.write(ours, f"{answer}\n".encode())
    os.close(ours)
    return child.wait(60), seen


def test_offered_said_and_done(grown):
    code, seen = on_a_terminal(grown, "scale", "ingest", "4", question=OFFER, answer="n")
    assert code == 0, seen
    assert OFFER in seen
    assert COMMAND in " ".join(seen.split())
    assert holders(grown, "views") == {1001, 1002, 1003}

    # Without a terminal: agreed to before anything is made, or not done.
    grown.run("scale", "ingest", "5", "--rebalance").failed(1, "there is no terminal to ask on: give --yes")
    assert brokers(grown) == {"1001", "1002", "1003", "1004"}

    told = grown.run("scale", "ingest", "5", "--rebalance", "--yes", "--json").ok().json
    assert told["new_brokers"] == [1005]
    assert told["rebalance"]["moves"] > 0
    grown.run("rebalance", "verify").ok()
    assert {1004, 1005} <= holders(grown, "views") | holders(grown, "clicks")

    # All is in its place: the same command again adds nothing and moves nothing.
    again = grown.run("scale", "ingest", "5", "--rebalance", "--yes").ok()
    assert "nothing to move" in again.out, again.out
    grown.run("plan").ok()
    read = grown.run("topics", "tail", "views", "--from-beginning").ok().out
    assert len(read.splitlines()) == 200


def test_on_a_terminal_a_yes_leads_to_the_plan_and_its_question(grown):
    code, seen = on_a_terminal(grown, "scale", "ingest", "4", "--rebalance", question="Go on?", answer="n")
    assert code == 1, seen
    assert "the brokers are there, no partition was moved" in " ".join(seen.split())
    assert holders(grown, "views") == {1001, 1002, 1003}
