"""What every driver of jobs does, on real Kafka with real Spark: on this machine, and through a real Livy."""

from __future__ import annotations

import json
import threading

import pytest

from hdictl.errors import JobExists, JobRefused
from hdictl.ports.job_driver import JobDriver
from hdictl.ports.kafka import Record
from hdictl.ports.progress import Silent
from hdictl.streaming.lag import QueryLag
from hdictl.streaming.outcomes import RESTARTED, STARTED, UNCHANGED, Stopped
from hdictl.streaming.state import SUBMITTED
from hdictl.workflow.jobs import letters, reset
from hdictl.workflow.jobs.bound import BoundJob
from hdictl.workflow.jobs.checkpoints import read_checkpoints
from hdictl.workflow.jobs.lag import job_lag
from hdictl.workflow.jobs.letters import Choice
from hdictl.workflow.jobs.package import to_package
from hdictl.workflow.jobs.status import status_of, stray_status
from hdictl.workflow.jobs.stop import stop_job
from tests.acceptance.jobs.orders import QUERIES, Orders, submit
from tests.acceptance.jobs.site import Site, crash, family
from tests.fakes.small_pipeline import PIPELINE, write_pipeline
from tests.waiting import PATIENCE, until

OTHER = {"out": "other", "dead": "other"}


def stop(driver: JobDriver, name: str = "orders", timeout: float = PATIENCE) -> Stopped:
    return stop_job(driver, name, Silent(), timeout=timeout)


def state(driver: JobDriver, name: str = "orders") -> str:
    return status_of(driver, name, "orders").state


def events(driver: JobDriver) -> set[str]:
    board = status_of(driver, "orders", "orders").board
    return {line["event"] for line in board.recent} if board is not None else set()


def behind(driver: JobDriver, bound: BoundJob, orders: Orders) -> int | None:
    """Records that its queries have not read; None when not all of them have begun."""
    with orders.offsets() as kafka:
        found = job_lag(driver, bound, kafka)
    return sum(each.records for each in found) if len(found) == len(QUERIES) else None


def caught_up(driver: JobDriver, bound: BoundJob, orders: Orders) -> None:
    until(lambda: behind(driver, bound, orders) == 0)


def settled(driver: JobDriver, name: str = "orders") -> dict[str, bool]:
    with driver.storage(name) as storage:
        return {each.query: each.is_settled for each in read_checkpoints(storage)}


def test_submitted_changed_and_stopped(site: Site, orders: Orders):
    driver, bound, other = site.driver(), orders.bound(), orders.bound("other", writes=OTHER)
    orders.send(50)
    first = submit(driver, bound)
    assert (first.action, first.status.state, first.was_killed) == (STARTED, "running", False)
    neighbour = submit(driver, other)
    assert neighbour.status.id != first.status.id
    # Both are known to whoever has neither in their stack.
    assert site.driver().names() == ["orders", "other"]
    assert stray_status(site.driver(), "other").pipeline == "orders"

    # Whoever comes later finds it, and has nothing to do.
    again = submit(site.driver(), bound)
    assert (again.action, again.status.id, again.status.state) == (UNCHANGED, first.status.id, "running")
    with pytest.raises(JobExists):
        site.driver().stage(to_package(driver, bound), Silent()).start(Silent())
    assert len([process for process in family(site.folder / "orders") if process.name() == "java"]) == 1
    caught_up(driver, bound, orders)

    # Only what has changed is started anew, and goes on where it was.
    changed = orders.bound(parameters={"factor": 2})
    orders.send(50)
    moved = submit(driver, changed)
    assert (moved.action, moved.was_killed) == (RESTARTED, False)
    assert moved.status.id != first.status.id
    assert status_of(driver, "other", "orders").id == neighbour.status.id
    until(lambda: "resumed" in events(driver))
    orders.send(50)
    caught_up(driver, changed, orders)
    assert stop(driver, "other").was_running
    assert stray_status(site.driver(), "other") is None

    # Between two micro-batches: by itself, and nothing is left half done. Who follows its log hears the last word.
    heard: list[str] = []
    listener = threading.Thread(target=lambda: heard.extend(site.driver().log("orders", lines=5, follow=True)))
    listener.start()
    stopped = stop(driver)
    assert (stopped.was_running, stopped.was_killed) == (True, False)
    assert settled(driver) == dict.fromkeys(QUERIES, True)
    assert (state(driver), stop(driver).was_running) == ("stopped", False)
    assert family(site.folder / "orders") == []
    listener.join(PATIENCE)
    assert sum('"event": "stopped"' in line for line in heard) == 1
    assert any('"event": "stopped"' in line for line in driver.log("orders", lines=200, follow=False))
    assert list(driver.log("orders", lines=0, follow=False)) == []
    assert len(list(driver.log("orders", lines=3, follow=False))) == 3

    # When whoever ran it has forgotten it, its folder still tells.
    site.forget("orders")
    assert state(driver) == "stopped"

    assert orders.came() == dict.fromkeys(orders.wanted(), 1)
    amounts = {each["id"]: each["amount"] for each in (json.loads(record.value) for record in orders.read("out"))}
    assert (amounts["o-7"], amounts["o-107"]) == (7, 2 * 107)  # by the parameter of then


def test_ended_by_force_and_lost_it_resumes_with_nothing_lost(site: Site, orders: Orders):
    driver, bound = site.driver(), orders.bound(max_offsets_per_trigger=20)
    orders.send(200)
    submit(driver, bound)
    until(lambda: orders.count("out") > 0)
    ended = stop(driver, timeout=0)
    assert (ended.was_running, ended.was_killed) == (True, True)
    # It could not say so itself; but it was no accident.
    assert state(driver) == "stopped"
    until(lambda: family(site.folder / "orders") == [], 20)

    assert submit(driver, bound).action == STARTED
    orders.send(100)
    until(lambda: state(driver) == "running")
    crash(site.folder / "orders")
    until(lambda: state(driver) == "lost", 20)
    status = status_of(site.driver(), "orders", "orders")
    assert not status.is_well
    assert list(driver.log("orders", lines=50, follow=True))  # ends by itself

    assert submit(driver, bound).action == STARTED
    caught_up(driver, bound, orders)
    assert not stop(driver).was_killed
    assert set(orders.came()) == orders.wanted()


def test_lag_dead_letters_and_a_new_beginning(site: Site, orders: Orders):
    driver, bound = site.driver(), orders.bound()
    orders.send(40)
    orders.send_bad('{"id": "z", "amount', '{"id": "x"}', '{"id": "y"}')
    submit(driver, bound)
    caught_up(driver, bound, orders)
    with orders.offsets() as kafka:
        # The groups that other tools see say the same as the checkpoints.
        until(lambda: all(map(_is_told, job_lag(driver, bound, kafka))))
        found = job_lag(driver, bound, kafka)
        assert [each.group for each in found] == [f"{orders.stack}.orders.{name}" for name in sorted(QUERIES)]
        assert {(each.seconds, each.eta_seconds) for each in found} == {(0.0, 0.0)}
        assert all(each.writes_per_second == pytest.approx(43 / 60) for each in found)
        with pytest.raises(JobRefused, match="it is running, and works on its checkpoint"):
            reset.plan_reset(driver, bound, kafka, to="earliest")
    _look_at_letters(driver, orders, bound)
    stop(driver)

    before = orders.count("orders")
    orders.send(10)
    with orders.offsets() as kafka:
        late = {each.query: each for each in job_lag(driver, bound, kafka)}["passed"]
        assert late.records == orders.count("orders") - sum(part.position for part in late.partitions) > 9
        assert 0 < late.seconds < PATIENCE
        _plan_resets(driver, bound, kafka, orders, before)
        plan = reset.plan_reset(driver, bound, kafka, to="earliest", queries=("passed",))
    reset.carry_out(driver, plan)
    with driver.storage("orders") as storage:
        assert [each.query for each in read_checkpoints(storage)] == ["orders_dead_letters"]
        assert storage.list(f"{plan.moved[0][1]}/commits")  # nothing is thrown away

    copies = orders.count("out")
    submit(driver, bound)
    caught_up(driver, bound, orders)
    stop(driver)
    assert orders.count("out") - copies == orders.sent
    assert set(orders.came()) == orders.wanted()


def _is_told(each: QueryLag) -> bool:
    """By its group, and on the board."""
    return bool(each.reads_per_second) and all(part.committed == part.position for part in each.partitions)


def _plan_resets(driver, bound, kafka, orders, before) -> None:
    """What each place to begin costs. Nothing is touched."""
    topic = orders.topic("orders")
    unread = orders.count("orders") - before
    for to, skipped, again in (
        ("earliest", {}, {topic: before}),
        ("latest", {topic: unread}, {}),
        ("committed", {}, {}),
        ("1h", {}, {topic: before}),
    ):
        plan = reset.plan_reset(driver, bound, kafka, to=to)
        assert (plan.skipped, plan.again, set(plan.queries)) == (skipped, again, set(QUERIES)), to
    assert settled(driver) == dict.fromkeys(QUERIES, True)


def _look_at_letters(driver: JobDriver, orders: Orders, bound: BoundJob) -> None:
    """Sent again: those of one error, then the others, then all once more; and none is lost when it breaks off."""
    until(lambda: orders.count("dead") == 3)
    found = list(letters.read_letters(bound, orders.records))
    assert sorted(each.error for each in found) == ["malformed", "missing:amount", "missing:amount"]
    assert {each.origin for each in found} == {orders.topic("orders")}

    class Breaks:
        """Takes one, and then the brokers are away."""

        def read(self, *place, **how):
            return orders.records.read(*place, **how)

        def send(self, topic: str, records) -> int:
            orders.records.send(topic, [next(iter(records))])
            raise JobRefused("interrupted")

    with orders.offsets() as kafka, driver.storage(bound.name) as storage:
        plan = letters.plan_replay(bound, orders.records, kafka, storage, Choice())
        assert (len(plan.letters), plan.passed_over, plan.targets) == (3, 0, {orders.topic("orders"): 3})
        with pytest.raises(JobRefused):
            letters.carry_out(Breaks(), storage, plan)

        plan = letters.plan_replay(bound, orders.records, kafka, storage, Choice("missing"))
        wanted = {each.value for each in found if each.kind == "missing"}
        assert {letter.value for letter in plan.letters} == wanted
        seen = len(plan.letters)
        assert letters.carry_out(orders.records, storage, plan) == seen
        # The one that was sent before it broke off, and these, are dead again: that is what a replay of them is worth.
        until(lambda: orders.count("dead") == 3 + 1 + seen)
        plan = letters.plan_replay(bound, orders.records, kafka, storage, Choice())
        assert plan.passed_over == seen
        assert len(plan.letters) == 3 + 1
        again = letters.plan_replay(bound, orders.records, kafka, storage, Choice(again=True))
        assert (len(again.letters), again.passed_over) == (3 + 1 + seen, 0)
    sent = [record for record in orders.read("orders") if dict(record.headers).get("replayed_from")]
    assert len(sent) == 1 + seen
    assert {record.value for record in sent} <= {each.value for each in found}
    assert all(isinstance(record, Record) and record.key == b"bad" for record in sent)


def test_what_does_not_fit_is_refused_with_one_message(site: Site, orders: Orders):
    driver, bound = site.driver(), orders.bound()
    with pytest.raises(JobRefused, match="there is no topic `there-is-no-such-topic`") as failure:
        submit(driver, orders.bound(reads={"orders": "nowhere"}))
    assert "hdictl apply" in failure.value.fix
    assert state(driver) == "failed"
    assert settled(driver) == {}

    orders.send(20)
    submit(driver, bound)
    caught_up(driver, bound, orders)
    stop(driver)

    # Another pipeline of the same job: its checkpoint is not this one's.
    write_pipeline(orders.folder, {**PIPELINE, "name": "returns"})
    with pytest.raises(JobRefused, match="the checkpoint belongs to orders/passed, and this is returns/passed"):
        submit(driver, orders.bound(pipeline="returns"))

    # A topic that was made anew, and filled beyond where the job was: Spark would read on without a word.
    orders.unmake(orders.topic("orders"))
    orders.make(orders.topic("orders"))
    orders.send(100)
    with pytest.raises(JobRefused, match="was deleted and made anew") as failure:
        submit(driver, bound)
    assert "checkpoint reset" in failure.value.fix
    assert "\n" not in failure.value.what
    until(lambda: state(driver) == "failed", 30)
    with driver.storage("orders") as storage:
        note = json.loads(storage.read(SUBMITTED))
    assert note["fingerprint"] == to_package(driver, bound).fingerprint
    assert orders.count("out") == 20
