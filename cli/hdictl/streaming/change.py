"""What a change of a pipeline means for its checkpoints. The rules are in jobs/streamkit/sidecar.py: one place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

NEW, IN_PLACE, NEW_CHECKPOINT, FORBIDDEN = "new", "in_place", "new_checkpoint", "forbidden"
_ORDER = (NEW, IN_PLACE, NEW_CHECKPOINT, FORBIDDEN)


@dataclass(frozen=True)
class Difference:
    verdict: str
    what: str
    why: str


@dataclass(frozen=True)
class QueryChange:
    query: str
    role: str
    verdict: str
    sink: str
    columns: Mapping[str, str]
    operators: tuple[str, ...]
    differences: tuple[Difference, ...]
    warnings: tuple[str, ...] = ()  # what no checkpoint minds, and somebody will


@dataclass(frozen=True)
class PipelineChange:
    spark: str
    queries: tuple[QueryChange, ...]
    gone: tuple[str, ...]  # checkpoints of queries that there are no more

    @property
    def verdict(self) -> str:
        return max((query.verdict for query in self.queries), key=_ORDER.index, default=NEW)


def to_change(found: Mapping[str, Any]) -> PipelineChange:
    return PipelineChange(
        spark=found["spark"],
        queries=tuple(
            QueryChange(
                query=each["query"],
                role=each["role"],
                verdict=each["verdict"],
                sink=each["sink"],
                columns=each["columns"],
                operators=tuple(each["operators"]),
                differences=tuple(Difference(**difference) for difference in each["differences"]),
                warnings=tuple(each["warnings"]),
            )
            for each in found["queries"]
        ),
        gone=tuple(found["gone"]),
    )
