"""`make bench-rebalance`: plans for hundreds of clusters, held against their proven bounds, the laws and the peers.

    python -m tests.bench.rebalance [--quick] [--only TEXT] [--seeds N] [--large] [--jobs N] [--out FILE]

Every row is printed as it is done; `--out` keeps them as Markdown. A broken law ends it with 1, a missed target does
not: figures depend on the machine. Seconds are seconds of CPU.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import groupby
from pathlib import Path

from tests.bench.rebalance_cases import Case, cases
from tests.bench.rebalance_outcome import outcomes
from tests.bench.rebalance_page import page
from tests.bench.rebalance_peers import peer_tables
from tests.bench.rebalance_table import HEADINGS, WIDTHS, Row, head, line

_QUICK_SEEDS = 2


def main() -> int:
    options = _options()
    rows: list[Row] = []
    with ProcessPoolExecutor(options.jobs) as pool:
        for group, members in groupby(_chosen(options), key=lambda case: case.group):
            print(f"\n## {group}\n", *head(HEADINGS, WIDTHS), sep="\n", flush=True)
            for row in pool.map(partial(_row, seeds=options.seeds), members):
                print(line(row.cells(), WIDTHS), flush=True)
                rows.append(row)
                if options.out:  # a run that is broken off leaves what it has
                    options.out.write_text(page(rows), encoding="utf-8")
    print(*peer_tables(rows), sep="\n")
    broken = [f"{row.case.name}: {law}" for row in rows for law in row.broken]
    missed = [f"{row.case.name}: {target}" for row in rows for target in row.missed()]
    plans = sum(len(row.plans) for row in rows)
    _print_list(f"{plans} plans, {len(broken)} broken laws", broken)
    _print_list(f"{len(missed)} missed targets", missed)
    return 1 if broken else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make bench-rebalance", description="Plans against bounds, laws and peers.")
    parser.add_argument("--seeds", type=int, help="of every case, instead of 20 or 3 by size")
    parser.add_argument("--only", default="", metavar="TEXT", help="cases with this in their name or group")
    parser.add_argument("--quick", action="store_true", help="360 partitions only, two seeds each")
    parser.add_argument("--large", action="store_true", help="100,000 partitions on 60 brokers too, once")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="cases at a time")
    parser.add_argument("--out", type=Path, metavar="FILE", help="keep the tables as Markdown")
    options = parser.parse_args()
    options.seeds = options.seeds or (_QUICK_SEEDS if options.quick else None)
    return options


def _chosen(options: argparse.Namespace) -> list[Case]:
    return [
        case
        for case in cases(has_large=options.large)
        if options.only in f"{case.group}: {case.name}" and (not options.quick or case.group.startswith("360 "))
    ]


def _row(case: Case, seeds: int | None) -> Row:
    return Row(case, tuple(outcomes(case, case.seeds if case.refusal else seeds or case.seeds)))


def _print_list(title: str, lines: list[str]) -> None:
    print(f"\n{title}", *(f"  {text}" for text in lines), sep="\n", flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
