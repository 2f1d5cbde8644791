"""What is said with a plan: the constraints that its proof holds under, and what a person should know."""

from __future__ import annotations

import numpy as np

from hdictl.rebalance.domains import Known
from hdictl.rebalance.problem import Problem
from hdictl.rebalance.snapshot import Partition, Snapshot
from hdictl.rebalance.wishes import Wishes
from hdictl.stack.units import rounded_size


def constraints(problem: Problem, wishes: Wishes, known: Known) -> str:
    words = ["fault domains" if known.has_fd else "", "update domains" if known.has_ud else ""]
    if problem.is_partial:
        words.append("only partitions that break a rule move" if wishes.repair_only else "only named topics change")
    else:
        words.append("replicas of every broker within one of the fair share")
        words.append("" if wishes.global_only else "and of every topic on it")
        words.append(f"bytes within {_percent(wishes.balance_bytes)} of it" if wishes.balance_bytes is not None else "")
    words.append("room on disks" if any(broker.free is not None for broker in problem.brokers) else "")
    return ", ".join(word for word in words if word)


def notes(snapshot: Snapshot, problem: Problem) -> tuple[str, ...]:
    said = []
    behind = sum(not partition.is_in_sync for partition in snapshot.partitions)
    if behind:
        some = "1 partition has" if behind == 1 else f"{behind} partitions have"
        said.append(f"{some} replicas that are not in sync: `run` refuses to touch them until they are")
    strangers = {id for partition in snapshot.partitions for id in partition.replicas} - snapshot.broker_ids
    if strangers:
        names = ", ".join(map(str, sorted(strangers)))
        said.append(f"replicas lie on brokers that the snapshot does not have ({names}): they are moved away")
    share = problem.share.sum(axis=0)
    for broker, fair in zip(problem.brokers, share, strict=True):
        if fair < 1e-9 and len(problem.partitions):
            said.append(f"broker {broker.id} stays empty: no set of brokers with it keeps the domains apart")
    if len(set(np.round(share, 6))) > 1 and not problem.is_partial:
        said.append(_uneven(problem))
    said += [_too_large(problem, partition) for partition in problem.too_large]
    return tuple(note for note in said if note)


def _too_large(problem: Problem, partition: Partition) -> str:
    counts = problem.counted[problem.counted < problem.units].max() * problem.unit
    return (
        f"{partition.topic}/{partition.partition} ({rounded_size(partition.size)}) is larger than a broker's window on "
        f"bytes takes: it counts as {rounded_size(counts)}, and brokers that hold it stay out of theirs; more "
        "partitions, or a shorter retention, would make it smaller"
    )


def _uneven(problem: Problem) -> str:
    crowd = {fd: sum(broker.fd == fd for broker in problem.brokers) for fd in {b.fd for b in problem.brokers}}
    least = min(crowd, key=lambda fd: (crowd[fd], fd or 0))
    if crowd[least] == max(crowd.values()):
        return ""
    more = max(crowd.values()) / crowd[least] - 1
    has = "1 broker" if crowd[least] == 1 else f"{crowd[least]} brokers"
    return (
        f"fault domain {least} has {has}, others up to {max(crowd.values())}: what is there carries up to "
        f"{_percent(more)} more; a broker more in it would even that out"
    )


def _percent(part: float) -> str:
    return f"{part * 100:.0f} %"
