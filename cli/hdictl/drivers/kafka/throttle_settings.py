"""The settings that slow replication down: read as they were set, and set.

Kafka 3.2 lists a broker's rates only when they are set, and calls them read-only; kafka-python refuses to set what is
not listed. Only the broker itself takes or tells its settings: those of one that is away can neither be read nor set.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from hdictl.drivers.kafka.calls import BrokerCalls
from hdictl.rebalance.throttle import RATES, REPLICAS, Settings

_TOPIC, _BROKER = 2, 4
_SET_ON_TOPIC, _SET_ON_BROKER = 1, 2  # where a value comes from
_SET, _DELETE = 0, 1
_PORTION = 500  # topics in one request


class ThrottleSettings:
    def __init__(self, calls: BrokerCalls, where: str) -> None:
        self._calls = calls
        self._where = where

    def broker_throttles(self, brokers: Collection[int]) -> Mapping[int, Settings]:
        answers, _ = self._calls.each({broker: _describe(_BROKER, [str(broker)], RATES) for broker in brokers})
        return {
            broker: {**dict.fromkeys(RATES), **_values(result, _SET_ON_BROKER)}
            for broker, answer in answers.items()
            for result in answer.results
            if result.error_code == 0
        }

    def topic_throttles(self, topics: Collection[str]) -> Mapping[str, Settings]:
        return {
            result.resource_name: {**dict.fromkeys(REPLICAS), **_values(result, _SET_ON_TOPIC)}
            for result in self._described(topics, REPLICAS)
        }

    def min_insync(self, topics: Collection[str]) -> Mapping[str, int]:
        described = self._described(topics, ("min.insync.replicas",))
        return {result.resource_name: int(result.configs[0].value) for result in described if result.configs}

    def set_brokers(self, changes: Mapping[int, Settings]) -> Mapping[int, str]:
        answers, silent = self._calls.each(
            {broker: _alter(_BROKER, {str(broker): settings}) for broker, settings in changes.items()}
        )
        refused = {broker: _refusal(answer.responses[0]) for broker, answer in answers.items()}
        return silent | {broker: why for broker, why in refused.items() if why is not None}

    def set_topics(self, changes: Mapping[str, Settings]) -> Mapping[str, str]:
        refused = {}
        for names in _portions(sorted(changes)):
            answer = self._calls.anyone(partial(_alter, _TOPIC, {name: changes[name] for name in names}))
            refused.update({each.resource_name: _refusal(each) for each in answer.responses})
        return {name: why for name, why in refused.items() if why is not None}

    def _described(self, topics: Collection[str], keys: Sequence[str]) -> Iterator[Any]:
        """A topic that is gone has no settings."""
        for names in _portions(sorted(topics)):
            answer = self._calls.anyone(partial(_describe, _TOPIC, names, keys))
            yield from (result for result in answer.results if result.error_code == 0)


def _describe(kind: int, names: Sequence[str], keys: Sequence[str]) -> Any:
    from kafka.protocol.admin import DescribeConfigsRequest

    return DescribeConfigsRequest(resources=[(kind, name, list(keys)) for name in names], include_synonyms=False)


def _alter(kind: int, changes: Mapping[str, Settings]) -> Any:
    from kafka.protocol.admin import IncrementalAlterConfigsRequest

    return IncrementalAlterConfigsRequest(
        resources=[
            (kind, name, [(key, _DELETE if value is None else _SET, value) for key, value in settings.items()])
            for name, settings in changes.items()
        ],
        validate_only=False,
    )


def _values(result: Any, source: int) -> dict[str, str]:
    return {config.name: config.value for config in result.configs if config.config_source == source}


def _refusal(result: Any) -> str | None:
    if result.error_code == 0:
        return None
    from kafka.errors import for_code

    return str(result.error_message or for_code(result.error_code).__name__.removesuffix("Error"))


def _portions(names: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(names), _PORTION):
        yield names[start : start + _PORTION]
