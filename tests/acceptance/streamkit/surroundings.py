"""What the tests of the job's library need from hdictl, as plain values: the library itself runs on a Python that is
too old for hdictl, and so do its tests.

    python -m tests.acceptance.streamkit.surroundings PYTHON > file    on hdictl's Python, for another one
    HDICTL_SURROUNDINGS=file PYTHON -m pytest …                        on that
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from hdictl.drivers import folders
from hdictl.drivers.java.find import find_java
from hdictl.drivers.pipeline_folders import shipped_pipelines
from hdictl.drivers.spark.archive import class_archive
from hdictl.drivers.spark.class_path import first_jars
from hdictl.drivers.spark.command import CONFIGURATION, QUICK_START, SAFE, home_of, version_of
from hdictl.ports.progress import Silent
from hdictl.streaming.job import JobSpec
from hdictl.streaming.pipeline import load
from hdictl.streaming.spec import Surroundings, to_document


def spark_of(python: Path) -> dict[str, Any]:
    """Where a Python's Spark is, and how it is started."""
    home, java = home_of(python), find_java()
    first = first_jars(version_of(home), Silent())
    archive = class_archive(folders.cache(), java, home, first, "tests")
    return {
        "java_home": str(java.home),
        "java_options": [*QUICK_START, *SAFE, *archive.java_options(prepares=False)],
        "safe": list(SAFE),
        "configuration": {**CONFIGURATION, "spark.driver.extraClassPath": os.pathsep.join(map(str, first))},
    }


def pipelines() -> dict[str, Any]:
    """Those that ship, as the job gets them."""
    return {folder.name: _document(folder) for folder in shipped_pipelines()}


def _document(folder: Path) -> dict[str, Any]:
    pipeline = load(folder)
    job = JobSpec(
        name=folder.name,
        pipeline=pipeline.folder,
        bootstrap="nowhere:9092",
        reads={name: name for name, source in pipeline.document.sources.items() if source.sink is None},
        writes={name: name for name, sink in pipeline.document.sinks.items() if sink.format == "kafka"},
    )
    return to_document(pipeline, job, Surroundings("file:///nowhere"))


if __name__ == "__main__":
    print(json.dumps({"pipelines": pipelines(), "spark": spark_of(Path(sys.argv[1]).absolute())}))
