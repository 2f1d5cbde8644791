"""T: topic-level settings: keys, values, and combinations that surprise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hdictl.stack.check.context import Context
from hdictl.stack.check.registry import ERROR, WARNING, Problem, rule
from hdictl.stack.check.topic_view import BROKER_RETENTION
from hdictl.stack.part import Scalar
from hdictl.stack.shown import shown
from hdictl.stack.source import Path
from hdictl.stack.suggest import did_you_mean
from hdictl.stack.topic_config import TOPIC_SETTINGS, to_canonical

_LARGEST_FETCH = 1_048_588  # the broker's message.max.bytes; producers and followers begin at 1 MiB too
_RETENTION = ("retention.ms", "retention.bytes")
_COMPACTION = ("min.cleanable.dirty.ratio", "min.compaction.lag.ms", "max.compaction.lag.ms", "delete.retention.ms")
_KAFKA = "Apache Kafka 3.2: topic configs"


def _configs(context: Context) -> Iterator[tuple[str, Path, Mapping[str, Scalar | None]]]:
    """Every `config` as it is written, that of the defaults too."""
    yield "topic:defaults", ("topics", "defaults", "config"), context.stack.topics.defaults.config
    for topic in context.topics:
        if topic.topic.config:
            yield topic.address, (*topic.path, "config"), topic.topic.config


@rule(
    "T006",
    ERROR,
    "Every setting is a topic-level setting of Kafka 3.2",
    why="The broker refuses an unknown one when the topic is made; broker settings (log.retention.ms) and those of "
    "later versions are unknown here.",
    fix="Take the suggested key; see `hdictl explain topics.*.config`.",
    source=_KAFKA,
)
def known_key(context: Context) -> Iterator[Problem]:
    for address, path, config in _configs(context):
        for key in config:
            setting = TOPIC_SETTINGS.get(key)
            if setting is None:
                # `log.retention.ms` is the broker's name for `retention.ms`.
                meant = did_you_mean(key.removeprefix("log."), TOPIC_SETTINGS)
                yield Problem(
                    address,
                    (*path, key),
                    f"`{shown(key)}` is not a topic setting of Kafka 3.2{meant}",
                    "take a topic-level key, or take the line away",
                )
            elif setting.is_internal:
                yield Problem(
                    address,
                    (*path, key),
                    f"`{key}` is set while partitions move, and never by hand",
                    "take the line away",
                )


@rule(
    "T007",
    ERROR,
    "Every setting has a value that Kafka takes",
    why="The broker refuses a value outside its range. Durations are written 3d, 12h or 90s; sizes 50MB or 1GiB.",
    fix="See `hdictl explain topics.*.config.KEY` for its range.",
    source=_KAFKA,
)
def known_value(context: Context) -> Iterator[Problem]:
    for address, path, config in _configs(context):
        for key, value in config.items():
            if value is None:
                continue
            try:
                to_canonical(key, value)
            except ValueError as error:
                message = str(error)
                yield Problem(
                    address,
                    (*path, key),
                    message if f"`{key}`" in message else f"`{key}`: {message}",
                    f"see `hdictl explain topics.*.config.{key}`",
                )


@rule(
    "T008",
    ERROR,
    "Unclean leader election stays off",
    why="It makes a replica the leader that lacks acknowledged records, and those are lost without a word.",
    fix="Take `unclean.leader.election.enable` away.",
    source=_KAFKA,
)
def unclean(context: Context) -> Iterator[Problem]:
    for topic in context.topics:
        if topic.settings.get("unclean.leader.election.enable") == "true":
            yield topic.problem(
                ("config", "unclean.leader.election.enable"),
                "may lose acknowledged records (unclean.leader.election.enable)",
                "take the line away",
            )


@rule(
    "T009",
    WARNING,
    "Compaction and retention do what they seem to do",
    why="On a compacted topic `retention.*` has no effect; with `compact,delete` and no retention of its own, even the "
    f"newest value of a key is gone after {BROKER_RETENTION}; on any other topic, the compactor's settings do nothing.",
    fix="Say `retention.ms: null` to drop a default, or set what is meant.",
    source=_KAFKA,
)
def compaction(context: Context) -> Iterator[Problem]:
    for topic in context.topics:
        policies, settings = topic.policies, topic.settings
        if policies == {"compact"}:
            for key in _RETENTION:
                if key in settings and settings[key] != "-1":
                    yield Problem(
                        topic.address,
                        (*topic.path, "config", key if topic.own("config", key) else "cleanup.policy"),
                        f"topic `{topic.key}` is compacted, so its {key} has no effect",
                        f"say `{key}: null`, or `cleanup.policy: compact,delete`",
                    )
        elif "compact" in policies and "retention.ms" not in settings:
            yield topic.problem(
                ("config", "cleanup.policy"),
                f"forgets even the newest value of a key after {BROKER_RETENTION} (compact,delete)",
                "set retention.ms, or `cleanup.policy: compact`",
            )
        elif "compact" not in policies:
            # Defaults may well speak of compaction: they are for the topics that are compacted.
            for key in _COMPACTION:
                if topic.own("config", key):
                    yield topic.problem(
                        ("config", key), f"is not compacted, so {key} has no effect", "set cleanup.policy, or drop it"
                    )


@rule(
    "T012",
    WARNING,
    "Messages fit what clients and followers fetch",
    why="Producers (max.request.size), followers (replica.fetch.max.bytes) and consumers (max.partition.fetch.bytes) "
    "begin at 1 MiB; a bigger max.message.bytes alone changes nothing for producers, and slows replication.",
    fix="Raise the clients' and the brokers' limits too and waive this, or keep big payloads in storage.",
    source="Apache Kafka 3.2: producer, consumer and broker configs",
)
def message_size(context: Context) -> Iterator[Problem]:
    for topic in context.topics:
        largest = int(topic.settings.get("max.message.bytes", 0))
        if largest > _LARGEST_FETCH:
            yield topic.problem(
                ("config", "max.message.bytes"),
                f"takes messages of {largest:,} bytes; clients and followers begin at 1,048,576",
                "raise max.request.size and replica.fetch.max.bytes too, or lower it",
            )
