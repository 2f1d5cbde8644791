"""Sets the throttles of what is on the move, and puts back what was there before."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from hdictl.ports.reassignment import PlacementReader, PlacementWriter
from hdictl.rebalance.plan import Step
from hdictl.rebalance.throttle import (
    UNSET_REPLICAS,
    Settings,
    Throttles,
    brokers_of,
    left_over,
    moving_replicas,
    rates,
)
from hdictl.workflow.rebalance.waiting import Waiting

_Name = TypeVar("_Name", int, str)


def all_throttles(cluster: PlacementReader) -> Throttles:
    """Of every broker that answers and every topic: what is not ours is known from what was there before."""
    placement = cluster.placement()
    topics = {topic for topic, _ in placement.partitions}
    return Throttles(cluster.broker_throttles(placement.brokers), cluster.topic_throttles(topics))


class Throttling:
    def __init__(self, cluster: PlacementWriter, found: Throttles, rate: int | None, waiting: Waiting) -> None:
        self._cluster = cluster
        self._found = found
        self._waiting = waiting
        self._brokers: tuple[int, ...] = ()
        # A run that was killed may have left any of them named.
        self._named: set[str] = set(found.topics)
        self.rate = rate

    def begin(self, steps: Sequence[Step]) -> None:
        """For exactly these steps; without a rate, for none."""
        replicas = {} if self.rate is None else moving_replicas(steps, self._found.topics)
        over = {topic: self._found.topics.get(topic, UNSET_REPLICAS) for topic in self._named - set(replicas)}
        if self.rate is not None:
            self._brokers = brokers_of(steps)
            # One that is away is waited for as in any other phase.
            self._taken(self._cluster.set_brokers, rates(self._brokers, self.rate), self._waiting.pace.patience)
        self._taken(self._cluster.set_topics, {**self._changed(over), **replicas}, self._waiting.pace.settle)
        self._named = set(replicas)

    def change(self, rate: int) -> None:
        """At once, wherever it can be: a broker that is away copies nothing, and gets it with the next change."""
        self.rate = rate
        self._cluster.set_brokers(rates(self._brokers, rate))

    def restore(self, patience: float) -> None:
        """Exactly what was found, on every broker and topic; seen, not believed."""
        self._taken(self._cluster.set_topics, self._changed(self._found.topics), self._waiting.pace.settle)

        def look() -> str | None:
            now = Throttles(
                self._cluster.broker_throttles(self._found.brokers), self._cluster.topic_throttles(self._found.topics)
            )
            wrong = [broker for broker, settings in self._found.brokers.items() if now.brokers.get(broker) != settings]
            away = self._cluster.set_brokers({broker: self._found.brokers[broker] for broker in wrong})
            if away:
                broker, why = min(away.items())
                return f"the throttle of broker {broker} cannot be put back ({why})"
            return next(iter(left_over(now, self._found)), None)

        self._waiting.until_clear(look, patience)

    def _changed(self, topics: Mapping[str, Settings]) -> dict[str, Settings]:
        """Of these, what is not so now. A topic that was deleted took its settings with it."""
        now = self._cluster.topic_throttles(topics)
        return {topic: settings for topic, settings in topics.items() if now.get(topic, settings) != settings}

    def _taken(
        self,
        take: Callable[[Mapping[_Name, Settings]], Mapping[_Name, str]],
        changes: Mapping[_Name, Settings],
        patience: float,
    ) -> None:
        """Until everybody has taken it; a refusal that lasts is one."""
        left = dict(changes)

        def look() -> str | None:
            refused = take(left)
            for name in [name for name in left if name not in refused]:
                del left[name]
            return next((f"{name} does not take its throttle: {why}" for name, why in sorted(refused.items())), None)

        if left:
            self._waiting.until_clear(look, patience)
