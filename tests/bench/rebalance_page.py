"""docs/rebalance-bench.md, from the rows of a run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from tests.bench.rebalance_peers import peer_tables
from tests.bench.rebalance_table import HEADINGS, WIDTHS, Row, head, line

_READ = """\
# How good rebalance plans are

Written by `make bench-rebalance` (`python -m tests.bench.rebalance --large --out docs/rebalance-bench.md`): the
planner alone, on clusters made from seeds, without brokers. How plans are carried out is [elsewhere](rebalance.md).

**Clusters.** Virtual machine *i* is in fault domain *i* mod 3 and update domain *i* mod 5, as Azure deals them out.
Topics have 12 partitions (50 from 10,000 partitions on), three replicas, and log-normal sizes around 2 GB a partition.
*6→9* is six brokers that hold everything and three new, empty ones. The start is *compliant* (fault and update domains
apart, even over the old brokers), *unaware* (Kafka's own placement without racks: HDInsight's default) or *rack*
(Kafka's own with broker.rack = fault domain).

**Constraints**, the same for every plan and its bound unless the row says otherwise: replication factors stay; fault
and update domains apart; replicas and leaders of every broker, and replicas of every topic on it, within one of the
fair share; where the row says ±10 %, also bytes of every broker within a tenth of its fair share. A single partition
can be larger than that window: then it counts as less, the brokers that hold it stay out of theirs, and the plan says
so.

**Columns.** *moves* and *GB* are medians over the seeds, each beside the median of its proven *bound*: no plan under
the same constraints moves less. *over* is how far the worst of the plans is above its own bound. The two bounds are
proven apart, and bytes and moves can be at odds: a plan that is near both need not exist. *at these* is therefore how
far the worst plan's bytes are above the least of any plan with no more moves than it has: at 0 % it cannot be better in
bytes without being worse in moves. *FD* and *UD* count partitions with fewer fault or update domains than they could
have: the median before → the worst after. *replicas*, *leaders*, *topic* and *bytes* are the farthest that any broker
of any plan is from its fair share. *led anew*: partitions with another preferred leader. *copying*: batches wait for
their last; how long they take in the worst plan, as a multiple of what its busiest broker needs for its own bytes.
*CPU s*: the median, and *worst*, of one plan, on a machine of two cores that did other work besides. *laws broken*: see
below.

**How far to trust them.** Weights and tolerances of the planner were chosen while looking at other seeds (0 to 8) of
the same kinds of clusters; those below are seeds from 100 on, which nothing was tuned on. Earlier runs on them showed
faults, which were then looked into and mended: broken laws at seeds 100 and 102 of 20→30 ±10 %, 111 of 12→16 ±10 %
and 108 of 6→8 ±10 %, a plan far from its bound at seed 100 of 12→16 ±10 %. At seed 111 it was the law that was mended:
the second model proves that no plan keeps that window, and then it may be left. Clusters of another kind may fare
worse. Sizes within a topic are spread by a sigma of 0.6, which is a guess: percentages over the bound compare with
figures from elsewhere, GB do not.

**Laws.** Each plan is counted anew by code of its own (`tests/bench/rebalance_laws.py`), but against the fair shares
that the plan itself states:
replication kept, no broker twice, only known brokers, drained ones empty, replicas that stay keep their order, the most
domains that any set of brokers has, loads within one of the fair share, bytes in their window, disks not overfilled,
costs as stated and not below the bound, a second plan on the result with 0 moves, and the same plan to the byte when it
is made twice (three seeds of each row, up to 30 s). Up to 16,000 partitions × brokers, bounds are also held against
those of a second, independent model (`tests/bench/rebalance_relaxed.py`), unless bytes had to leave their window.
"""

_PEERS = """\
## Beside the peers

Figures of peers are from inputs of the same kind with **other seeds and sizes**, one seed each, planning only; moves
and violations compare well, GB roughly. Columns as peers were measured: replicas and leaders per broker from least to
most, *topic* the most that two brokers differ in replicas of one topic, *bytes* the most and the least of a broker as
parts of the mean. What a row buys differs: few moves that leave 100 violations, or brokers with 12 to 174 replicas, are
no better plan than more moves that leave neither. `rebalance_rackaware.py` is Microsoft's tool for HDInsight.
"""


def page(rows: Sequence[Row]) -> str:
    return "\n".join(_lines(rows)) + "\n"


def _lines(rows: Sequence[Row]) -> Iterator[str]:
    yield _READ
    yield "## Missed targets"
    yield ""
    yield from _missed(rows)
    for group, members in groupby(rows, key=lambda row: row.case.group):
        yield from ("", f"## {group}", "", *head(HEADINGS, WIDTHS))
        yield from (line(row.cells(), WIDTHS) for row in members)
    yield ""
    yield _PEERS.rstrip()
    yield from peer_tables(rows)


def _missed(rows: Sequence[Row]) -> Iterator[str]:
    """Plainly, and first."""
    plans = sum(len(row.plans) for row in rows)
    broken = [f"- {row.case.name}, {law}" for row in rows for law in row.broken]
    missed = [f"- {row.case.name}: {target}" for row in rows for target in row.missed()]
    yield (
        f"Targets: moves at most 1 % and bytes at most 2 % over the bound; 0.5 s of CPU at 360 partitions, 10 s at "
        f"10,000, 40 s there with a window on bytes. Of {plans} plans, {len(broken)} laws are broken"
        f"{':' if broken else '.'}"
    )
    if broken:
        yield from ("", *broken)
    yield ""
    yield from missed or ["No target is missed."]
