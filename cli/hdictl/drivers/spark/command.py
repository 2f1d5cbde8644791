"""The command line and environment of spark-submit on this machine."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hdictl.drivers.java.find import Java
from hdictl.errors import UsageError

# A person's own Spark must not leak in: its settings, its class path, its Python.
_FOREIGN = ("SPARK_", "PYSPARK_", "HADOOP_", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "PYTHONPATH", "PYTHONHOME")

# One compiler and one collector thread: a job of a minute never earns back what the others cost to start.
QUICK_START = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xss4m")

# A record that claims to hold a text of two gigabytes is broken. Without a limit Avro believes it, and the process that
# reads it runs out of memory: one record would end the job, again and again.
SAFE = ("-Dorg.apache.avro.limits.string.maxLength=16777216", "-Dorg.apache.avro.limits.bytes.maxLength=16777216")

# Of a job's settings those that a process is started with. A session that sets them later would tell executors without
# what is added here.
JAVA_OPTIONS = ("spark.driver.extraJavaOptions", "spark.executor.extraJavaOptions")

# What Spark's own launcher opens, where Java is 17: the lists of 3.3 and 3.5 together.
_OPENED = (
    *(f"java.base/java.{name}" for name in ("lang", "lang.invoke", "lang.reflect", "io", "net", "nio", "util")),
    *("java.base/java.util.concurrent", "java.base/java.util.concurrent.atomic"),
    *(f"java.base/{name}" for name in ("jdk.internal.ref", "sun.nio.ch", "sun.nio.cs", "sun.security.action")),
    *("java.base/sun.util.calendar", "java.security.jgss/sun.security.krb5"),
)

CONFIGURATION = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.sql.shuffle.partitions": "2",
    "spark.default.parallelism": "2",
    "spark.sql.catalogImplementation": "in-memory",
    # Hadoop's own local file systems start a process (`chmod`) for every file that they make, and every micro-batch
    # makes dozens. This one asks Java. What is renamed into place is as whole as before. See `class_path`.
    "spark.hadoop.fs.file.impl": "com.globalmentor.apache.hadoop.fs.NakedLocalFileSystem",
    "spark.sql.streaming.checkpointFileManagerClass": (
        "org.apache.spark.sql.execution.streaming.FileSystemBasedCheckpointFileManager"
    ),
}


@dataclass(frozen=True)
class Submission:
    entry_point: Path
    library: Path
    spec: Path
    jars: Sequence[Path]
    class_path: Sequence[Path]
    log_settings: Path
    java_options: Sequence[str]
    cores: int = 2
    memory: str = "1g"


def spark_home() -> Path:
    """The pyspark package is a whole Spark."""
    return home_of(Path(sys.executable))


@cache
def home_of(python: Path) -> Path:
    """The Spark that a Python has, found without importing it, which takes half a second."""
    if python == Path(sys.executable):
        spec = find_spec("pyspark")
        return Path(next(iter(spec.submodule_search_locations or ()))).resolve() if spec else Path("pyspark-is-missing")
    ask = "import importlib.util as u; print(list(u.find_spec('pyspark').submodule_search_locations)[0])"
    told = subprocess.run([python, "-c", ask], capture_output=True, text=True, check=False)
    if told.returncode != 0:
        raise UsageError("this Python has no pyspark", where=str(python), fix=f"{python} -m pip install pyspark==3.3.1")
    return Path(told.stdout.strip())


def spark_version() -> str:
    return version_of(spark_home())


def version_of(home: Path) -> str:
    stated = re.search(r'__version__\b.*?= *["\']([^"\']+)', (home / "version.py").read_text(encoding="utf-8"))
    return stated.group(1) if stated else "unknown"


def command(submission: Submission) -> list[str]:
    java_options = [*submission.java_options, f"-Dlog4j2.configurationFile={submission.log_settings.as_uri()}"]
    return [
        str(spark_home() / "bin" / "spark-submit"),
        *("--master", f"local[{submission.cores}]"),
        *("--driver-memory", submission.memory),
        *("--driver-java-options", " ".join(f'"{option}"' for option in java_options)),
        *("--driver-class-path", os.pathsep.join(str(jar) for jar in submission.class_path)),
        *("--jars", ",".join(str(jar) for jar in submission.jars)),
        *("--py-files", str(submission.library)),
        *(part for key, value in CONFIGURATION.items() for part in ("--conf", f"{key}={value}")),
        str(submission.entry_point),
        *("--spec", str(submission.spec)),
    ]


def gateway_command(java: Java, home: Path, options: Sequence[str], class_path: Sequence[Path]) -> list[str]:
    """The JVM that a Python talks to, as spark-submit would start it after finding out how."""
    places = [*map(str, class_path), f"{home}/conf", f"{home}/jars/*"]
    opened = [f"--add-opens={package}=ALL-UNNAMED" for package in _OPENED]
    return [
        str(java.executable),
        *("-cp", os.pathsep.join(places)),
        *("-Xmx1g", "-XX:+IgnoreUnrecognizedVMOptions", *opened, *options),
        "org.apache.spark.api.python.PythonGatewayServer",
    ]


def java_options(document: Mapping[str, Any], archived: Sequence[str]) -> list[str]:
    """Of a job's driver, which is all there is on this machine. Those that the job names itself come last, and win."""
    own = shlex.split(str(document["configuration"].get(JAVA_OPTIONS[0], "")))
    return [*QUICK_START, *SAFE, *archived, *own]


def for_the_session(document: Mapping[str, Any]) -> dict[str, Any]:
    """A job's document without the settings that its process was started with."""
    kept = {key: value for key, value in document["configuration"].items() if key not in JAVA_OPTIONS}
    return {**document, "configuration": kept}


def environment(java: Java, scratch: Path, inherited: Mapping[str, str], python: Path | None = None) -> dict[str, str]:
    python = python or Path(sys.executable)
    kept = {name: value for name, value in inherited.items() if not name.startswith(_FOREIGN)}
    return {
        **kept,
        "JAVA_HOME": str(java.home),
        "SPARK_HOME": str(home_of(python)),
        # The machine's name may resolve to an address that is not its own loopback.
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_LOCAL_DIRS": str(scratch),  # shuffle files, while it runs
        "PYSPARK_PYTHON": str(python),
        # Hadoop calls chmod for every file; it shall not look for it in a dozen folders.
        "PATH": os.pathsep.join(["/usr/bin", "/bin", kept.get("PATH", "")]),
        "SPARK_LAUNCHER_OPTS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto",
    }
