"""How far brokers are from their fair share, counted anew. The shares themselves are the plan's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tests.bench.rebalance_judged import Judged
from tests.bench.rebalance_large import too_large

_ONE = 1.002  # fair shares in a plan have three decimals


def balance(judged: Judged) -> Iterator[str]:
    """Replicas and leaders of every broker, and every topic on it, within one of the fair share; bytes in theirs."""
    if judged.is_partial:
        return
    said = {(violation.rule, violation.where) for violation in judged.plan.violations}
    excused = _with_too_large(judged)
    for rule, where, load, fair, most in (*_off_brokers(judged), *_off_topics(judged)):
        may_be = rule in judged.may_leave or (rule, where) in excused
        if abs(load - fair) > most and not (may_be and (rule, where) in said):
            yield f"{rule} of {where}: {load:,}, its fair share is {fair:,.1f}"


def _with_too_large(judged: Judged) -> set[tuple[str, str]]:
    """Brokers that hold a partition which fits into no window."""
    return {("bytes", f"broker {id}") for partition in too_large(judged) for id in judged.plan.placement[partition.key]}


_Load = tuple[str, str, int, float, float]  # rule, where, what is there, what would be fair, how far off it may be


def _off_brokers(judged: Judged) -> Iterator[_Load]:
    replicas: Counter[int] = Counter()
    leaders: Counter[int] = Counter()
    bytes_: Counter[int] = Counter()
    for partition, after in judged.pairs:
        replicas.update(after)
        leaders[after[0]] += 1
        bytes_.update(dict.fromkeys(after, partition.size))
    for change in judged.plan.brokers:
        id, where = change.broker.id, f"broker {change.broker.id}"
        yield "replicas", where, replicas[id], change.fair_replicas, _ONE
        yield "leaders", where, leaders[id], change.fair_leaders, _ONE
        if judged.wishes.balance_bytes is not None:
            most = judged.wishes.balance_bytes * change.fair_bytes
            yield "bytes", where, bytes_[id], change.fair_bytes, most * 1.00001 + 1


def _off_topics(judged: Judged) -> Iterator[_Load]:
    """With one replication factor, a topic's fair share is its part of the broker's."""
    factors = {len(after) for _, after in judged.pairs}
    if judged.wishes.global_only or len(factors) > 1:
        return
    counts: dict[str, Counter[int]] = {}
    partitions: Counter[str] = Counter()
    for partition, after in judged.pairs:
        counts.setdefault(partition.topic, Counter()).update(after)
        partitions[partition.topic] += 1
    for topic, count in counts.items():
        for change in judged.plan.brokers:
            fair = change.fair_replicas * partitions[topic] / len(judged.pairs)
            yield "topic", f"{topic} on {change.broker.id}", count[change.broker.id], fair, _ONE
