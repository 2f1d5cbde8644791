"""What a pipeline's queries are and what a change means for their checkpoints, without data and without Kafka."""

from __future__ import annotations

from typing import Any, Mapping

from pyspark.sql import SparkSession

from streamkit import sidecar
from streamkit.flow import Query, assemble
from streamkit.guard import describe, read_note, sources_of, without_note
from streamkit.sidecar import Difference, Sidecar
from streamkit.signature import require_streamable
from streamkit.sinks import require_formats, written
from streamkit.sources import read_nothing
from streamkit.spec import Spec


def analyse(spark: SparkSession, spec: Spec, against: Mapping[str, str], topics: Mapping[str, str]) -> dict[str, Any]:
    """`against`: query → the note beside its checkpoint; empty where a checkpoint has none.
    `topics`: topic → its id, as far as somebody has asked."""
    require_formats(spark, spec)
    found = []
    all_topics: dict[str, str | None] = {
        topic: topics.get(topic) for source in spec.sources.values() for topic in source.kafka.topics
    }
    for query in assemble(spark, spec, read_nothing):
        require_streamable(query.rows, query.name)
        written(query, spec)
        now = describe(spark, spec, query, all_topics, None)
        differences = _compared(against.get(query.name), now)
        found.append(
            {
                "query": query.name,
                "role": query.role,
                "columns": {name: kind for name, kind in query.rows.dtypes if not name.startswith("_")},
                "operators": now.operators,
                "sink": now.sink,
                "verdict": sidecar.verdict(differences) if query.name in against else "new",
                "differences": sidecar.to_document(differences),
                "warnings": _unlimited(spec, query) if now.operators else [],
            }
        )
    known = {each["query"] for each in found}
    return {"spark": spark.version, "queries": found, "gone": sorted(set(against) - known)}


def _unlimited(spec: Spec, query: Query) -> list[str]:
    """Of a query with state: without state a large micro-batch takes its time, and no more."""
    return [
        f"`{name}` is read without max_offsets_per_trigger: after an outage one micro-batch takes all that came "
        "meanwhile, and the state of it; set some seconds' work, on the source or on the job"
        for name in sources_of(spec, query)
        if spec.sources[name].max_offsets_per_trigger is None
    ]


def _compared(note: str | None, now: Sidecar) -> list[Difference]:
    if note is None:
        return []
    if not note:  # as the job itself would say
        return [Difference(sidecar.NEW_CHECKPOINT, without_note(now.query), "nobody knows what it belongs to")]
    return sidecar.compare(read_note(now.query, note), now)
