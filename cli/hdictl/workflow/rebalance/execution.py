"""Carries a journalled plan out, from wherever it stands.

Before each step stands its record in the journal. Whatever ends this process, the next one reads the plan from the
journal, asks the cluster how far it is, and comes to the same steps.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any

from hdictl.errors import RebalanceStopped
from hdictl.ports.reassignment import PlacementWriter
from hdictl.rebalance.batches import DEFAULT_LIMITS, Batch, portions
from hdictl.rebalance.journal import Phase, Run, run_record, throttles_record
from hdictl.rebalance.placed import Standing, brokers_text, listed, standing
from hdictl.rebalance.plan import RebalancePlan, Step
from hdictl.rebalance.throttle import Throttles, brokers_of, involved
from hdictl.rebalance.throttle_wish import ThrottleWish
from hdictl.stack.units import count
from hdictl.workflow.rebalance.leaders import elect_preferred
from hdictl.workflow.rebalance.ready import await_ready
from hdictl.workflow.rebalance.sampling import Sampling
from hdictl.workflow.rebalance.throttling import Throttling, all_throttles
from hdictl.workflow.rebalance.waiting import Waiting
from hdictl.workflow.rebalance.watching import Watch

_TRIES = 3


class Execution:
    """One unfinished run of the journal, in the hands of the one who holds the lease."""

    def __init__(self, cluster: PlacementWriter, run: Run, throttle: ThrottleWish, waiting: Waiting) -> None:
        self.cluster = cluster
        self.plan: RebalancePlan = waiting.held.journal.plan()
        self.run = run
        self.waiting = waiting
        self._held = waiting.held
        self._throttle = throttle

    def carry_out(self) -> None:
        throttling = self._throttling()
        self._move(throttling)
        self.note("leaders")
        elect_preferred(self.cluster, [step.key for step in self.stands().done], self.waiting)
        self.note("restoring")
        throttling.restore(self.waiting.pace.patience)
        if self.plan.kind == "drain":
            self._held.leave([change.broker.id for change in self.plan.brokers if not change.after.replicas])
        self.note("finished")

    def stands(self) -> Standing:
        return standing(self.plan.steps, self.cluster.placement().partitions, self.cluster.ongoing())

    def note(self, phase: Phase, **more: Any) -> None:
        self.run = replace(self.run, phase=phase, **more)
        self._held.write(run_record(self.run, self._held.owner))

    def restore_throttles(self) -> None:
        """What has no record was not touched. Whoever calls something off does not wait long for a broker."""
        found = self._held.journal.found()
        if found is not None:
            touched = involved(found, self.plan.steps)
            known = {broker: settings for broker, settings in touched.brokers.items() if broker in found.brokers}
            throttling = Throttling(self.cluster, Throttles(known, touched.topics), None, self.waiting)
            throttling.restore(self.waiting.pace.settle)

    def found_throttles(self, needed: Collection[int] = ()) -> Throttles:
        """Written down once, before the first is touched: afterwards they would be our own. Brokers that are `needed`
        are waited for, as what they do not tell now can never be told again."""
        known = self._held.journal.found()
        if known is not None:
            return known
        found = Throttles()

        def look() -> str | None:
            nonlocal found
            found = all_throttles(self.cluster)
            silent = sorted(set(needed) - set(found.brokers))
            return f"{brokers_text(silent, 'does', 'do')} not answer" if silent else None

        self.waiting.until_clear(look, self.waiting.pace.patience)
        self._held.write(throttles_record(self.run.id, found))
        return found

    def _throttling(self) -> Throttling:
        found = self.found_throttles(brokers_of(self.plan.steps))
        return Throttling(self.cluster, involved(found, self.plan.steps), self._throttle.rate, self.waiting)

    def _move(self, throttling: Throttling) -> None:
        sampling = Sampling(self.cluster, throttling, self.waiting) if self._throttle.is_auto else None
        watch = Watch(self.cluster, self.waiting, sampling.look if sampling is not None else None)
        stands = self._settled()
        batches = self._left(stands)
        for number, batch in enumerate(batches, start=1):
            is_new = not (number == 1 and stands.moving)
            steps = self._existing(batch.steps)
            if sampling is not None:
                sampling.next_batch()
            if is_new:
                await_ready(self.cluster, steps, self.waiting)
            self.note("moving", batch=number, batches=len(batches))
            throttling.begin(steps)
            if is_new:
                self._start(steps)
            watch.until_still(steps, f"batch {number} of {len(batches)}")
            self._await_placed(steps)

    def _settled(self) -> Standing:
        """A move that ends between two looks, or whose end the brokers have yet to hear of, is strange for a moment."""
        stands = Standing()

        def look() -> str | None:
            nonlocal stands
            stands = self.stands()
            if not stands.strange:
                return None
            strange = count(len(stands.strange), "partition was", "partitions were")
            return f"{strange} moved elsewhere by somebody else: {listed(step.key for step in stands.strange)}"

        self.waiting.until_clear(look, self.waiting.pace.settle, tells=False)
        return stands

    def _existing(self, steps: Sequence[Step]) -> tuple[Step, ...]:
        """Topics are deleted while others move."""
        there = self.cluster.placement().partitions
        return tuple(step for step in steps if step.key in there)

    def _left(self, stands: Standing) -> tuple[Batch, ...]:
        """What Kafka is at already comes first, together; the rest in portions."""
        rest = portions(stands.waiting, _free_now(self.plan, (*stands.done, *stands.moving)), DEFAULT_LIMITS)
        return (Batch(stands.moving), *rest) if stands.moving else rest

    def _start(self, steps: Sequence[Step]) -> None:
        """A broker may die between the look and the request: then it is waited for, and asked again."""
        left = {step.key: step for step in steps}
        for _ in range(_TRIES):
            self._held.keep()
            refused = self.cluster.reassign({key: step.after for key, step in left.items()})
            there = self.cluster.placement().partitions
            left = {key: left[key] for key in refused if key in there}
            if not left:
                return
            await_ready(self.cluster, tuple(left.values()), self.waiting)
        raise RebalanceStopped(f"Kafka does not move {listed(left)}: {refused[next(iter(left))]}")

    def _await_placed(self, steps: Sequence[Step]) -> None:
        """Kafka's list of moves is shorter before its brokers know where the partition is."""

        def look() -> str | None:
            stands = standing(steps, self.cluster.placement().partitions, self.cluster.ongoing())
            wrong = [step.key for step in (*stands.moving, *stands.waiting, *stands.strange)]
            return f"{listed(wrong)} did not stay where they were moved to: somebody else moves them" if wrong else None

        # The news take their time; who else moves them is worth a word only when that does not end.
        self.waiting.until_clear(look, self.waiting.pace.settle, tells=False)


def _free_now(plan: RebalancePlan, taken: Iterable[Step]) -> dict[int, int]:
    """What was free when the plan was made, less what has been moved since."""
    free = {change.broker.id: change.broker.free for change in plan.brokers if change.broker.free is not None}
    for step in taken:
        for broker in free.keys() & set(step.adding):
            free[broker] -= step.size
        for broker in free.keys() & set(step.removing):
            free[broker] += step.size
    return free
