"""What is asked of Livy, and what is read of its answers."""

from __future__ import annotations

import json

import pytest

from hdictl.drivers.livy.batch import Batch, BatchRequest, to_batch
from hdictl.drivers.livy.log_text import diagnosed, printed
from hdictl.drivers.livy.phantoms import PhantomWatch


def test_what_was_not_said_is_not_sent():
    assert BatchRequest("abfs:///jobs/run.py").to_body() == {"file": "abfs:///jobs/run.py"}


def test_arguments_and_settings_are_strings_and_counts_are_numbers():
    request = BatchRequest(
        "abfs:///jobs/run.py",
        "clickstream-page-activity",
        args=("--spec", 7, 0.5, True, ""),
        conf={"spark.ui.enabled": False, "spark.sql.shuffle.partitions": 8},
        class_name="org.example.Main",
        py_files=("abfs:///jobs/streamkit.zip",),
        driver_cores=2,
        num_executors=0,
        proxy_user="ops",
    )
    assert json.loads(json.dumps(request.to_body())) == {
        "file": "abfs:///jobs/run.py",
        "name": "clickstream-page-activity",
        "args": ["--spec", "7", "0.5", "true", ""],
        "conf": {"spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "8"},
        "className": "org.example.Main",
        "pyFiles": ["abfs:///jobs/streamkit.zip"],
        "driverCores": 2,
        "numExecutors": 0,
        "proxyUser": "ops",
    }


@pytest.mark.parametrize(
    ("state", "is_waiting", "is_running", "is_over", "has_succeeded"),
    [
        ("not_started", True, False, False, False),
        ("starting", True, False, False, False),
        ("recovering", True, False, False, False),
        ("idle", False, True, False, False),
        ("running", False, True, False, False),
        ("busy", False, True, False, False),
        ("shutting_down", False, True, False, False),
        ("success", False, False, True, True),
        ("dead", False, False, True, False),
        ("error", False, False, True, False),
        ("killed", False, False, True, False),
        ("never heard of", False, False, False, False),
    ],
)
def test_states(state, is_waiting, is_running, is_over, has_succeeded):
    batch = Batch(1, state)
    assert (batch.is_waiting, batch.is_running, batch.is_over, batch.has_succeeded) == (
        is_waiting,
        is_running,
        is_over,
        has_succeeded,
    )


def test_little_is_needed_of_an_answer():
    assert to_batch({"id": 3}) == Batch(3, "unknown", is_logged=False, is_nameable=False)
    whole = {"id": 3, "name": "a", "owner": None, "proxyUser": "ops", "state": "running", "appId": "application_1_7"}
    assert to_batch({**whole, "appInfo": {"x": 1}, "log": ["stdout: ", "line", "\nstderr: "], "new": 1}) == Batch(
        3, "running", "a", "ops", "application_1_7", ("line",)
    )


def test_a_phantom_has_no_log_at_all():
    assert to_batch({"id": 3, "state": "starting", "log": []}).looks_phantom
    assert not to_batch({"id": 3, "state": "starting", "log": ["stdout: ", "\nstderr: "]}).looks_phantom
    assert not to_batch({"id": 3, "state": "starting", "log": [], "appId": "application_1_7"}).looks_phantom
    assert not to_batch({"id": 3, "state": "running", "log": []}).looks_phantom


def test_headings_are_livys_and_the_rest_is_the_jobs():
    lines = ["stdout: ", "stdout: ", "", "stderr: ", "\nstderr: ", "late", "\nYARN Diagnostics: ", "killed", "143"]
    assert printed(lines) == ("stdout: ", "", "stderr: ", "late")
    assert diagnosed(lines) == ("killed", "143")
    assert (printed([]), diagnosed([])) == ((), ())


def test_a_phantom_is_one_after_a_while_as_this_watch_has_seen_it():
    now = [0.0]
    watch = PhantomWatch(lambda: now[0])
    ghost, real = Batch(1, "starting", is_logged=False), Batch(2, "starting")
    assert watch.older_than(60, [ghost, real]) == ()
    now[0] = 59
    assert watch.older_than(60, [ghost, real]) == ()
    now[0] = 61
    assert watch.older_than(60, [ghost, real]) == (ghost,)
    assert watch.older_than(60, [real]) == ()  # gone
    assert watch.older_than(60, [ghost]) == ()  # and seen for the first time again
