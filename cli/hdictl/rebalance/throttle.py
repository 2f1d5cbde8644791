"""Replication throttles: which settings say what, which replicas they name, and what was there before.

Pure. A rate is set on every broker that sends or receives, by its id: Kafka ignores a default for all brokers. The
rate holds for the replicas that the topic names, which are exactly those on the move: others are never slowed down.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hdictl.rebalance.plan import Step
from hdictl.stack.shown import shown

# Setting → value; None: it is not set.
Settings = Mapping[str, str | None]

RATES = ("leader.replication.throttled.rate", "follower.replication.throttled.rate")
SENDERS, RECEIVERS = "leader.replication.throttled.replicas", "follower.replication.throttled.replicas"
REPLICAS = (SENDERS, RECEIVERS)
_EVERYONE = "*"
UNSET_RATES: Settings = dict.fromkeys(RATES)
UNSET_REPLICAS: Settings = dict.fromkeys(REPLICAS)


@dataclass(frozen=True)
class Throttles:
    """Settings of brokers and topics, as found before a rebalance, or as they are now. Those not named are not set."""

    brokers: Mapping[int, Settings] = field(default_factory=dict)
    topics: Mapping[str, Settings] = field(default_factory=dict)


def brokers_of(steps: Iterable[Step]) -> tuple[int, ...]:
    """All that send or receive."""
    moving = [step for step in steps if step.adding]
    return tuple(sorted({broker for step in moving for broker in (*step.before, *step.adding)}))


def topics_of(steps: Iterable[Step]) -> tuple[str, ...]:
    return tuple(sorted({step.topic for step in steps if step.adding}))


def involved(found: Throttles, steps: Sequence[Step]) -> Throttles:
    """Of what was found, what these steps touch; every setting has a value, or None."""
    return Throttles(
        {broker: {**UNSET_RATES, **found.brokers.get(broker, {})} for broker in brokers_of(steps)},
        {topic: {**UNSET_REPLICAS, **found.topics.get(topic, {})} for topic in topics_of(steps)},
    )


def rates(brokers: Iterable[int], rate: int) -> dict[int, Settings]:
    return {broker: dict.fromkeys(RATES, str(rate)) for broker in brokers}


def moving_replicas(steps: Iterable[Step], found: Mapping[str, Settings]) -> dict[str, Settings]:
    """For each topic of `steps`, the replicas that send and those that receive, beside what somebody else had named."""
    senders: dict[str, list[str]] = defaultdict(list)
    receivers: dict[str, list[str]] = defaultdict(list)
    for step in sorted((step for step in steps if step.adding), key=lambda step: step.key):
        senders[step.topic] += [f"{step.partition}:{broker}" for broker in step.before]
        receivers[step.topic] += [f"{step.partition}:{broker}" for broker in step.adding]
    return {
        topic: {
            SENDERS: _beside(found.get(topic, {}).get(SENDERS), senders[topic]),
            RECEIVERS: _beside(found.get(topic, {}).get(RECEIVERS), receivers[topic]),
        }
        for topic in senders
    }


def _beside(found: str | None, ours: list[str]) -> str:
    if found == _EVERYONE:
        return found
    theirs = [name for name in (found or "").split(",") if name]
    return ",".join(dict.fromkeys([*theirs, *ours]))


def left_over(now: Throttles, found: Throttles) -> list[str]:
    """What is set and was not, or no longer is as it was, in words."""
    brokers = [
        f"broker {broker}: {key} is {_shown(value)}, was {_shown(found.brokers.get(broker, {}).get(key))}"
        for broker, settings in sorted(now.brokers.items())
        for key, value in sorted(settings.items())
        if value != found.brokers.get(broker, {}).get(key)
    ]
    return brokers + [
        f"topic {topic}: {key} is {_shown(value)}, was {_shown(found.topics.get(topic, {}).get(key))}"
        for topic, settings in sorted(now.topics.items())
        for key, value in sorted(settings.items())
        if value != found.topics.get(topic, {}).get(key)
    ]


def _shown(value: str | None) -> str:
    return "not set" if value is None else f"`{shown(value)}`"


def to_document(throttles: Throttles) -> dict[str, Any]:
    """What is not set needs no room: a cluster has thousands of topics."""
    topics = {topic: _only_set(settings) for topic, settings in throttles.topics.items()}
    return {
        "brokers": {str(broker): _only_set(settings) for broker, settings in throttles.brokers.items()},
        "topics": {topic: settings for topic, settings in topics.items() if settings},
    }


def _only_set(settings: Settings) -> dict[str, str]:
    return {key: value for key, value in settings.items() if value is not None}


def from_document(document: Mapping[str, Any]) -> Throttles:
    return Throttles({int(broker): dict(each) for broker, each in document["brokers"].items()}, document["topics"])
