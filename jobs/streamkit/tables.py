"""Tables that stand still beside the streams. They are read as they are when the job starts."""

from __future__ import annotations

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.utils import AnalysisException

from streamkit.errors import JobError
from streamkit.spec import Table, to_ddl


def read_table(spark: SparkSession, name: str, table: Table) -> DataFrame:
    """A Delta table gives each micro-batch its latest version; files are listed once."""
    reader = spark.read.format(table.format).options(**table.options)
    if table.columns:
        reader = reader.schema(to_ddl(table.columns))
    try:
        return reader.load(table.path)
    except AnalysisException as error:
        raise JobError(
            f"table `{name}` cannot be read from {table.path}: {str(error).splitlines()[0]}",
            "see that the file is there, and that the cluster may read it",
        ) from None
