"""What each topic-level setting is for, in a sentence, and what a topic has when nobody says it."""

from __future__ import annotations

from typing import NamedTuple


class Words(NamedTuple):
    default: str  # of Kafka 3.2 as HDInsight runs it
    description: str


TOPIC_SETTING_WORDS: dict[str, Words] = {
    "cleanup.policy": Words(
        "delete", "What happens to old records: delete (by retention), compact (the newest of each key stays), or both."
    ),
    "compression.type": Words("producer", "How batches are stored; producer keeps what the producer chose."),
    "delete.retention.ms": Words("1d", "How long a compacted topic keeps the marker of a deleted key."),
    "file.delete.delay.ms": Words("1m", "How long a deleted segment stays on disk."),
    "flush.messages": Words("never", "Records after which the log is forced to disk; leave it to replication."),
    "flush.ms": Words("never", "Time after which the log is forced to disk; leave it to replication."),
    "follower.replication.throttled.replicas": Words("none", "Set while partitions move."),
    "index.interval.bytes": Words("4KiB", "Bytes between two entries of the offset index."),
    "leader.replication.throttled.replicas": Words("none", "Set while partitions move."),
    "max.compaction.lag.ms": Words("unlimited", "The longest a record may stay uncompacted."),
    "max.message.bytes": Words("1048588", "The largest batch of records that the broker takes."),
    "message.downconversion.enable": Words("true", "Whether old consumers may be served old formats."),
    "message.format.version": Words("3.0-IV1", "Format of stored records; without effect on Kafka 3 and later."),
    "message.timestamp.difference.max.ms": Words(
        "unlimited", "The largest difference between a record's time and the broker's."
    ),
    "message.timestamp.type": Words(
        "CreateTime", "Whose clock a record carries: the producer's (CreateTime) or the broker's."
    ),
    "min.cleanable.dirty.ratio": Words("0.5", "Share of the log that must be uncompacted before compaction begins."),
    "min.compaction.lag.ms": Words("0", "The shortest a record stays uncompacted."),
    "min.insync.replicas": Words(
        "2 (HDInsight's brokers)", "Replicas that must have a record before a producer with acks=all is told so."
    ),
    "preallocate": Words("false", "Whether a segment's file gets its full size at once."),
    "retention.bytes": Words("unlimited", "Size of a partition above which the oldest segments go; -1 is unlimited."),
    "retention.ms": Words("7d", "Age above which segments go; -1 is unlimited."),
    "segment.bytes": Words("1GiB", "Size at which a new segment begins."),
    "segment.index.bytes": Words("10MiB", "Size of the offset index of a segment."),
    "segment.jitter.ms": Words("0", "Random delay of new segments, so that not all begin at once."),
    "segment.ms": Words("7d", "Age at which a new segment begins, full or not."),
    "unclean.leader.election.enable": Words(
        "false", "Whether a replica that lacks records may become leader; loses data."
    ),
}
