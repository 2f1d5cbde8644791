"""The command line and environment of spark-submit on this machine."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hdictl.drivers.java.find import Java

# A person's own Spark must not leak in: its settings, its class path, its Python.
_FOREIGN = ("SPARK_", "PYSPARK_", "HADOOP_", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "PYTHONPATH", "PYTHONHOME")

# One compiler and one collector thread: a job of a minute never earns back what the others cost to start.
QUICK_START = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xss4m")

_CONFIGURATION = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.sql.shuffle.partitions": "2",
    "spark.default.parallelism": "2",
    "spark.sql.catalogImplementation": "in-memory",
}


@dataclass(frozen=True)
class Submission:
    entry_point: Path
    library: Path
    spec: Path
    jars: Sequence[Path]
    log_settings: Path
    java_options: Sequence[str]
    cores: int = 2
    memory: str = "1g"


def spark_home() -> Path:
    """The pyspark package is a whole Spark."""
    import pyspark

    return Path(pyspark.__file__).resolve().parent


def spark_version() -> str:
    import pyspark

    return str(pyspark.__version__)


def command(submission: Submission) -> list[str]:
    java_options = [*submission.java_options, f"-Dlog4j2.configurationFile={submission.log_settings.as_uri()}"]
    return [
        str(spark_home() / "bin" / "spark-submit"),
        *("--master", f"local[{submission.cores}]"),
        *("--driver-memory", submission.memory),
        *("--driver-java-options", " ".join(f'"{option}"' for option in java_options)),
        *("--jars", ",".join(str(jar) for jar in submission.jars)),
        *("--py-files", str(submission.library)),
        *(part for key, value in _CONFIGURATION.items() for part in ("--conf", f"{key}={value}")),
        str(submission.entry_point),
        *("--spec", str(submission.spec)),
    ]


def environment(java: Java, scratch: Path, inherited: Mapping[str, str]) -> dict[str, str]:
    kept = {name: value for name, value in inherited.items() if not name.startswith(_FOREIGN)}
    return {
        **kept,
        "JAVA_HOME": str(java.home),
        "SPARK_HOME": str(spark_home()),
        # The machine's name may resolve to an address that is not its own loopback.
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_LOCAL_DIRS": str(scratch),  # shuffle files, while it runs
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_LAUNCHER_OPTS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto",
    }
