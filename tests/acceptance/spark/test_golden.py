"""The fixtures of every pipeline that ships, on every Spark and Python that a cluster may have."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from hdictl import assets
from hdictl.drivers.spark import command
from hdictl.drivers.spark.trial import TrialRunner
from hdictl.ports.progress import Silent
from hdictl.streaming.pipeline import load
from tests.acceptance.streamkit.streams import SHIPPED

# Name → the variable that says where it is, how its Python's version begins, and its Spark's.
OTHERS = {
    "spark-3.5": ("HDICTL_SPARK35_PYTHON", "3.", "3.5."),
    "python-3.8": ("HDICTL_PYTHON38", "3.8.", "3.3.1"),
}
ASK = "import platform, pyspark; print(platform.python_version(), pyspark.__version__)"


@pytest.fixture(scope="module", params=["this", *OTHERS])
def python(request: pytest.FixtureRequest) -> Path:
    """`make test` names the Python that has Spark 3.5; whoever has a Python 3.8 with pyspark 3.3.1 names it himself."""
    if request.param == "this":
        return Path(sys.executable)
    variable, python_version, spark_version = OTHERS[request.param]
    if platform.python_version().startswith(python_version) and command.spark_version().startswith(spark_version):
        pytest.skip(f"this Python is {request.param} itself")
    if not os.environ.get(variable):
        pytest.skip(f"PIPELINES ARE NOT TRIED ON {request.param}: {variable} names no Python that has it")
    found = Path(os.environ[variable])
    said = subprocess.run([found, "-c", ASK], capture_output=True, text=True, check=False).stdout.split()
    assert len(said) == 2, f"{variable}: {found} has no pyspark"
    assert said[0].startswith(python_version), f"{variable}: {found} is a Python {said[0]}"
    assert said[1].startswith(spark_version), f"{variable}: {found} has Spark {said[1]}"
    return found


@pytest.mark.parametrize("pipeline", SHIPPED)
def test_what_comes_of_the_fixtures_is_what_is_expected(pipeline: str, python: Path):
    trial, found = TrialRunner(python).run(load(assets.pipeline(pipeline)), Silent())
    assert [flow for flow in trial.flows if not flow.is_green] == []
    assert [flow.name for flow in trial.flows if not flow.is_checked] == []
    assert [flow.name for flow in trial.flows][-1] == "dead_letters"
    # All records are accounted for: by each flow as far as it reads them.
    for each in found.values():
        totals = each["totals"]
        assert totals["input_rows"] == totals["valid"] + totals["dead"] + totals["tombstones"]
