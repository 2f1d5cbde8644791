"""Jobs, mirrors, waivers."""

from __future__ import annotations

from tests.unit.stack.cases.case import BOTH, KAFKA, TWO_KAFKAS, Case, network


def _job(rest: str) -> str:
    return BOTH + f"topics: {{in: {{}}, out: {{}}}}\njobs:\n  j:\n    pipeline: p\n    {rest}\n"


_ACROSS = network(
    "  westeurope: {address_space: 10.0.0.0/16, subnets: {k: 10.0.1.0/24}}\n"
    "  northeurope: {address_space: 10.1.0.0/16, subnets: {s: 10.1.1.0/24, k: 10.1.2.0/24}}\n",
    "\n  k: {kind: kafka[[|, location: northeurope]]}\n  w: {kind: spark, subnet: k}\n"
    "  s: {kind: spark, location: northeurope}\n",
    "topics: {in: {}}\njobs:\n  j: {pipeline: p, cluster: s, reads: {i: in}} # here\n",
)

JOBS = (
    Case("T014", _job("cluster: s\n    reads: {i: [[inn|in]]}"), says="did you mean `in`?"),
    Case("J001", _job("reads: {i: in}\n    cluster: [[k|s]]"), says="is not a Spark cluster"),
    Case("J001", _job("reads: {i: in}\n    cluster: [[x|s]]"), says="is not declared"),
    Case("J002", _job("cluster: s\n    reads: {i: in}").replace("pipeline: p", "pipeline: [[../p|p]]")),
    Case("J003", _job("cluster: s\n    reads: {i: in}\n    writes: {o: [[in|out]]}")),
    Case("J004", _ACROSS, says="runs in northeurope"),
    Case("J005", _job("cluster: s\n    [[|reads: {i: in}]]").replace("  j:\n", "  j: # here\n")),
)


def _mirror(rest: str) -> str:
    return f"{TWO_KAFKAS}topics: {{t: {{cluster: k}}}}\nmirrors:\n  m: {rest}\n"


MIRRORS = (
    Case(
        "M005",
        _mirror("{from: k, to: l, policy: identity} # here\n  n: {from: l, to: k, policy: [[identity|default]]}"),
    ),
    Case("M020", _mirror("{from: k, to: [[k|l]]}")),
    Case("M021", _mirror("{from: k, to: [[ll|l]]}"), says="is not declared"),
    Case("M022", _mirror("{from: k, to: l, nodes: [[1|2]]}")),
    Case("M023", _mirror("{from: k, to: l, topics: ['[[*|.*]]']}")),
    Case("M024", _mirror("{from: k, to: l, topics: ['[[tt|t]]']}"), says="did you mean `t`?"),
    Case("M025", _mirror("{from: k, to: l}\n  n: {from: [[k|l]], to: [[l|k]]}")),
)

WAIVERS = (
    Case("W001", KAFKA + "waivers: {[[w: {rule: T999, reason: because}|]]}\n", says="`T999` is not a rule"),
    Case("W001", KAFKA + "waivers: {[[w: {rule: S001, reason: because}|]]}\n", says="cannot be waived"),
    Case(
        "W002",
        KAFKA + "waivers: {[[w: {rule: T002, reason: because, until: 2020-01-01}|]]}\n",
        says="ended on 2020-01-01",
    ),
    Case("W003", KAFKA + "waivers: {[[w: {rule: T002, reason: because}|]]}\n", says="waives nothing"),
)
