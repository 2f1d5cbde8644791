"""Several jobs at once, and those that were taken out of the stack while they run."""

from __future__ import annotations

import json
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest

from hdictl.commands.job_session import JobSession, stray_clusters
from hdictl.errors import HdictlError, JobRefused, JobUnknown, LivyFailed, NotRunning, TargetUnsupported
from hdictl.ports.job_driver import OVER, RUNNING, LivingJob
from hdictl.ports.progress import Silent
from hdictl.show.jobs import show_jobs, show_stopped, show_submitted
from hdictl.stack.model import Stack
from hdictl.streaming.outcomes import STARTED, UNCHANGED, Stopped, Submitted
from hdictl.streaming.state import RUNNING as AT_WORK
from hdictl.streaming.state import SUBMITTED, JobStatus
from hdictl.workflow.jobs.bound import chosen_jobs
from tests.fakes.jobs import FakeJobs


class Machine:
    """A target with two Spark clusters. `names` is what has been started on the first, in the stack or not."""

    def __init__(self, folder: Path, names: list[str]) -> None:
        self.driver, self.other = FakeJobs(folder), FakeJobs(folder / "other")
        self.driver.known = names
        self.failure: HdictlError | None = None  # of the other one

    def jobs(self, cluster: str) -> nullcontext[FakeJobs]:
        if cluster == "jobs":
            return nullcontext(self.driver)
        if self.failure is not None:
            raise self.failure
        return nullcontext(self.other)

    def job_clusters(self) -> list[str]:
        return ["other", "jobs"]


@pytest.fixture
def stack() -> Stack:
    jobs = {name: {"pipeline": "orders", "cluster": "jobs"} for name in ("first", "second", "third")}
    return Stack.model_validate({"stack": "clicks", "clusters": {"jobs": {"kind": "spark"}}, "jobs": jobs})


@pytest.fixture
def machine(tmp_path) -> Machine:
    return Machine(tmp_path / "jobs", ["first", "old"])


def session(stack: Stack, machine: Machine, *names: str) -> JobSession:
    return JobSession(stack, machine, Path(), list(names or stack.jobs), Silent())


def stop(name: str, _driver: FakeJobs) -> Stopped:
    if name == "first":
        raise NotRunning("it is away", where="kafka", fix="start it")
    if name == "second":
        raise JobRefused("it will not", where="job `second`", fix="ask again")
    return Stopped(name, was_running=True, was_killed=False, seconds=1.0)


class TestSeveral:
    def test_one_failure_leaves_the_others_what_they_are(self, stack, machine, capsys):
        done, failed = session(stack, machine).attempt(stop)
        assert [each.name for each in done] == ["third"]
        assert [each.name for each in failed] == ["first", "second"]
        show_stopped(done, failed, as_json=False)
        told = capsys.readouterr()
        assert "third stopped" in told.out
        for said in ("job `first`: kafka: it is away", "→ start it", "job `second`: it will not", "→ ask again"):
            assert said in told.err

    def test_as_json_failures_stand_beside_what_was_done(self, stack, machine, capsys):
        done, failed = session(stack, machine).attempt(stop)
        show_stopped(done, failed, as_json=True)
        shown = json.loads(capsys.readouterr().out)
        assert [each["name"] for each in shown["jobs"]] == ["third"]
        first = {"job": "first", "id": "E251", "what": "it is away", "where": "job `first`: kafka", "fix": "start it"}
        assert shown["failed"][0] == first
        show_submitted("jobs submit", [], failed, as_json=True)
        assert [each["job"] for each in json.loads(capsys.readouterr().out)["failed"]] == ["first", "second"]

    def test_the_failure_of_the_only_one_is_that_of_the_command(self, stack, machine):
        with pytest.raises(NotRunning):
            session(stack, machine, "first").attempt(stop)

    def test_who_is_interrupted_does_not_go_on_with_the_next(self, stack, machine):
        seen = []

        def interrupted(name: str, _driver: FakeJobs) -> None:
            seen.append(name)
            try:
                raise KeyboardInterrupt
            finally:
                raise JobRefused("while it was torn down")

        with pytest.raises(JobRefused):
            session(stack, machine).attempt(interrupted)
        assert seen == ["first"]


def test_what_was_submitted_is_shown(capsys):
    started = Submitted("first", STARTED, JobStatus("first", "orders", AT_WORK, "7"), was_killed=True)
    show_submitted("jobs submit", [started, Submitted("second", UNCHANGED, JobStatus("", "", AT_WORK))], as_json=False)
    told = " ".join(capsys.readouterr().out.split())
    assert "✓ first started: running (7)" in told
    assert "was ended by force" in told
    assert "✓ second runs as it is" in told


class TestStrays:
    def test_one_that_runs_is_listed(self, stack, machine, capsys):
        machine.driver.living = LivingJob("7", RUNNING)
        machine.driver.files.write(SUBMITTED, b'{"fingerprint": "f", "pipeline": "page_activity"}')
        machine.driver.say("running", "f")
        (found,) = session(stack, machine).strays()
        assert (found.name, found.pipeline, found.state, found.is_in_stack) == (
            "old", "page_activity", "running", False,
        )  # fmt: skip
        show_jobs("jobs list", [found], as_json=False)
        told = capsys.readouterr()
        assert "running, not in the stack" in told.out
        assert "hdictl jobs stop old" in told.err
        show_jobs("jobs list", [found], as_json=True)
        assert json.loads(capsys.readouterr().out)["jobs"][0]["is_in_stack"] is False

    @pytest.mark.parametrize("living", [None, LivingJob("7", OVER)])
    def test_what_it_left_behind_is_nobodys_business(self, stack, machine, living):
        machine.driver.living = living
        assert session(stack, machine).strays() == []

    def test_it_may_be_named(self, stack):
        assert chosen_jobs(stack, ["old"], ["old"]) == ["old"]
        with pytest.raises(JobUnknown):
            chosen_jobs(stack, ["older"], ["old"])
        assert chosen_jobs(stack, None, ["old"]) == ["first", "second", "third"]

    def test_it_is_stopped_by_its_name_where_it_is(self, stack, machine):
        places = stray_clusters(stack, machine)
        assert places == {"old": "jobs"}
        one = replace(session(stack, machine, "old"), strays_at=places)
        assert one.attempt(lambda name, driver: (name, driver is machine.driver)) == ([("old", True)], [])

    @pytest.mark.parametrize("failure", [NotRunning("there is no such cluster"), TargetUnsupported("Entra users only")])
    def test_a_cluster_that_can_run_none_is_passed_over(self, stack, machine, failure, capsys):
        machine.failure = failure
        assert stray_clusters(stack, machine) == {"old": "jobs"}
        assert capsys.readouterr().err == ""

    def test_of_one_that_does_not_answer_it_is_said(self, stack, machine, capsys):
        machine.failure = LivyFailed("it does not answer", where="Livy of `other`")
        assert stray_clusters(stack, machine) == {"old": "jobs"}
        assert "Livy of `other`: it does not answer; jobs there that left the stack are not seen" in " ".join(
            capsys.readouterr().err.split()
        )
