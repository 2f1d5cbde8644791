"""A job as data frames: what each of its queries puts out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Callable

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.utils import AnalysisException, ParseException

from streamkit.decode import dead, valid
from streamkit.errors import JobError
from streamkit.event_time import with_event_time
from streamkit.sources import Reader
from streamkit.spec import Sink, Source, Spec
from streamkit.tables import read_table
from streamkit.transform import first_line, transformed

OUTPUT, DEAD_LETTERS = "output", "dead_letters"


@dataclass(frozen=True)
class Query:
    """One streaming query. `role` says whether it is a flow of the pipeline, or carries a source's dead letters."""

    name: str
    role: str
    rows: DataFrame
    sink: Sink


def assemble(spark: SparkSession, spec: Spec, read: Reader) -> list[Query]:
    """Dead letters are a stream of their own: a row cannot leave a stateful query by a side door.

    So each record is read and parsed once for each query that uses its source, and any of them can fail, lag or resume
    without the others.
    """
    inputs: dict[str, DataFrame] = {}
    dead_letters = []
    for name, source in spec.sources.items():
        rows = _decoded(valid, read(spark, name, source, with_headers=False), name, source)
        inputs[name] = with_event_time(rows, source)
        if source.dead_letters is not None:
            raw = read(spark, name, _at_pace(source, spec.dead_letters_pace), with_headers=True)
            letters = _decoded(dead, raw, name, source)
            dead_letters.append(Query(f"{name}_dead_letters", DEAD_LETTERS, letters, Sink(kafka=source.dead_letters)))
    for name, table in spec.tables.items():
        inputs[name] = read_table(spark, name, table)
    for name, rows in inputs.items():
        rows.createOrReplaceTempView(name)
    flows = [
        Query(name, OUTPUT, transformed(spark, flow, inputs, spec.parameters), spec.sinks[flow.sink])
        for name, flow in spec.flows.items()
    ]
    return flows + dead_letters


def _at_pace(source: Source, pace: int) -> Source:
    limit = source.max_offsets_per_trigger
    return source if limit is None else replace(source, max_offsets_per_trigger=limit * pace)


def _decoded(decode: Callable[..., DataFrame], raw: DataFrame, name: str, source: Source) -> DataFrame:
    try:
        return decode(raw, source, metrics_of(name))
    except (AnalysisException, ParseException) as error:
        raise JobError(f"source `{name}`: {first_line(error)}", "see its expectations and its schema") from None


def metrics_of(source: str) -> str:
    """Every source counts its records under a name of its own."""
    return f"decoded_{source}"
