"""A job as data frames: what it puts out, and the dead letters of each source."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from streamkit.decode import counts, dead, decode, valid
from streamkit.event_time import with_event_time
from streamkit.sources import Reader
from streamkit.spec import Spec, Topic


@dataclass(frozen=True)
class Flow:
    output: DataFrame
    dead_letters: list[tuple[str, Topic, DataFrame]]  # query, where they go, the unusable records of one source


def assemble(spark: SparkSession, spec: Spec, read: Reader) -> Flow:
    """Dead letters are a stream of their own: a row cannot leave a stateful query by a side door.

    So each record is read and parsed once for the output and once for the dead letters, and either of the two can
    fail, lag or resume without the other.
    """
    dead_letters = []
    for name, source in spec.sources.items():
        decoded = observed(decode(read(spark, source), source), "decoded_" + name)
        with_event_time(valid(decoded), source).createOrReplaceTempView(name)
        if source.dead_letters is not None:
            dead_letters.append((f"{name}_dead_letters", source.dead_letters, dead(decoded)))
    return Flow(output=spark.sql(spec.transform), dead_letters=dead_letters)


def observed(rows: DataFrame, name: str) -> DataFrame:
    """Counts the rows as they pass; each micro-batch reports them under `observedMetrics`."""
    first, *others = [column._jc for column in counts()]
    spark = rows.sparkSession
    jvm: Any = spark._jvm
    # Python's own `observe` takes a stream's name from Spark 3.4 on; the JVM's always did.
    return DataFrame(rows._jdf.observe(name, first, jvm.PythonUtils.toSeq(others)), spark)
