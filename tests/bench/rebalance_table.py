"""Outcomes as rows of a table that reads well in a terminal and in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import median

from hdictl.rebalance.plan import RebalancePlan
from tests.bench.rebalance_cases import Case
from tests.bench.rebalance_outcome import Outcome

_MOVES_OVER, _BYTES_OVER = 0.01, 0.02
_WIDE = 40
HEADINGS = (
    "instance", "seeds", "moves", "bound", "over", "GB", "bound", "over", "FD", "UD",
    "replicas", "leaders", "topic", "bytes", "led anew", "CPU s", "worst", "laws broken",
)  # fmt: skip


def widths_of(headings: Sequence[str]) -> list[int]:
    return [_WIDE, *(max(7, len(heading)) for heading in headings[1:])]


WIDTHS = widths_of(HEADINGS)


@dataclass(frozen=True)
class Row:
    case: Case
    outcomes: tuple[Outcome, ...]

    @cached_property
    def plans(self) -> list[RebalancePlan]:
        return [outcome.plan for outcome in self.outcomes if outcome.plan is not None]

    @property
    def broken(self) -> list[str]:
        return [f"seed {outcome.seed}: {law}" for outcome in self.outcomes for law in outcome.broken]

    @property
    def worst_seconds(self) -> float:
        return max(outcome.seconds for outcome in self.outcomes)

    def worst_gap(self, of: str) -> float:
        return max(made.gap[of] for made in self.plans)

    def cells(self) -> list[str]:
        seconds = [f"{median(o.seconds for o in self.outcomes):.2f}", f"{self.worst_seconds:.2f}"]
        count = [self.case.name, str(len(self.outcomes))]
        if not self.plans:
            return [*count, "refused", *[""] * 12, *seconds, str(len(self.broken))]
        spreads = [made.spread for made in self.plans]
        return [
            *count,
            f"{median(made.moves for made in self.plans):,.0f}",
            f"{median(made.certificate.moves for made in self.plans):,.0f}",
            f"{self.worst_gap('moves'):.2%}",
            f"{median(made.bytes for made in self.plans) / 1e9:,.0f}",
            f"{median(made.certificate.bytes for made in self.plans) / 1e9:,.0f}",
            f"{self.worst_gap('bytes'):.2%}",
            _from_to([outcome.fd for outcome in self.outcomes]),
            _from_to([outcome.ud for outcome in self.outcomes]),
            f"{max(spread.replicas for spread in spreads):.1f}",
            f"{max(spread.leaders for spread in spreads):.1f}",
            f"{max(spread.topic for spread in spreads):.1f}",
            f"{max(spread.bytes for spread in spreads):.0%}",
            f"{median(made.leader_changes for made in self.plans):,.0f}",
            *seconds,
            str(len(self.broken)),
        ]

    def missed(self) -> list[str]:
        """Targets, in words; laws are counted apart."""
        found = []
        for of, most in (("moves", _MOVES_OVER), ("bytes", _BYTES_OVER)) if self.plans else ():
            over = {o.seed: o.plan.gap[of] for o in self.outcomes if o.plan and o.plan.gap[of] > most}
            if over:
                seed = max(over, key=over.__getitem__)
                found.append(
                    f"{of}: {len(over)} of {len(self.plans)} plans more than {most:.0%} over the bound, "
                    f"the worst {over[seed]:.2%} (seed {seed})"
                )
        if self.case.seconds is not None:
            slow = [o.seconds for o in self.outcomes if o.seconds > self.case.seconds]
            if slow:
                found.append(
                    f"time: {len(slow)} of {len(self.outcomes)} plans took more than {self.case.seconds:g} s of CPU, "
                    f"the slowest {max(slow):.2f} s"
                )
        return found


def _from_to(pairs: Sequence[tuple[int, int]]) -> str:
    """The median before, the worst after."""
    return f"{median(before for before, _ in pairs):,.0f} → {max(after for _, after in pairs):,}"


def line(cells: Iterable[str], widths: Sequence[int]) -> str:
    first, *rest = zip(cells, widths, strict=True)
    return " | ".join([f"| {first[0]:{first[1]}}", *(f"{cell:>{width}}" for cell, width in rest)]) + " |"


def head(headings: Sequence[str], widths: Sequence[int]) -> list[str]:
    rule = " | ".join([f"| {'-' * widths[0]}", *("-" * (width - 1) + ":" for width in widths[1:])]) + " |"
    return [line(headings, widths), rule]
