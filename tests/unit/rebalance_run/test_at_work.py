"""Whoever is at work is named and left alone; whoever was killed is not taken for one who is at work."""

from __future__ import annotations

import json

import pytest

from hdictl.errors import RebalanceBusy
from hdictl.rebalance.lease import LEASE_MS
from hdictl.show.rebalance_journal import show_status
from hdictl.workflow.rebalance.entry import require_free
from hdictl.workflow.rebalance.run import run_plan
from hdictl.workflow.rebalance.status import status
from tests.fakes.moving_cluster import MovingCluster, work
from tests.unit.rebalance_run.moves import SILENT, TEN, cluster, differences, killed_while_moving, plan


def test_a_second_run_is_told_to_wait():
    seen = cluster()
    said: list[RebalanceBusy] = []

    def second(_: MovingCluster) -> None:
        if seen.moves and not said:
            with pytest.raises(RebalanceBusy) as busy:
                require_free(work(seen, "second", SILENT, is_gone=lambda _: False), adopt=False)
            said.append(busy.value)

    seen.happens = second
    run_plan(work(seen, "first", SILENT), plan(), TEN)
    assert "is under way, at `moving`, batch 1 of 2: process 1 on here is at work" in said[0].what
    assert said[0].fix == "wait for it: hdictl rebalance status"
    assert differences(seen) == ()


def test_after_a_kill_it_is_told_how_to_go_on():
    seen = killed_while_moving()
    with pytest.raises(RebalanceBusy, match="is not finished: it is at `moving`, batch 1 of 2") as busy:
        require_free(work(seen, "second", SILENT), adopt=False)
    assert "hdictl rebalance resume" in str(busy.value.fix)


def test_status_sees_that_a_process_of_this_machine_was_killed(capsys: pytest.CaptureFixture[str]):
    looker = work(killed_while_moving(), "looker", SILENT)
    show_status(status(looker), as_json=False)
    assert "nobody is at work; go on: hdictl rebalance resume" in capsys.readouterr().out
    show_status(status(looker), as_json=True)
    assert json.loads(capsys.readouterr().out)["owner"] is None


def test_of_another_machine_only_the_lease_tells(capsys: pytest.CaptureFixture[str]):
    seen = killed_while_moving()
    looker = work(seen, "looker", SILENT, machine="there", is_gone=lambda _: False)
    show_status(status(looker), as_json=False)
    assert "process 1 on here is at work" in capsys.readouterr().out
    seen.clock += LEASE_MS / 1000
    show_status(status(looker), as_json=False)
    assert "nobody is at work" in capsys.readouterr().out
