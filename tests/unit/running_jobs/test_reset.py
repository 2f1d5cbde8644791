"""What a reset will do, counted before anything is touched; and in which order it is done."""

from __future__ import annotations

import json
import time

import pytest

from hdictl.errors import FileRefused, JobRefused, UsageError
from hdictl.show.checkpoints import described_reset
from hdictl.streaming.outcomes import LostState
from hdictl.streaming.state import STARTING_OFFSETS
from hdictl.workflow.jobs.checkpoints import read_checkpoints
from hdictl.workflow.jobs.reset import carry_out, plan_reset
from tests.fakes.jobs import FakeJobs, FakeOffsets, bound_job
from tests.fakes.small_pipeline import BINDING
from tests.unit.running_jobs.test_lag import write_checkpoint

NOW = round(time.time() * 1000)
OLD = NOW - 7_200_000


@pytest.fixture
def kafka() -> FakeOffsets:
    """Ten records in each of two partitions: five from two hours ago, five of now. Of the first, two are gone."""
    made = FakeOffsets({"orders": dict.fromkeys((0, 1), [OLD] * 5 + [NOW - 1000] * 5)}, {"orders": {0: 2}})
    made.commit("clicks.orders.passed", {"orders": {0: 6, 1: 3}})
    return made


@pytest.fixture
def stood(driver: FakeJobs) -> FakeJobs:
    """Both queries have read some; the one that has read most costs most."""
    write_checkpoint(driver, "passed", {"orders": {"0": 7, "1": 4}})
    write_checkpoint(driver, "orders_dead_letters", {"orders": {"0": 8, "1": 4}})
    return driver


@pytest.mark.parametrize(
    ("to", "expected"),
    [
        ("earliest", ("earliest", 0, (8 - 2) + 4)),
        ("latest", ("latest", (10 - 7) + (10 - 4), 0)),
        ("committed", ({"0": 6, "1": 3}, 0, 2 + 1)),
        ("1h", ({"0": 5, "1": 5}, 1, 3)),
        ("3h", ({"0": 2, "1": 0}, 0, (8 - 2) + 4)),
        pytest.param(str(NOW - 3_600_000), ({"0": 5, "1": 5}, 1, 3), id="moment"),
    ],
)
def test_what_is_skipped_and_what_is_read_again(stood, bound, kafka, to, expected):
    """Where it begins, and how many records that skips or repeats."""
    plan = plan_reset(stood, bound, kafka, to=to)
    starts, *costs = expected
    assert plan.starting_offsets == {"orders": starts if isinstance(starts, str) else {"orders": starts}}
    assert (plan.skipped.get("orders", 0), plan.again.get("orders", 0)) == tuple(costs)
    assert set(plan.queries) == {"passed", "orders_dead_letters"}


def test_one_query_alone(stood, bound, kafka):
    plan = plan_reset(stood, bound, kafka, to="earliest", queries=("passed",))
    assert (plan.queries, plan.again) == (("passed",), {"orders": (7 - 2) + 4})
    carry_out(stood, plan)
    assert [each.query for each in read_checkpoints(stood.files)] == ["orders_dead_letters"]
    (old,) = stood.files.list("checkpoints/_old")
    assert stood.files.read(f"checkpoints/_old/{old.name}/passed/commits/0") is not None
    assert json.loads(stood.files.read(STARTING_OFFSETS)) == {"orders": "earliest"}


def test_what_no_group_knows_begins_at_the_beginning(stood, bound, kafka):
    kafka.commit("clicks.orders.passed", {"orders": {1: 3}})
    assert plan_reset(stood, bound, kafka, to="committed").starting_offsets == {"orders": {"orders": {"0": 2, "1": 3}}}


def test_of_several_flows_the_one_that_has_read_least_counts(driver, folder, kafka):
    both = bound_job("both", folder, **BINDING)
    kafka.commit("clicks.orders.archive", {"orders": {0: 4, 1: 9}})
    found = plan_reset(driver, both, kafka, to="committed").starting_offsets
    assert found == {"orders": {"orders": {"0": 4, "1": 3}}}


def test_dead_letters_that_are_behind_are_not_skipped(stood, bound, kafka):
    """They are written more rarely than the flows run."""
    kafka.commit("clicks.orders.orders_dead_letters", {"orders": {0: 3, 1: 9}})
    assert plan_reset(stood, bound, kafka, to="committed").starting_offsets == {"orders": {"orders": {"0": 3, "1": 3}}}


def test_a_query_that_keeps_its_checkpoint_has_no_say(stood, bound, kafka):
    kafka.commit("clicks.orders.orders_dead_letters", {"orders": {0: 3, 1: 1}})
    plan = plan_reset(stood, bound, kafka, to="committed", queries=("passed",))
    assert plan.starting_offsets == {"orders": {"orders": {"0": 6, "1": 3}}}


def test_what_retention_has_deleted_is_not_asked_for(stood, bound, kafka):
    kafka.commit("clicks.orders.passed", {"orders": {0: 1, 1: 3}})
    assert plan_reset(stood, bound, kafka, to="committed").starting_offsets == {"orders": {"orders": {"0": 2, "1": 3}}}


class TestState:
    """What is open in a window is in the state alone."""

    COUNT = "aggregate [count(1)] by [window, page]"

    def test_who_loses_state_is_told(self, stood, bound, kafka):
        note = {"operators": [self.COUNT], "topics": {"orders": "id"}}
        write_checkpoint(stood, "passed", {"orders": {"0": 7, "1": 4}}, watermark=1_700_000_000_000)
        stood.files.write("checkpoints/passed/hdictl.json", json.dumps(note).encode())
        stood.files.write("checkpoints/orders_dead_letters/hdictl.json", b'{"operators": []}')
        plan = plan_reset(stood, bound, kafka, to="committed")
        assert plan.lost == (LostState("passed", (self.COUNT,), 1_700_000_000_000),)
        said = described_reset(plan)
        assert f"passed loses its state ({self.COUNT})" in said
        assert "remembers at the watermark 2023-11-14T22:13:20Z" in said
        assert "--to 2h" in said

    @pytest.mark.parametrize("note", [None, b"{", b"{}"])
    def test_without_a_note_what_spark_has_written_tells(self, stood, bound, kafka, note):
        stood.files.write("checkpoints/passed/state/0/0/1.delta", b"")
        if note is not None:
            stood.files.write("checkpoints/passed/hdictl.json", note)
        assert plan_reset(stood, bound, kafka, to="committed").lost == (LostState("passed", (), 0),)


def test_it_works_on_what_cannot_be_read(stood, bound, kafka):
    """It is what the job itself advises when it cannot read its note."""
    stood.files.write("checkpoints/passed/hdictl.json", b"{")
    stood.files.write("checkpoints/orders_dead_letters/offsets/0", b"")
    plan = plan_reset(stood, bound, kafka, to="committed")
    assert "checkpoints/passed/hdictl.json cannot be read" in described_reset(plan)
    assert "checkpoints/orders_dead_letters/offsets/0 cannot be read: it is empty" in described_reset(plan)
    carry_out(stood, plan)
    assert read_checkpoints(stood.files) == ()


def test_it_is_refused_when_the_job_was_started_while_somebody_was_asked(stood, bound, kafka):
    plan = plan_reset(stood, bound, kafka, to="earliest")
    stood.run("now")
    with pytest.raises(JobRefused, match="it is running, and works on its checkpoint"):
        carry_out(stood, plan)
    assert stood.files.read(STARTING_OFFSETS) is None
    assert len(read_checkpoints(stood.files)) == 2


@pytest.mark.parametrize("state", ["running", "starting"])
def test_it_is_refused_while_the_job_is_at_work(stood, bound, kafka, state):
    stood.run("now", state)
    with pytest.raises(JobRefused, match=f"it is {state}, and works on its checkpoint") as failure:
        plan_reset(stood, bound, kafka, to="earliest")
    assert "hdictl jobs stop orders" in failure.value.fix


@pytest.mark.parametrize("to", ["soon", "", "-1h", "17", "yesterday"])
def test_a_place_that_is_none(stood, bound, kafka, to):
    with pytest.raises(UsageError, match="is no place to begin"):
        plan_reset(stood, bound, kafka, to=to)


def test_a_query_that_has_no_checkpoint(stood, bound, kafka):
    with pytest.raises(UsageError, match=r"no checkpoint of a query `pased` .did you mean `passed`"):
        plan_reset(stood, bound, kafka, to="earliest", queries=("pased",))


def test_a_job_that_runs_some_flows_only(driver, tmp_path):
    """page_activity reads what it has written itself; not when this flow is left out."""
    kafka = FakeOffsets({"views": {0: [1, 2]}})
    job = {"reads": {"page_views": "views"}, "writes": {"sessions": "sessions", "dead_letters": "dead"}}
    bound = bound_job("page_activity", tmp_path, flows=["sessions"], **job)
    assert plan_reset(driver, bound, kafka, to="latest").starting_offsets == {"page_views": "latest"}


class TestFiles:
    """Parquet knows batches by number: a new checkpoint on an old folder would skip what it finds done."""

    @pytest.fixture
    def both(self, folder):
        return bound_job("both", folder, **BINDING)

    @pytest.fixture
    def stood(self, driver):
        for query in ("archive", "passed"):
            write_checkpoint(driver, query, {"orders": {"0": 7, "1": 4}})
        driver.files.write("tables/files/_spark_metadata/0", b"v1")
        return driver

    def test_the_folder_is_moved_with_the_checkpoint(self, stood, both, kafka):
        plan = plan_reset(stood, both, kafka, to="earliest")
        assert [place for place, _to in plan.moved] == ["tables/files", "checkpoints/archive", "checkpoints/passed"]
        carry_out(stood, plan)
        assert [each.name for each in stood.files.list("tables")] == ["_old"]
        assert read_checkpoints(stood.files) == ()

    def test_another_query_leaves_it_where_it_is(self, stood, both, kafka):
        plan = plan_reset(stood, both, kafka, to="earliest", queries=("passed",))
        assert [place for place, _to in plan.moved] == ["checkpoints/passed"]

    @pytest.mark.parametrize("done", [0, 1, 2])
    def test_who_is_interrupted_runs_it_again(self, stood, both, kafka, done):
        class Breaks:
            """The files, until so many moves are made."""

            def __init__(self) -> None:
                self.left = done

            def __getattr__(self, name: str) -> object:
                return getattr(files, name)

            def move(self, place: str, to: str) -> None:
                if self.left == 0:
                    raise FileRefused("interrupted")
                self.left -= 1
                files.move(place, to)

        files, stood.files = stood.files, Breaks()
        plan = plan_reset(stood, both, kafka, to="earliest")
        with pytest.raises(FileRefused):
            carry_out(stood, plan)
        stood.files = files
        carry_out(stood, plan_reset(stood, both, kafka, to="earliest"))
        assert read_checkpoints(files) == ()
        assert files.list("tables/files") == ()

    def test_a_folder_of_somebodys_choice_is_refused(self, stood, folder, kafka):
        writes = {**BINDING["writes"], "files": "abfs://lake@account/files"}
        both = bound_job("both", folder, reads=BINDING["reads"], writes=writes)
        with pytest.raises(JobRefused, match="whose _spark_metadata would skip new batches"):
            plan_reset(stood, both, kafka, to="earliest")
