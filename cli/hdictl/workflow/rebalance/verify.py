"""The cluster against the journal: placement, in-sync replicas, leaders, throttles, moves under way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from hdictl.ports.reassignment import Placement, PlacementReader
from hdictl.ports.target import Target
from hdictl.rebalance.journal import Journal, Run
from hdictl.rebalance.placed import Placed, listed
from hdictl.rebalance.plan import RebalancePlan
from hdictl.rebalance.report import Verdict
from hdictl.rebalance.snapshot import PartitionKey
from hdictl.rebalance.throttle import Throttles, left_over
from hdictl.workflow.rebalance.pace import Pace
from hdictl.workflow.rebalance.throttling import all_throttles

_SETTLE_SECONDS = 15.0
_SHOWN = 5


def verify(target: Target, cluster: str, pace: Pace) -> Verdict:
    """A difference that goes away by itself within seconds is news on their way to the last broker."""
    with target.placement_reader(cluster) as reader, target.journal(cluster) as store:
        journal = store.read()
        deadline = pace.now() + _SETTLE_SECONDS
        while True:
            partitions, differences = _differences(reader, journal)
            is_final = journal.unfinished is not None or pace.now() > deadline
            if not differences or is_final:
                return Verdict(cluster, journal.run, partitions, differences)
            pace.pause(pace.look)


def _differences(reader: PlacementReader, journal: Journal) -> tuple[int, tuple[str, ...]]:
    placement, ongoing = reader.agreed(), reader.ongoing()
    found = [f"{len(ongoing)} partitions are on the move: {listed(ongoing)}"] if ongoing else []
    found += _behind(placement)
    throttles = Throttles()
    if journal.run is not None:
        plan = journal.plan()
        throttles = journal.found() or Throttles()
        found += _against(journal.run, plan, placement.partitions)
    found += _left(left_over(all_throttles(reader), throttles))
    return len(placement.partitions), tuple(found)


def _left(throttles: Sequence[str]) -> Iterator[str]:
    """The first few: there are four of them to a broker and a topic."""
    yield from (f"a throttle is left: {words}" for words in throttles[:_SHOWN])
    if len(throttles) > _SHOWN:
        yield f"{len(throttles) - _SHOWN} more throttles are left"


def _behind(placement: Placement) -> Iterator[str]:
    behind = [key for key, placed in placement.partitions.items() if not placed.is_in_sync]
    if behind:
        yield f"{len(behind)} partitions have replicas out of sync: {listed(behind)}"


def _against(run: Run, plan: RebalancePlan, placed: Mapping[PartitionKey, Placed]) -> Iterator[str]:
    """A topic that was deleted since is none of its business."""
    if not run.is_over:
        yield f"rebalance {run.id} is not finished: it is at `{run.phase}`"
    allowed = {key: {replicas} for key, replicas in plan.placement.items()}
    if run.is_cancelled:
        for step in plan.steps:
            allowed[step.key].add(step.before)
    elsewhere = [key for key, lists in allowed.items() if key in placed and placed[key].replicas not in lists]
    if elsewhere:
        yield f"{len(elsewhere)} partitions are not where they shall be: {listed(elsewhere)}"
    others = [
        step.key
        for step in plan.steps
        if step.key in placed and step.key not in elsewhere and placed[step.key].leader != placed[step.key].replicas[0]
    ]
    if others:
        yield f"{len(others)} partitions are not led by their first replica: {listed(others)}"
