"""The cluster against the journal: placement, in-sync replicas, leaders, throttles, moves under way.

While a rebalance is not finished, that is the difference; what belongs to its work (replicas on their way, throttles,
leaders to come) is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from hdictl.ports.reassignment import Placement, PlacementReader
from hdictl.ports.target import Target
from hdictl.rebalance.journal import Journal, Run
from hdictl.rebalance.placed import Ongoing, Placed, listed
from hdictl.rebalance.plan import RebalancePlan
from hdictl.rebalance.report import Verdict
from hdictl.rebalance.snapshot import PartitionKey
from hdictl.rebalance.throttle import Throttles, left_over
from hdictl.stack.units import count
from hdictl.workflow.rebalance.leaders import not_led
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
    found = (
        [f"{count(len(ongoing), 'partition is', 'partitions are')} on the move: {listed(ongoing)}"] if ongoing else []
    )
    found += _behind(placement, ongoing)
    if journal.run is not None:
        still = {key: placed for key, placed in placement.partitions.items() if key not in ongoing}
        found += _against(journal.run, journal.plan(), still)
    if journal.unfinished is None:
        throttles = Throttles() if journal.run is None else journal.found() or Throttles()
        found += _left(left_over(all_throttles(reader), throttles))
    return len(placement.partitions), tuple(found)


def _left(throttles: Sequence[str]) -> Iterator[str]:
    """The first few: there are four of them to a broker and a topic."""
    yield from (f"a throttle is left: {words}" for words in throttles[:_SHOWN])
    if len(throttles) > _SHOWN:
        yield f"{len(throttles) - _SHOWN} more throttles are left"


def _behind(placement: Placement, ongoing: Mapping[PartitionKey, Ongoing]) -> Iterator[str]:
    """One that is on its way is not behind: it has yet to arrive."""
    arriving = {key: set(move.adding) for key, move in ongoing.items()}
    behind = [
        key
        for key, placed in placement.partitions.items()
        if set(placed.replicas) - arriving.get(key, set()) - placed.isr
    ]
    if behind:
        yield f"{count(len(behind), 'partition has', 'partitions have')} replicas out of sync: {listed(behind)}"


def _against(run: Run, plan: RebalancePlan, placed: Mapping[PartitionKey, Placed]) -> Iterator[str]:
    """Of what is not on the move. A topic that was deleted since is none of its business."""
    if not run.is_over:
        yield f"rebalance {run.id} is not finished: it is at `{run.phase}`"
    allowed = {key: {replicas} for key, replicas in plan.placement.items()}
    if run.is_cancelled or not run.is_over:
        for step in plan.steps:
            allowed[step.key].add(step.before)
    elsewhere = [key for key, lists in allowed.items() if key in placed and placed[key].replicas not in lists]
    if elsewhere:
        yield f"{count(len(elsewhere), 'partition is', 'partitions are')} not in place: {listed(elsewhere)}"
    if not run.is_over:
        return  # leaders come when all is in place
    others = [
        step.key
        for step in plan.steps
        if step.key in placed and step.key not in elsewhere and placed[step.key].leader != placed[step.key].replicas[0]
    ]
    if others:
        yield f"{not_led(len(others))}: {listed(others)}"
