"""The fixtures of every pipeline that ships: on this Spark, or on that of the Python which `HDICTL_TRIAL_PYTHON` names.

`make test` tries them on Spark 3.3.1, `make spark35` on 3.5.7, and `make python38` on a cluster's Python.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from hdictl import assets
from hdictl.drivers.spark.trial import TrialRunner
from hdictl.ports.progress import Silent
from hdictl.streaming.pipeline import load
from tests.acceptance.streamkit.streams import SHIPPED

PYTHON = Path(os.environ.get("HDICTL_TRIAL_PYTHON") or sys.executable)


@pytest.mark.parametrize("pipeline", SHIPPED)
def test_what_comes_of_the_fixtures_is_what_is_expected(pipeline: str):
    trial, found = TrialRunner(PYTHON).run(load(assets.pipeline(pipeline)), Silent())
    assert [flow for flow in trial.flows if not flow.is_green] == []
    assert [flow.name for flow in trial.flows if not flow.is_checked] == []
    assert [flow.name for flow in trial.flows][-1] == "dead_letters"
    # All records are accounted for: by each flow as far as it reads them.
    for each in found.values():
        totals = each["totals"]
        assert totals["input_rows"] == totals["valid"] + totals["dead"] + totals["tombstones"]
