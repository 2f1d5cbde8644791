"""Jobs of this machine: found again by whoever comes later, whatever was written down; and their logs."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from hdictl.drivers.local.processes import is_alive
from hdictl.drivers.spark.background import LocalJobs
from hdictl.drivers.spark.command import QUICK_START, SAFE, for_the_session, java_options
from hdictl.errors import JavaMissing
from hdictl.ports.job_driver import OVER, RUNNING
from hdictl.ports.progress import Silent
from hdictl.workflow.jobs.package import to_package
from tests.fakes.jobs import bound_job
from tests.fakes.small_pipeline import BINDING
from tests.waiting import until

Start = Callable[[str], subprocess.Popen]


@pytest.fixture
def jobs(tmp_path: Path) -> LocalJobs:
    return LocalJobs(tmp_path / "jobs", "here")


@pytest.fixture
def start(jobs: LocalJobs) -> Iterator[Start]:
    """Processes with the command line of a job."""
    started: list[subprocess.Popen] = []

    def begin(job: str) -> subprocess.Popen:
        files = jobs.files(job)
        files.folder.mkdir(parents=True, exist_ok=True)
        files.spec.write_text("{}")
        waits = [sys.executable, "-c", "import time; time.sleep(60)"]
        marker = f"-Dhdictl.instance=here/jobs/{job}"
        started.append(subprocess.Popen([*waits, marker, str(files.spec)], start_new_session=True))
        return started[-1]

    yield begin
    for each in started:
        each.kill()
        each.wait()


def note(jobs: LocalJobs, job: str, pid: int, started: float) -> None:
    (jobs.files(job).folder / "process.json").write_text(json.dumps({"pid": pid, "started": started}))


def test_nobody(jobs):
    assert jobs.find("orders") is None
    assert jobs.names() == []
    assert list(jobs.log("orders", lines=9, follow=True)) == []
    assert not jobs.kill("orders", "5")


def test_by_what_was_written_down(jobs, start):
    process = start("orders")
    born = psutil.Process(process.pid).create_time()
    note(jobs, "orders", process.pid, born)
    found = jobs.find("orders")
    assert (found.id, found.state, found.started) == (str(process.pid), RUNNING, born)
    assert not jobs.kill("orders", str(process.pid + 1))  # another run than this one
    assert is_alive(psutil.Process(process.pid))
    assert jobs.kill("orders", found.run)
    assert process.wait(10) != 0
    assert not jobs.kill("orders", found.run)
    assert jobs.find("orders").state == OVER


def test_a_number_that_somebody_else_has_now_is_not_the_job(jobs, start):
    stranger = start("other")
    jobs.files("orders").folder.mkdir(parents=True)
    jobs.files("orders").spec.write_text("{}")
    note(jobs, "orders", stranger.pid, 5.0)
    assert jobs.find("orders").state == OVER
    assert not jobs.kill("orders", str(stranger.pid))
    assert jobs.forget("orders", keep_data=True) == 0
    assert is_alive(psutil.Process(stranger.pid))


@pytest.mark.parametrize("pid", [None, 2**22 - 1])
def test_when_the_clock_was_set_it_is_known_by_its_command_line(jobs, start, pid):
    """Or the note is of the run before. A second driver on the same checkpoint would spoil it."""
    process = start("orders")
    note(jobs, "orders", pid or process.pid, psutil.Process(process.pid).create_time() - 3600)
    assert (jobs.find("orders").id, jobs.find("orders").state) == (str(process.pid), RUNNING)
    assert jobs.kill("orders", str(process.pid))
    assert process.wait(10) != 0


@pytest.mark.parametrize("content", [None, "", "{", '{"pid": 5}'])
def test_when_the_note_is_lost_by_its_command_line(jobs, start, content):
    process, other = start("orders"), start("other")
    if content is not None:
        (jobs.files("orders").folder / "process.json").write_text(content)
    assert (jobs.find("orders").id, jobs.find("orders").state) == (str(process.pid), RUNNING)
    # `down` ends it as well.
    assert jobs.names() == ["orders", "other"]
    assert [jobs.forget(name, keep_data=False) for name in jobs.names()] == [1, 1]
    assert (process.wait(10), other.wait(10)) != (0, 0)
    assert not jobs.files("orders").folder.exists()


def test_without_java_nothing_is_touched(jobs, folder):
    def no_java() -> object:
        raise JavaMissing("there is no Java")

    jobs = LocalJobs(jobs._folder, "here", java=no_java)
    with pytest.raises(JavaMissing):
        jobs.stage(to_package(jobs, bound_job("orders", folder, **BINDING)), Silent())
    assert not jobs.files("orders").folder.exists()


def test_a_jobs_own_java_options_stand_behind_ours(jobs, folder):
    given = {"configuration": {"spark.driver.extraJavaOptions": "-Dmine='a b' -Xss8m", "spark.a": 1}}
    document = to_package(jobs, bound_job("orders", folder, **BINDING, **given)).document
    ours = [*QUICK_START, *SAFE, "-Xshare:auto"]
    assert java_options(document, ["-Xshare:auto"]) == [*ours, "-Dmine=a b", "-Xss8m"]
    assert java_options({"configuration": {}}, ["-Xshare:auto"]) == ours
    assert for_the_session(document)["configuration"] == {"spark.a": "1"}


def test_a_log_is_followed_until_this_run_is_over(jobs, start):
    process = start("orders")
    note(jobs, "orders", process.pid, psutil.Process(process.pid).create_time())
    log = jobs.files("orders").log
    log.write_bytes("one\ntwo\nthree\nhäl".encode()[:-2])  # in the middle of a letter
    heard: list[str] = []
    listener = threading.Thread(target=lambda: heard.extend(jobs.log("orders", lines=2, follow=True)))
    listener.start()
    until(lambda: len(heard) == 2)
    with log.open("ab") as stream:
        stream.write("häl".encode()[-2:] + b"f\nfour\nunfinished")
    process.kill()
    process.wait()
    # Another run has begun meanwhile: its log is another file, and not what is listened to.
    again = start("orders")
    log.rename(log.with_suffix(".log.1"))
    log.write_text("of the next run\n")
    note(jobs, "orders", again.pid, psutil.Process(again.pid).create_time())
    listener.join(10)
    assert not listener.is_alive()
    assert heard == ["two", "three", "hälf", "four"]
