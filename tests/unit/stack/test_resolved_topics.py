from __future__ import annotations

from hdictl.stack.topics import deleted_topics, resolved_topics
from tests.unit.stack.stacks import loaded


def test_defaults_are_filled_in(tmp_path):
    text = (
        "stack: d\nclusters: {a: {kind: kafka}, b: {kind: kafka}}\ntopics:\n"
        "  defaults: {cluster: a, partitions: 6, config: {retention.ms: 1d, compression.type: lz4}}\n"
        "  plain:\n  own: {name: other, cluster: b, partitions: 9, replication: 4, config: {retention.ms: null}}\n"
        "deleted: {gone: ~, far: {cluster: b}}\n"
    )
    stack = loaded(tmp_path, text).stack
    plain, own = resolved_topics(stack)
    assert (plain.address, plain.partitions, plain.replication) == ("topic:a/plain", 6, 3)
    assert plain.config == {"retention.ms": "86400000", "compression.type": "lz4"}
    assert (own.key, own.address, own.partitions, own.replication) == ("own", "topic:b/other", 9, 4)
    assert own.config == {"compression.type": "lz4"}
    assert deleted_topics(stack) == (("a", "gone"), ("b", "far"))


def test_the_only_kafka_cluster_needs_no_name(tmp_path):
    stack = loaded(tmp_path, "stack: d\nclusters: {a: {kind: kafka}, s: {kind: spark}}\ntopics: {t: ~}\n").stack
    assert [topic.cluster for topic in resolved_topics(stack)] == ["a"]
