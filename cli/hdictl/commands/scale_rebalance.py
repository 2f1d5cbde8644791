"""How `scale` ends: partitions are moved to the new brokers, or that is offered, or the command for it is said."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import typer

from hdictl.errors import NotConfirmed
from hdictl.plan.scaled import Moved
from hdictl.ports.target import Target
from hdictl.show.terminal import is_interactive, say

OFFER = "Partitions are not on the new brokers yet. Move them now?"


@dataclass(frozen=True)
class Ending:
    """What somebody wants once the brokers are there."""

    rebalance: bool  # without being asked for it
    yes: bool
    as_json: bool

    def require_agreement(self) -> None:
        """Before brokers are made that nobody gives back, not after."""
        if self.rebalance and not self.yes and not is_interactive():
            raise NotConfirmed(
                "--rebalance moves partitions, and shows what it will move first",
                fix="there is no terminal to ask on: give --yes",
            )

    def end(
        self, target: Target, cluster: str, new_brokers: Sequence[int], show: Callable[[Moved | None], None]
    ) -> None:
        """`show` tells of the brokers; with JSON it tells of all, at the end, as that is one document."""
        if self.as_json:
            show(_moved(target, cluster) if self.rebalance else None)
            return
        show(None)
        if self.rebalance or (new_brokers and is_interactive() and typer.confirm(OFFER, default=False, err=True)):
            self._rebalance(target, cluster)
        elif new_brokers:
            say(f"move partitions to them: {_command(target, cluster)}")

    def _rebalance(self, target: Target, cluster: str) -> None:
        """As `rebalance run` does without options: the plan is shown, and asked about."""
        from hdictl.commands.rebalance_session import carried_out, planned_to_run, work_on
        from hdictl.rebalance.throttle_wish import DEFAULT, throttle_wish
        from hdictl.rebalance.wishes import Wishes

        work = work_on(target, cluster)
        try:
            carried_out(
                work, planned_to_run(work, Wishes()), throttle_wish(DEFAULT), "run", yes=self.yes, as_json=False
            )
        except NotConfirmed:
            raise NotConfirmed(
                "not confirmed; the brokers are there, no partition was moved", fix=_command(target, cluster)
            ) from None


def _command(target: Target, cluster: str) -> str:
    return f"hdictl rebalance run --cluster {cluster} --target {target.name}"


def _moved(target: Target, cluster: str) -> Moved:
    from hdictl.commands.rebalance_session import planned_to_run, require_verified, work_on
    from hdictl.rebalance.throttle_wish import DEFAULT, throttle_wish
    from hdictl.rebalance.wishes import Wishes
    from hdictl.workflow.rebalance.run import run_plan

    work = work_on(target, cluster)
    plan = planned_to_run(work, Wishes())
    if plan.is_empty:
        return Moved(None, 0, 0, 0)
    outcome = run_plan(work, plan, throttle_wish(DEFAULT), "run")
    require_verified(work, outcome)
    return Moved(outcome.run.id, plan.moves, plan.bytes, plan.leader_changes)
