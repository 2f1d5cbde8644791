"""Outcomes as rows of a table that reads well in a terminal and in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import median

from hdictl.rebalance.batches import batches, seconds
from hdictl.rebalance.plan import RebalancePlan
from tests.bench.rebalance_cases import Case
from tests.bench.rebalance_outcome import Outcome

_MOVES_OVER, _BYTES_OVER = 0.01, 0.02
_WIDE = 40
HEADINGS = (
    "instance", "seeds", "moves", "bound", "over", "GB", "bound", "over", "at these", "FD", "UD",
    "replicas", "leaders", "topic", "bytes", "led anew", "copying", "CPU s", "worst", "laws broken",
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

    @property
    def worst_at_moves(self) -> float | None:
        return max((o.over_at_moves for o in self.outcomes if o.over_at_moves is not None), default=None)

    def cells(self) -> list[str]:
        cpu = [f"{median(o.seconds for o in self.outcomes):.2f}", f"{self.worst_seconds:.2f}"]
        count = [self.case.name, str(len(self.outcomes))]
        if not self.plans:
            return [*count, "refused", *[""] * 14, *cpu, str(len(self.broken))]
        spreads = [made.spread for made in self.plans]
        return [
            *count,
            f"{median(made.moves for made in self.plans):,.0f}",
            f"{median(made.certificate.moves for made in self.plans):,.0f}",
            f"{self.worst_gap('moves'):.2%}",
            f"{median(made.bytes for made in self.plans) / 1e9:,.0f}",
            f"{median(made.certificate.bytes for made in self.plans) / 1e9:,.0f}",
            f"{self.worst_gap('bytes'):.2%}",
            "" if self.worst_at_moves is None else f"{self.worst_at_moves:.2%}",
            _from_to([outcome.fd for outcome in self.outcomes]),
            _from_to([outcome.ud for outcome in self.outcomes]),
            f"{max(spread.replicas for spread in spreads):.1f}",
            f"{max(spread.leaders for spread in spreads):.1f}",
            f"{max(spread.topic for spread in spreads):.1f}",
            f"{max(spread.bytes for spread in spreads):.0%}",
            f"{median(made.leader_changes for made in self.plans):,.0f}",
            f"{max(map(_copying, self.plans)):.2f} ×",
            *cpu,
            str(len(self.broken)),
        ]

    def missed(self) -> list[str]:
        """Targets, in words; laws are counted apart."""
        found = [
            *self._over("moves", _MOVES_OVER, [(o, o.plan.gap["moves"]) for o in self.outcomes if o.plan]),
            *self._over("bytes", _BYTES_OVER, [(o, o.plan.gap["bytes"]) for o in self.outcomes if o.plan]),
        ]
        most = self.case.seconds
        slow = [o.seconds for o in self.outcomes if most is not None and o.seconds > most]
        if slow:
            found.append(
                f"{len(slow)} of {len(self.outcomes)} plans took more than {most:g} s, the slowest {max(slow):.2f} s"
            )
        return found

    def _over(self, what: str, most: float, gaps: Sequence[tuple[Outcome, float]]) -> Iterator[str]:
        missing = [(outcome, gap) for outcome, gap in gaps if gap > most]
        if missing:
            worst, gap = max(missing, key=lambda pair: pair[1])
            at_moves = [outcome.over_at_moves for outcome, _ in missing if outcome.over_at_moves is not None]
            yield (
                f"{what} of {len(missing)} of {len(gaps)} plans more than {most:.0%} over the bound, "
                f"the worst {gap:.2%} (seed {worst.seed})"
                + (f"; no plan with as few moves saves more than {max(at_moves):.2%} of the bytes" if at_moves else "")
            )


def _copying(made: RebalancePlan) -> float:
    """How long the batches take, as a multiple of what the busiest broker needs for all that it receives or sends."""
    busiest = max((*(change.inbound for change in made.brokers), *(change.outbound for change in made.brokers)))
    return seconds(batches(made), rate=1) / busiest if busiest else 1.0


def _from_to(pairs: Sequence[tuple[int, int]]) -> str:
    """The median before, the worst after."""
    return f"{median(before for before, _ in pairs):,.0f} → {max(after for _, after in pairs):,}"


def line(cells: Iterable[str], widths: Sequence[int]) -> str:
    first, *rest = zip(cells, widths, strict=True)
    return " | ".join([f"| {first[0]:{first[1]}}", *(f"{cell:>{width}}" for cell, width in rest)]) + " |"


def head(headings: Sequence[str], widths: Sequence[int]) -> list[str]:
    rule = " | ".join([f"| {'-' * widths[0]}", *("-" * (width - 1) + ":" for width in widths[1:])]) + " |"
    return [line(headings, widths), rule]
