"""Topics."""

from __future__ import annotations

from tests.unit.stack.cases.case import BOTH, KAFKA, TWO_KAFKAS, Case


def _topics(rest: str, head: str = KAFKA) -> str:
    return f"{head}topics:\n{rest}\n"


def _config(setting: str) -> str:
    return _topics(f"  t:\n    config:\n      {setting}")


TOPICS = (
    Case("T001", _topics("  '[[a b|a-b]]': {}")),
    Case("T001", _topics("  t: {name: '[[..|a]]'}")),
    Case("T001", _topics("  t: {name: [[" + "t" * 3000 + "|t]]}"), says="3000 characters"),
    Case("T002", _topics("  t: {partitions: [[2|3]]}"), says="topic `t` has 2 partitions"),
    Case(
        "T002",
        _topics("  defaults: {partitions: [[1|3]]}\n  t: {}\n  u: {}"),
        says="`topics.defaults` has 1 partition,",
    ),
    Case("T003", _topics("  t: {replication: [[2|3]]}")),
    Case("T004", _config("min.insync.replicas: [[1|2]]")),
    Case("T004", _config("min.insync.replicas: [[3|2]]"), says="wants 3 replicas in sync and has 3"),
    Case(
        "T004",
        _topics("  t: {replication: [[1|3]]}"),
        says="wants 2 replicas in sync and has 1: nothing can be written",
    ),
    Case("T004", _topics("  defaults:\n    config: {min.insync.replicas: [[3|2]]}\n  t: {}"), says="`topics.defaults`"),
    Case("T005", _topics("  t: {replication: [[5|4]]}"), says="`k` has 4 brokers"),
    Case(
        "T005",
        "stack: demo\nclusters: {k: {kind: kafka, local: {brokers: [[2|3]]}}}\ntopics:\n  t: {} # here\n",
        says="on the target local",
    ),
    Case("T006", _config("[[retention: 3d|retention.ms: 3d]]"), says="did you mean `retention.ms`?"),
    Case("T006", _config("[[log.retention.ms|retention.ms]]: 3d"), says="did you mean `retention.ms`?"),
    Case("T006", _config("[[leader.replication.throttled.replicas: '*'|retention.ms: 3d]]"), says="never by hand"),
    Case("T007", _config("retention.ms: [[3 fortnights|3d]]")),
    Case("T007", _config("segment.bytes: [[3|1GiB]]"), says="from 14 to"),
    Case("T007", _config("compression.type: [[lz5|lz4]]"), says="did you mean `lz4`?"),
    Case("T007", _config("retention.ms: [[" + "9" * 3000 + "d|9d]]")),
    Case("T008", _config("unclean.leader.election.enable: [[true|false]]")),
    Case(
        "T009",
        _topics("  t:\n    config:\n      cleanup.policy: [[compact|delete]]\n      retention.ms: 3d # here"),
        says="retention.ms has no effect",
    ),
    Case(
        "T009",
        _topics("  t:\n    config:\n      cleanup.policy: compact,delete # here\n      [[|retention.ms: 3d]]"),
        says="forgets even the newest",
    ),
    Case(
        "T009",
        _topics(
            "  t:\n    config:\n      cleanup.policy: [[delete|compact]]\n      min.cleanable.dirty.ratio: 0.3 # here"
        ),
        says="is not compacted",
    ),
    Case("T011", _topics("  t: {partitions: [[9000|6]]}").replace("kafka}}", "kafka}} # here"), says="6,750 replicas"),
    Case("T012", _config("max.message.bytes: [[5MB|1MB]]")),
    Case("T013", _topics("  [[__consumer_offsets|consumer-offsets]]: {}")),
    Case("T013", _topics("  [[k.checkpoints.internal|checkpoints]]: {}")),
    Case("T016", _topics("  t: {cluster: [[kk|k]]}"), says="is not declared"),
    Case("T016", _topics("  t: {cluster: [[s|k]]}", BOTH), says="is not a Kafka cluster"),
    Case("T016", _topics("  defaults: {cluster: [[kk|k]]}"), says="topics.defaults"),
    Case("T017", _topics("  t: {[[|cluster: k]]}", TWO_KAFKAS), says="there are 2: k, l"),
    Case(
        "T017",
        "stack: demo\nclusters: {k: {kind: [[spark|kafka]]}}\ntopics: # here\n  t: {}\n",
        says="no Kafka cluster",
    ),
    Case("T018", _topics("  t: {}\n  u: {name: [[t|u]]}")),
    Case("T019", KAFKA + "topics: {t: {}}\ndeleted:\n  [[t|u]]: {}\n"),
    Case("T020", _topics("  t:\n    schema: [[missing.avsc|good.avsc]]"), says="does not exist"),
    Case("T020", _topics("  t:\n    schema: [[bad.avsc|good.avsc]]"), says="is not an Avro schema"),
    Case("T021", _topics("  a.b: {}\n  [[a_b|a-b]]: {}")),
    Case("D001", TWO_KAFKAS + "deleted:\n  t: {[[|cluster: k]]}\n"),
    Case("D001", KAFKA + "deleted:\n  t: {cluster: [[other|k]]}\n"),
)
