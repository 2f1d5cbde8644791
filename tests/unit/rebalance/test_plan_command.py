"""`hdictl rebalance plan --snapshot`, as a person runs it: no stack, no cluster."""

from __future__ import annotations

import json

from hdictl.rebalance.snapshot import to_document
from tests.bench.rebalance_instances import Instance, snapshot
from tests.workspace import Workspace


def _written(workspace: Workspace, instance: Instance) -> None:
    (workspace.folder / "s.json").write_text(json.dumps(to_document(snapshot(instance))))


def test_a_plan_from_a_snapshot_file(workspace: Workspace):
    _written(workspace, Instance(6, 9, 36, "unaware"))
    arguments = ("rebalance", "plan", "--snapshot", "s.json", "--out", "p.json", "--html", "p.html", "--json")
    printed = workspace.run(*arguments).ok().json
    assert {"assignment", "moves", "bytes", "bound", "gap", "violations", "spread", "seconds"} <= set(printed)
    assert printed["violations"] == []
    written = json.loads((workspace.folder / "p.json").read_text())
    assert written["assignment"] == printed["assignment"]
    assert (workspace.folder / "p.html").read_text().startswith("<!DOCTYPE html>")
    again = workspace.run(*arguments).ok().json
    assert {**again, "seconds": 0} == {**printed, "seconds": 0}


def test_the_terminal_shows_the_proof(workspace: Workspace):
    _written(workspace, Instance(6, 9, 36, "compliant"))
    shown = workspace.run("rebalance", "plan", "--snapshot", "s.json").ok().out
    assert "36 moves; proven minimum 36" in shown


def test_bad_input_is_one_message(workspace: Workspace):
    (workspace.folder / "s.json").write_text("{}")
    workspace.run("rebalance", "plan", "--snapshot", "s.json").failed(1, "s.json: a snapshot is an object with")
    workspace.run("rebalance", "plan", "--snapshot", "nosuch.json").failed(1, "nosuch.json")
    _written(workspace, Instance(6, 9, 36, "compliant"))
    plan = ("rebalance", "plan", "--snapshot", "s.json")
    workspace.run(*plan, "--balance-bytes", "much").failed(2, "`much` is no part of a share")
    workspace.run(*plan, "--drain", "7").failed(2, "there is no broker 7 to drain")
    workspace.run(*plan, "--replication", "orders").failed(2, "`orders` is not TOPIC=N")
    workspace.run(*plan, "--throttle", "fast").failed(2, "--throttle")
