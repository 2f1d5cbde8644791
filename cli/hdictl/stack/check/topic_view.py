"""A topic as rules see it: its values after defaults, and where each of them was written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hdictl.stack.check.registry import Problem
from hdictl.stack.model import Stack, Topic, TopicDefaults
from hdictl.stack.part import Scalar
from hdictl.stack.source import Path
from hdictl.stack.topic_config import to_canonical

BROKER_MIN_ISR = 2  # HDInsight's own `min.insync.replicas`
BROKER_RETENTION = "7d"


@dataclass(frozen=True)
class TopicView:
    key: str
    topic: Topic
    defaults: TopicDefaults
    settings: Mapping[str, str]  # canonical; those with a value that cannot be read are not here

    @property
    def name(self) -> str:
        return self.topic.name or self.key

    @property
    def path(self) -> Path:
        return ("topics", self.key)

    @property
    def address(self) -> str:
        return f"topic:{self.key}"

    @property
    def cluster(self) -> str | None:
        return self.topic.cluster

    @property
    def partitions(self) -> int:
        return self.topic.partitions or self.defaults.partitions

    @property
    def replication(self) -> int:
        return self.topic.replication or self.defaults.replication

    @property
    def min_isr(self) -> int:
        return int(self.settings.get("min.insync.replicas", BROKER_MIN_ISR))

    @property
    def policies(self) -> frozenset[str]:
        return frozenset(self.settings.get("cleanup.policy", "delete").split(","))

    def own(self, *path: str) -> bool:
        """Does the topic itself say this?"""
        if path[0] == "config":
            return self.topic.config.get(path[1]) is not None
        return getattr(self.topic, path[0]) is not None

    def problem(self, path: tuple[str, ...], message: str, fix: str) -> Problem:
        """A problem with one value; a value that comes from `topics.defaults` is that one's problem, not the topic's.

        `message` begins with a verb: the subject is the topic, or the defaults.
        """
        if self.own(*path):
            return Problem(self.address, (*self.path, *path), f"topic `{self.key}` {message}", fix)
        is_default = (
            path[1] in self.defaults.config if path[0] == "config" else path[0] in self.defaults.model_fields_set
        )
        if is_default:
            return Problem("topic:defaults", ("topics", "defaults", *path), f"`topics.defaults` {message}", fix)
        return Problem(self.address, self.path, f"topic `{self.key}` {message}", fix)


def topic_views(stack: Stack) -> tuple[TopicView, ...]:
    defaults = stack.topics.defaults
    from_defaults = _canonical(defaults.config)
    return tuple(
        TopicView(key, topic, defaults, _merged(from_defaults, topic.config)) for key, topic in stack.topics.items()
    )


def _merged(defaults: Mapping[str, str], own: Mapping[str, Scalar | None]) -> Mapping[str, str]:
    if not own:
        return defaults
    kept = {key: value for key, value in defaults.items() if key not in own}
    return {**kept, **_canonical(own)}


def _canonical(config: Mapping[str, Scalar | None]) -> dict[str, str]:
    canonical = {}
    for key, value in config.items():
        if value is not None:
            try:
                canonical[key] = to_canonical(key, value)
            except ValueError:
                continue  # a finding of its own
    return canonical
