"""What file sinks have written, as Spark reads it."""

from __future__ import annotations

import json
import os
import subprocess
import textwrap
from pathlib import Path

from hdictl.drivers.java import jars
from hdictl.drivers.java.find import find_java
from hdictl.drivers.spark.command import environment, spark_version
from hdictl.drivers.spark.package import jar_locks
from hdictl.ports.progress import Silent

_READ = """
    import json, sys
    from pyspark.sql import SparkSession
    path, kind, jars, *columns = sys.argv[1:]
    spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").config("spark.jars", jars)
    if kind == "delta":
        spark = spark.config("spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension")
        spark = spark.config("spark.sql.catalog.spark_catalog", "org.apache.spark.sql.delta.catalog.DeltaCatalog")
    rows = spark.getOrCreate().read.format(kind).load(path).selectExpr(*[f"CAST({each} AS STRING)" for each in columns])
    print(json.dumps(sorted(tuple(row) for row in rows.collect())))
"""


def ids_in(folder: Path, kind: str, scratch: Path) -> list[str]:
    return [id for (id,) in rows_in(folder, kind, scratch, "id")]


def rows_in(folder: Path, kind: str, scratch: Path, *columns: str) -> list[list[str]]:
    """In order, as texts. Spark goes by what batches have noted; a file of one that was cut short is not in it."""
    environ = environment(find_java(), scratch, os.environ)
    locks = jar_locks(spark_version(), has_delta=True)[1:] if kind == "delta" else []
    needed = ",".join(str(jar) for lock in locks for jar in jars.ensure(lock, Silent()))
    command = [environ["PYSPARK_PYTHON"], "-c", textwrap.dedent(_READ), str(folder), kind, needed, *columns]
    done = subprocess.run(command, env=environ, capture_output=True, text=True, check=True)
    found: list[list[str]] = json.loads(done.stdout.splitlines()[-1])
    return found
