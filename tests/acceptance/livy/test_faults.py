"""What goes wrong between the client and a Livy, on the fake alone: each has a name, a place and a next step."""

from __future__ import annotations

import socket
import traceback
from collections.abc import Iterator
from itertools import repeat

import pytest

from hdictl.drivers.azure.secrets import SecretText
from hdictl.drivers.livy.batch import BatchRequest
from hdictl.drivers.livy.client import LivyClient
from hdictl.drivers.livy.connect import connect
from hdictl.drivers.livy.session import open_session
from hdictl.drivers.livy.transport import Transport
from hdictl.errors import JobExists, LivyFailed
from tests.fakes.livy import Drop, FakeLivy, Job, Page
from tests.fakes.livy.server import NOT_NOW, SIGN_IN, after, first

PASSWORD = "Canary-Pässwort-7731"
WHERE = "Livy of `jobs`"
JOB = BatchRequest("/jobs/a.py", "a")


@pytest.fixture
def livy() -> Iterator[FakeLivy]:
    with FakeLivy() as fake:
        fake.add("a", Job(((), ()), code=0))
        yield fake


@pytest.fixture
def pauses() -> list[float]:
    return []


@pytest.fixture
def client(livy, pauses) -> Iterator[LivyClient]:
    """One that loses no time between its attempts."""
    with open_session(None, None, first_pause=0.01) as session:
        yield LivyClient(Transport(session, livy.root, WHERE), WHERE, pause=pauses.append)


@pytest.fixture
def gateway(monkeypatch) -> Iterator[FakeLivy]:
    with FakeLivy(sign_in=("admin", PASSWORD)) as fake:
        monkeypatch.setenv("REQUESTS_CA_BUNDLE", fake.bundle)
        yield fake


def page(status: int, text: str = "", kind: str = "application/json", **headers: str) -> Page:
    return Page(status, text, kind, headers)


@pytest.mark.parametrize(
    ("answer", "said", "step"),
    [
        (SIGN_IN, "a page came back instead of JSON", "in a browser"),
        (page(302, Location="https://login.example/"), "wants a sign-in", "in a browser"),
        (page(401, "", "text/html"), "the gateway user or password is wrong", "secrets.gateway"),
        (page(403, '{"msg": "not yours"}'), "the user may not do this (not yours)", "gateway_user"),
        (page(404, "", "text/html"), "there is no Livy at this address", "of kind spark"),
        (page(500, '"java.lang.IllegalStateException: x"'), "GET /batches was answered with 500 (java.lang.Ill", "log"),
        (page(500, "<html><h1>Oh &amp; no</h1>", "text/html"), "answered with 500 (Oh & no)", "Livy's own log"),
        (page(400, '{"msg": "no"}'), "answered with 400 (no)", "Livy's own log"),
        (page(200, "[]"), "something that is not Livy's", "which version"),
        (page(200, '{"sessions": [{"state": "running"}]}'), "something that is not Livy's", "which version"),
        (page(200), "something that is not Livy's", "which version"),
    ],
)
def test_each_refusal_has_a_name_and_a_next_step(client, livy, answer, said, step):
    livy.trip = lambda request: answer
    with pytest.raises(LivyFailed) as failure:
        client.batches()
    assert said in failure.value.what
    assert step in failure.value.fix
    assert (failure.value.where, failure.value.id) == (WHERE, "E420")
    assert len(livy.requests) == 1


def test_reads_are_tried_again(client, livy):
    client.submit(JOB)
    livy.trip = first(NOT_NOW, Drop.BEFORE, page(502), page(429, **{"Retry-After": "0"}))
    assert client.batch("a").name == "a"
    assert len(livy.sent("GET")) == 5


def test_reads_are_not_tried_for_ever(client, livy):
    livy.trip = first(*repeat(page(503, NOT_NOW.text, "text/html", **{"Retry-After": "0"}), 9))
    with pytest.raises(LivyFailed, match=r"answered with 503 \(503 Service Unavailable\)") as failure:
        client.batch("a")
    assert "in a minute" in failure.value.fix
    assert len(livy.requests) == 6


@pytest.mark.parametrize("trip", [NOT_NOW, page(429), page(502), page(504), Drop.BEFORE, Drop.AFTER])
def test_a_submission_is_never_sent_twice(client, livy, trip):
    livy.trip = lambda request: trip if request.method == "POST" else None
    with pytest.raises(LivyFailed) as failure:
        client.submit(JOB)
    assert livy.sent("POST") == ["/batches"]
    assert "may have been started all the same" in failure.value.fix
    livy.trip = None
    assert (client.batch("a") is not None) == (trip is Drop.AFTER)


def test_a_deletion_is_never_sent_twice(client, livy):
    batch = client.submit(JOB)
    livy.trip = first(NOT_NOW)
    with pytest.raises(LivyFailed, match="DELETE /batches/0 was answered with 503"):
        client.delete(batch.id)
    assert len(livy.sent("DELETE")) == 1


def test_an_answer_that_takes_too_long(livy):
    livy.trip = after(0.5)
    with open_session(None, None, first_pause=0.01) as session:
        client = LivyClient(Transport(session, livy.root, WHERE, read_seconds=0.1), WHERE)
        with pytest.raises(LivyFailed, match=r"does not answer \(timed out\)") as failure:
            client.submit(JOB)
        assert "look for it by its name" in failure.value.fix
        with pytest.raises(LivyFailed, match=r"does not answer \(timed out\)") as failure:
            client.version()
        assert "is Running" in failure.value.fix


def test_nobody_listens():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with (
        connect(f"http://127.0.0.1:{port}", None, None, WHERE) as client,
        pytest.raises(LivyFailed, match=r"does not answer \(connection refused\)") as failure,
    ):
        client.submit(JOB)
    assert "is Running" in failure.value.fix


def test_too_many_at_once_is_waited_for(client, livy, pauses):
    livy.world.room = 0

    def make_room(request):
        livy.world.room = int(len(pauses) >= 2)

    livy.trip = make_room
    assert client.submit(JOB).name == "a"
    assert pauses == [5.0, 5.0]


def test_too_many_at_once_is_not_waited_for_for_ever(client, livy, pauses):
    livy.world.room = 0
    with pytest.raises(LivyFailed, match="as many batches as it may") as failure:
        client.submit(JOB)
    assert "max-creation" in failure.value.fix
    assert len(pauses) == 4
    assert client.batches() == ()


def test_a_refusal_is_told_even_when_its_phantom_cannot_be_taken_away(client, livy):
    livy.trip = lambda request: page(500, '"no"') if request.method == "DELETE" else None
    with pytest.raises(LivyFailed, match="refused the batch `a`: Local path /etc/hosts cannot"):
        client.submit(BatchRequest("/etc/hosts", "a"))
    assert client.batch("a").looks_phantom


def test_somebody_elses_batch_is_not_taken_for_our_phantom(client, livy):
    """A request that cannot be read is refused before a name is noted: whoever has that name is somebody else."""
    client.submit(JOB)
    refusal = page(400, '"Cannot deserialize instance"')
    livy.trip = lambda request: refusal if request.method == "POST" else None
    with pytest.raises(LivyFailed, match="Cannot deserialize"):
        client.submit(JOB)
    assert client.batch("a") is not None


def test_settling_ends_when_patience_does_or_the_batch_is_gone(livy, pauses):
    batch = livy.world.create({"file": "/jobs/a.py", "name": "a"})
    batch.starting = 1_000_000
    clock = iter(range(100))
    with open_session(None, None) as session:
        transport = Transport(session, livy.root, WHERE)
        client = LivyClient(transport, WHERE, pause=pauses.append, clock=lambda: float(next(clock)))
        assert client.settled(0, patience=4).state == "starting"
        assert len(pauses) == 3
        assert client.settled(4711, patience=4) is None


def test_yarn_has_the_last_word_and_following_does_not_trip_over_it(client, livy):
    batch = client.submit(JOB)
    seen = livy.world.batches[batch.id]
    seen.app_id, seen.diagnostics = "application_1_0007", ("Diagnostics: Container killed", "exit code 143")
    assert client.batch("a").app_id == "application_1_0007"
    assert client.log(batch.id) == ()
    assert client.diagnostics(batch.id) == ("Diagnostics: Container killed", "exit code 143")


class TestLivy05:
    """HDInsight may have it: names are taken, and neither shown, nor looked up, nor kept apart."""

    @pytest.fixture
    def livy(self) -> Iterator[FakeLivy]:
        with FakeLivy(has_names=False) as fake:
            fake.add("a", Job(((), ()), code=0))
            yield fake

    def test_a_name_is_never_said_to_be_free_when_nobody_knows(self, client, livy):
        assert client.version() == "0.5.0-incubating"
        assert client.batch("a") is None  # there is none at all
        made = client.submit(JOB)
        assert (made.name, made.is_nameable) == (None, False)
        with pytest.raises(LivyFailed, match=r"0\.5\.0-incubating.*does not say which batch is called what") as failure:
            client.batch("a")
        assert "there are 0" in failure.value.fix
        assert client.batch(made.id).id == made.id
        client.delete(made.id)
        assert client.batch(made.id) is None

    def test_names_are_no_locks(self, client):
        assert client.submit(JOB).id != client.submit(JOB).id

    def test_a_refusal_leaves_nothing_behind(self, client):
        with pytest.raises(LivyFailed, match="Local path /etc/hosts cannot"):
            client.submit(BatchRequest("/etc/hosts", "a"))
        assert client.batches() == ()


def test_a_duplicate_in_the_words_of_a_newer_livy(client, livy):
    livy.trip = first(page(400, '{"msg": "Rejected, Reason: Duplicate session name: Some(a) for session 2"}'))
    with pytest.raises(JobExists):
        client.submit(JOB)


def test_the_gateway_takes_a_user_and_a_password(gateway):
    with connect(gateway.root, "admin", SecretText(PASSWORD), WHERE) as client:
        assert client.version() == "0.7.1-incubating"
        client.submit(JOB)
    assert gateway.requests[-1].headers["x-requested-by"] == "hdictl"


def test_a_wrong_password_is_said_and_never_shown(gateway):
    wrong = "-".join(["Wrong", "canary", "5"])  # a traceback shows the lines of this test
    with (
        connect(gateway.root, "admin", SecretText(wrong), WHERE) as client,
        pytest.raises(LivyFailed, match="gateway user or password is wrong") as failure,
    ):
        client.submit(JOB)
    assert wrong not in "".join(traceback.format_exception(failure.value))


def test_a_password_never_goes_through_plain_http(livy):
    with (
        pytest.raises(LivyFailed, match="readable on its way"),
        connect(livy.root, "admin", SecretText(PASSWORD), WHERE),
    ):
        pass
    assert livy.requests == []


def test_a_head_node_gets_no_password_from_a_netrc(client, livy, tmp_path, monkeypatch):
    netrc = tmp_path / "netrc"
    netrc.write_text("machine localhost login me password canary\n")
    monkeypatch.setenv("NETRC", str(netrc))
    client.version()
    assert "authorization" not in livy.requests[-1].headers


def test_an_untrusted_certificate(gateway, monkeypatch):
    for variable in ("REQUESTS_CA_BUNDLE", "SSL_CERT_FILE", "CURL_CA_BUNDLE"):
        monkeypatch.delenv(variable, raising=False)
    with (
        connect(gateway.root, "admin", SecretText(PASSWORD), WHERE) as client,
        pytest.raises(LivyFailed, match="certificate is not trusted") as failure,
    ):
        client.version()
    assert "REQUESTS_CA_BUNDLE" in failure.value.fix
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", "/nowhere/certificates.pem")
    with (
        connect(gateway.root, "admin", SecretText(PASSWORD), WHERE) as client,
        pytest.raises(LivyFailed, match="REQUESTS_CA_BUNDLE says"),
    ):
        client.version()
