"""One case, planned for seed by seed: what each plan costs, and which laws it breaks."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

from hdictl.errors import HdictlError
from hdictl.rebalance.plan import RebalancePlan
from hdictl.rebalance.planner import plan
from hdictl.rebalance.snapshot import Snapshot
from tests.bench.rebalance_again import broken_by_another_plan
from tests.bench.rebalance_cases import Case
from tests.bench.rebalance_judged import Judged
from tests.bench.rebalance_laws import broken_laws
from tests.bench.rebalance_relaxed import Bounded, bounded, can_keep_windows

FIRST_SEED = 100  # the planner was tuned on those below
_REPEATED_SEEDS = 3  # that are planned for twice
_REPEATED_BELOW = 30.0  # seconds: longer plans are not

_RELAXED_COLUMNS = 16_000  # beyond, a second model takes longer than the plan


@dataclass(frozen=True)
class Outcome:
    seed: int
    seconds: float  # of CPU
    broken: tuple[str, ...]
    plan: RebalancePlan | None = None  # None: refused, or failed
    fd: tuple[int, int] = (0, 0)  # partitions that lack fault domains: before, after
    ud: tuple[int, int] = (0, 0)
    over_at_moves: float | None = None  # bytes, over the fewest of any plan with no more moves; None: not reckoned


def outcomes(case: Case, seeds: int) -> Iterator[Outcome]:
    for seed in range(FIRST_SEED, FIRST_SEED + seeds):
        yield outcome(case, seed)


def outcome(case: Case, seed: int) -> Outcome:
    start = case.make(seed)
    began = time.process_time()
    try:
        made = plan(start, case.wishes)
    except HdictlError as refusal:
        is_wanted = case.refusal is not None and isinstance(refusal, case.refusal)
        return Outcome(seed, time.process_time() - began, () if is_wanted else (f"refused: {refusal}",))
    except Exception as crash:  # a bench of hundreds of plans goes on
        return Outcome(seed, time.process_time() - began, (f"crashed: {crash!r}",))
    seconds = time.process_time() - began
    if case.refusal is not None:
        return Outcome(seed, seconds, (f"planned: {case.refusal.__name__} was wanted",), made)
    judged = _judged(case, start, made)
    is_repeated = seed < FIRST_SEED + _REPEATED_SEEDS and seconds < _REPEATED_BELOW
    broken = (*broken_laws(judged), *broken_by_another_plan(judged, is_repeated=is_repeated))
    bounds = bounded(judged) if case.is_regular and _is_small(judged) else Bounded((), None)
    broken += bounds.broken
    before = judged.domains.violations([partition.replicas for partition in start.partitions])
    after = judged.domains.violations([replicas for _, replicas in judged.pairs])
    return Outcome(seed, seconds, broken, made, (before[0], after[0]), (before[1], after[1]), bounds.over_at_moves)


def _judged(case: Case, start: Snapshot, made: RebalancePlan) -> Judged:
    """A window that no plan can keep may be left."""
    judged = Judged(start, case.wishes, made, case.may_leave)
    is_left = any(law.startswith("balance: bytes") for law in broken_laws(judged))
    if is_left and case.is_regular and _is_small(judged) and not can_keep_windows(judged):
        return replace(judged, may_leave=judged.may_leave | {"bytes"})
    return judged


def _is_small(judged: Judged) -> bool:
    return len(judged.start.partitions) * len(judged.start.brokers) <= _RELAXED_COLUMNS
