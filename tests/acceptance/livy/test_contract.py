"""What every Livy does, the real one and the fake; and that the client makes of it what it should."""

from __future__ import annotations

import time

import pytest
import requests

from hdictl.drivers.livy.batch import Batch, BatchRequest
from hdictl.drivers.livy.client import LivyClient
from hdictl.drivers.livy.log_follow import LogFollower
from hdictl.errors import JobExists, LivyFailed
from tests.acceptance.livy.site import HEADER, Site, post, request
from tests.fakes.livy import Job
from tests.waiting import until

ENDLESS = Job(code=None)
LINES = tuple(f"line {number}" for number in range(1000))


def ended(client: LivyClient, batch: Batch, patience: float) -> Batch:
    found = batch

    def is_over() -> bool:
        nonlocal found
        found = client.batch(batch.id) or pytest.fail("it is forgotten")
        return found.is_over

    until(is_over, patience)
    return found


def own(lines: tuple[str, ...]) -> list[str]:
    """What the job printed; a real spark-submit adds to it."""
    return [line for line in lines if line.startswith("line ")]


def test_it_says_its_version(client):
    assert client.version() == "0.7.1-incubating"


def test_the_life_of_a_batch(client, site):
    file = site.add("life", Job((("line 0",), ("line 1", "line 2")), code=0))
    made = client.submit(request(file, "life"))
    assert (made.name, made.app_id, made.is_over) == ("life", None, False)
    assert not made.looks_phantom

    running = client.settled(made.id, site.patience)
    assert running.is_running
    assert client.batch("life").id == client.batch(made.id).id == made.id
    assert made.id in {batch.id for batch in client.batches()}
    until(lambda: own(client.log(made.id)) == ["line 0"], site.patience)

    site.release(file)
    over = ended(client, made, site.patience)
    assert (over.state, over.has_succeeded, over.is_running) == ("success", True, False)
    assert own(client.log(made.id)) == ["line 0", "line 1", "line 2"]
    assert not [line for line in client.log(made.id) if line.startswith(("stdout: ", "\n"))]
    assert client.diagnostics(made.id) == ()

    client.delete(made.id)
    assert client.batch(made.id) is None
    assert client.batch("life") is None
    client.delete(made.id)  # as good


def test_a_name_is_a_lock(client, site):
    file = site.add("lock", ENDLESS)
    first = client.submit(request(file, "lock"))
    with pytest.raises(JobExists, match="there is a batch `lock` already") as failure:
        client.submit(request(file, "lock"))
    assert failure.value.id == "E421"
    assert "Duplicate session name: Some(lock) for session" in post(site, {"file": file, "name": "lock"}).json()["msg"]
    # Those that were refused left nothing behind, and did the first no harm.
    assert [batch.id for batch in client.batches() if batch.name == "lock"] == [first.id]
    assert client.settled(first.id, site.patience).is_running

    # Killed at once, while it runs; it is never seen as killed, and the name is free.
    begin = time.monotonic()
    client.delete(first.id)
    assert time.monotonic() - begin < 10
    assert client.batch("lock") is None
    again = client.submit(request(site.missing("lock-again"), "lock"))
    assert again.id > first.id


def test_a_job_that_fails_is_dead_and_its_last_words_are_kept(client, site):
    file = site.add("fails", Job((("line 0", "line 1: no such topic"),), code=3))
    over = ended(client, client.submit(request(file, "fails")), site.patience)
    assert (over.state, over.has_succeeded, over.is_over) == ("dead", False, True)
    assert own(client.log(over.id))[-1] == "line 1: no such topic"
    assert over.log
    assert over.log[-1] == client.log(over.id)[-1]


def test_a_file_that_is_not_there_is_taken_and_dies(client, site):
    answer = post(site, request(site.missing("nowhere"), "nowhere").to_body())
    assert (answer.status_code, answer.json()["name"]) == (201, "nowhere")
    assert answer.headers["Location"] == f"/batches/{answer.json()['id']}"
    over = ended(client, client.batch("nowhere"), site.patience)
    assert over.state == "dead"
    assert any("No such file" in line for line in client.log(over.id))


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        ({"file": "/etc/hosts"}, 400, "Local path /etc/hosts cannot be added to user sessions."),
        ({"file": "job.py"}, 400, "Path 'job.py' is not absolute."),
        ({}, 400, "File is required."),
        ({"file": "/etc/hosts", "driverCores": "two"}, 500, "java.lang.ClassCastException"),
    ],
)
def test_a_refusal_leaves_a_phantom(client, site, body, status, said):
    answer = post(site, {"name": "ghost", **body})
    assert answer.status_code == status
    # Livy's own words are in an object, those of what broke are a bare string.
    assert said in answer.json() if status == 500 else answer.json() == {"msg": f"requirement failed: {said}"}

    ghost = client.batch("ghost")
    assert (ghost.state, ghost.looks_phantom, ghost.log) == ("starting", True, ())
    assert client.log(ghost.id) == ()
    assert client.settled(ghost.id, 0.2).state == "starting"
    assert ghost.id in {batch.id for batch in client.phantoms(client.batches(), 0)}
    with pytest.raises(JobExists):
        client.submit(BatchRequest(site.missing("x"), "ghost"))
    client.delete(ghost.id)
    assert client.batch("ghost") is None


def test_the_client_takes_its_own_phantom_away(client, site):
    with pytest.raises(LivyFailed, match=r"refused the batch `spirit`: Local path .* cannot be added") as failure:
        client.submit(BatchRequest("/etc/hosts", "spirit"))
    assert "abfs://" in failure.value.fix
    assert client.batch("spirit") is None
    assert client.phantoms(client.batches(), 0) == ()


def test_a_phantom_has_to_be_seen_for_a_while(client, site):
    file = site.add("starts", ENDLESS)
    client.submit(request(file, "starts"))
    post(site, {"name": "ghost"})
    assert client.phantoms(client.batches(), 0.2) == ()
    time.sleep(0.25)
    assert [batch.name for batch in client.phantoms(client.batches(), 0.2)] == ["ghost"]


def test_unknown_fields_are_refused_before_anything_is_noted(client, site):
    answer = post(site, {"file": "/etc/hosts", "name": "odd", "bogus": 1})
    assert answer.status_code == 400
    assert 'Unrecognized field "bogus"' in answer.json()
    known = set(answer.json().partition("known properties: ")[2].partition("]")[0].replace('"', "").split(", "))
    whole = BatchRequest(
        "f", "n", ("a",), {"k": "v"}, "c", ("j",), ("p",), ("f",), ("a",), "1g", 1, "1g", 1, 1, "q", "u"
    )
    assert known == set(whole.to_body())
    assert client.batch("odd") is None


@pytest.mark.parametrize("content", ["", "{nonsense", '{"file": "/etc/hosts", "args": "one"}'])
def test_a_body_that_cannot_be_read(client, site, content):
    before = len(client.batches())
    answer = requests.post(f"{site.root}/batches", data=content, headers=HEADER, timeout=30)
    assert answer.status_code == 400
    assert isinstance(answer.json(), str)
    assert len(client.batches()) == before


@pytest.mark.parametrize("method", ["POST", "DELETE"])
def test_a_write_without_the_header_is_refused_with_a_page(site, method):
    path = "/batches" if method == "POST" else "/batches/early"
    answer = requests.request(method, f"{site.root}{path}", json={}, timeout=30)
    assert (answer.status_code, answer.headers["Content-Type"]) == (400, "text/html;charset=iso-8859-1")
    assert "Missing Required Header for CSRF protection." in answer.text


def test_what_is_not_there(client, site):
    assert client.batch("nobody") is None
    assert client.batch(4711) is None
    assert client.log(4711) == ()
    client.delete(4711)
    missing = requests.get(f"{site.root}/batches/nobody", timeout=30)
    assert (missing.status_code, missing.json()) == (404, {"msg": "Session 'nobody' not found."})
    assert requests.get(f"{site.root}/nowhere", timeout=30).status_code == 404


def test_names(client, site):
    for name in ("12", ""):
        with pytest.raises(LivyFailed, match="Invalid session name"):
            client.submit(BatchRequest("/etc/hosts", name))
    for name in ("a/b c", "größer", "50%"):
        assert post(site, {"name": name}).status_code == 400
        assert client.batch(name).name == name


def test_many_batches_come_in_pages(client, site):
    before = {batch.id for batch in client.batches()}
    for number in range(130):  # refused ones are batches too, and take no time
        post(site, {"name": f"crowd-{number}"})
    crowd = [batch for batch in client.batches() if batch.id not in before]
    assert [batch.name for batch in crowd] == [f"crowd-{number}" for number in range(130)]

    page = requests.get(f"{site.root}/batches", params={"from": 1, "size": 2}, timeout=30).json()
    assert (page["from"], page["total"], len(page["sessions"])) == (1, len(before) + 130, 2)
    beyond = requests.get(f"{site.root}/batches", params={"from": 1000}, timeout=30).json()
    assert beyond["sessions"] == []
    assert len(requests.get(f"{site.root}/batches", timeout=30).json()["sessions"]) == 100


def test_the_log_is_a_window_and_following_it_loses_and_doubles_nothing(client, site):
    bursts = (LINES[:10], LINES[10:150], LINES[150:300], LINES[300:1000])
    file = site.add("talks", Job(bursts, code=0))
    batch, follower = client.submit(request(file, "talks")), LogFollower()
    seen: list[str] = []
    for last in (9, 149, 299):
        while not seen or seen[-1] != f"line {last}":
            lines, lost = follower.new_lines(client.log(batch.id))
            assert not lost
            seen += own(lines)
            time.sleep(0.02)
        site.release(file)
    assert seen == list(LINES[:300])

    # Then more at once than Livy keeps.
    ended(client, batch, site.patience)
    lines, lost = follower.new_lines(client.log(batch.id))
    assert lost
    assert own(lines) == list(LINES[-len(own(lines)) :])
    assert follower.new_lines(client.log(batch.id)) == ((), False)

    assert len(client.log(batch.id)) == 200
    whole = log(site, batch, size=-1)
    assert (whole["from"], whole["total"], whole["log"][0], whole["log"][-1]) == (0, 202, "stdout: ", "\nstderr: ")
    # A position is one in the window of this moment; past its end there is nothing, and nothing said is the last 100.
    assert int(log(site, batch, **{"from": 1, "size": 1})["log"][0].split()[1]) >= 800
    assert log(site, batch, **{"from": 500})["log"] == []
    assert (log(site, batch)["from"], len(log(site, batch)["log"])) == (102, 100)


def log(site: Site, batch: Batch, **query: int) -> dict:
    return requests.get(f"{site.root}/batches/{batch.id}/log", params=query, timeout=30).json()
