"""Tables that stand still beside the streams. Files are read as they are when the job starts.

Spark itself would read them again in every micro-batch: whoever edits a file under a running job would change its
results at once, and half of a file that is being written would be half a table.
"""

from __future__ import annotations

from typing import Mapping

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.utils import AnalysisException

from streamkit.errors import JobError
from streamkit.spec import Table, to_ddl


def read_table(spark: SparkSession, name: str, table: Table) -> DataFrame:
    """Files are read once, when somebody first needs them. A Delta table gives each micro-batch its latest version."""
    reader = spark.read.format(table.format).options(**table.options)
    if table.columns:
        reader = reader.schema(to_ddl(table.columns))
    try:
        rows = reader.load(table.path)
    except AnalysisException as error:
        raise JobError(
            f"table `{name}` cannot be read from {table.path}: {str(error).splitlines()[0]}",
            "see that the file is there, and that the cluster may read it",
        ) from None
    return rows if table.format == "delta" else rows.cache()


def read_now(spark: SparkSession, tables: Mapping[str, Table]) -> None:
    """What a micro-batch would otherwise read when it comes to it. The views of the tables are there by now."""
    for name, table in tables.items():
        if table.format != "delta":
            spark.table(name).count()
