"""What is said of a rebalance, to people and to machines, and what its options mean."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import nullcontext

import pytest

from hdictl.commands.rebalance_options import planner_wishes
from hdictl.errors import UsageError
from hdictl.ports.progress import Row, Silent
from hdictl.rebalance.wishes import Wishes
from hdictl.show.rebalance_journal import show_outcome, show_status, show_verdict
from hdictl.workflow.rebalance.run import cancel, run_plan
from hdictl.workflow.rebalance.status import status
from hdictl.workflow.rebalance.verify import verify
from tests.fakes.moving_cluster import work
from tests.unit.rebalance_run.moves import SILENT, TEN, cluster, killed_while_moving, plan

NO_WISH = {
    "strict_ud": False,
    "global_only": False,
    "balance_bytes": None,
    "no_domains": False,
    "drain": None,
    "repair": False,
    "replication": None,
}


def test_options_of_the_planner():
    assert planner_wishes(**NO_WISH) == Wishes()
    asked = {**NO_WISH, "balance_bytes": "10%", "drain": [1001, 1002], "replication": ["orders=3", "a=b=2"]}
    assert planner_wishes(**asked) == Wishes(
        balance_bytes=0.1, drain=frozenset({1001, 1002}), replication={"orders": 3, "a=b": 2}
    )


@pytest.mark.parametrize(
    ("option", "value"),
    [("balance_bytes", "much"), ("balance_bytes", "0%"), ("replication", ["orders"]), ("replication", ["orders=0"])],
)
def test_options_that_mean_nothing(option: str, value: object):
    with pytest.raises(UsageError):
        planner_wishes(**{**NO_WISH, option: value})


def test_an_end(capsys: pytest.CaptureFixture[str]):
    outcome = run_plan(work(cluster(), "me", SILENT), plan(), TEN)
    show_outcome(outcome, "run", as_json=False)
    assert "✓ moved and verified: 5 of 5 partitions, 70 MB, in" in capsys.readouterr().out
    show_outcome(outcome, "run", as_json=True)
    said = json.loads(capsys.readouterr().out)
    assert (said["command"], said["moves"], said["bytes"]) == ("rebalance run", 7, 70_000_000)
    assert said["run"]["phase"] == "finished"


class Watched(Silent):
    """Keeps the last state of every row."""

    def __init__(self) -> None:
        self.rows: dict[str, str] = {}

    def board(self):
        return nullcontext(self)

    def show(self, rows: Sequence[Row]) -> None:
        self.rows.update({row.name: row.state for row in rows})


def test_how_long_a_batch_took_is_left_to_the_board():
    watched = Watched()
    run_plan(work(cluster(), "me", watched), plan(), TEN)
    assert (watched.rows["batch 1 of 2"], watched.rows["batch 2 of 2"]) == ("70 MB copied", "0 B copied")


def test_an_unfinished_one_and_how_to_go_on(capsys: pytest.CaptureFixture[str]):
    seen = killed_while_moving()
    looker = work(seen, "looker", SILENT)
    show_status(status(looker), as_json=False)
    said = capsys.readouterr().out
    assert "(run): moving, batch 1 of 2, throttle 10MB" in said
    assert "go on: hdictl rebalance resume" in said
    assert "orders/0: to 1004, from 1001" in said
    show_status(status(looker), as_json=True)
    document = json.loads(capsys.readouterr().out)
    assert (document["steps"]["moving"], document["ongoing"][0]["is_foreign"]) == (4, False)
    show_verdict(verify(looker.target, "ingest", looker.pace), as_json=False)
    assert "is not finished: it is at `moving`" in capsys.readouterr().out
    # What belongs to its work is no difference: replicas on their way, throttles, leaders to come.
    on_the_move, *others = verify(looker.target, "ingest", looker.pace).differences
    assert on_the_move == "4 partitions are on the move: orders/0, orders/1, orders/2, views/0"
    assert len(others) == 1
    show_outcome(cancel(work(seen, "next", SILENT)), "cancel", as_json=False)
    assert "✓ cancelled; moved before that: 0 of 5 partitions" in capsys.readouterr().out
    show_verdict(verify(looker.target, "ingest", looker.pace), as_json=True)
    assert json.loads(capsys.readouterr().out)["verified"] is True
