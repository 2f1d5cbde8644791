"""Jars through real Ivy, from a Maven repository that is a folder."""

from __future__ import annotations

import hashlib
import os
import threading
from contextlib import contextmanager

import pytest

from hdictl.drivers.java.jar_lock import LockedJar
from hdictl.drivers.java.jars import ensure_jars
from hdictl.errors import JarsUnavailable
from hdictl.ports.progress import Silent

ONE, TWO = b"PK one " * 1000, b"PK two " * 2000


class Repository:
    def __init__(self, root):
        self.root = root

    def put(self, artifact, content):
        place = self.root / "org" / "example" / artifact / "1.0" / f"{artifact}-1.0.jar"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
        return place

    @property
    def environ(self):
        return {**os.environ, "HDICTL_MAVEN_MIRROR": self.root.as_uri()}


class Counted(Silent):
    def __init__(self):
        self.bars = []

    @contextmanager
    def track(self, label, total=None):
        bar = [0, total]
        self.bars.append(bar)

        def advance(more):
            bar[0] += more

        yield advance


@pytest.fixture
def repository(tmp_path):
    repository = Repository(tmp_path / "repository")
    repository.put("one", ONE)
    repository.put("two", TWO)
    return repository


@pytest.fixture
def cache(tmp_path):
    return tmp_path / "cache"


def locked(artifact, content):
    return LockedJar("org.example", artifact, "1.0", hashlib.sha256(content).hexdigest(), len(content))


JARS = (locked("one", ONE), locked("two", TWO))


class NoJava(dict):
    """An environment in which nothing can be fetched."""

    def get(self, name, default=None):
        raise AssertionError(f"{name} was asked for: something was about to be fetched")


def test_jars_are_fetched_once_with_a_bar(repository, cache):
    progress = Counted()
    paths = ensure_jars(JARS, progress, environ=repository.environ, cache=cache)
    assert [path.read_bytes() for path in paths] == [ONE, TWO]
    assert progress.bars == [[2, 2]]
    assert ensure_jars(JARS, progress, environ=NoJava(), cache=cache) == paths
    assert not list((cache / "jars").glob(".fetch-*"))


@pytest.mark.parametrize("damage", [ONE[:100], b"", ONE.replace(b"one", b"eno")])
def test_a_partial_or_changed_jar_is_repaired_and_only_that(repository, cache, damage):
    one, two = ensure_jars(JARS, Silent(), environ=repository.environ, cache=cache)
    one.write_bytes(damage)
    untouched = two.stat()
    progress = Counted()
    ensure_jars(JARS, progress, environ=repository.environ, cache=cache)
    assert one.read_bytes() == ONE
    assert two.stat() == untouched
    assert progress.bars == [[1, 1]]


def test_a_jar_that_was_only_touched_is_not_fetched_again(repository, cache):
    one, _ = ensure_jars(JARS, Silent(), environ=repository.environ, cache=cache)
    one.touch()
    ensure_jars(JARS, Silent(), environ=NoJava(), cache=cache)


def test_a_wrong_sum_twice_names_jar_and_both_sums(repository, cache):
    repository.put("two", b"something else")
    with pytest.raises(JarsUnavailable) as failure:
        ensure_jars(JARS, Silent(), environ=repository.environ, cache=cache)
    assert "org.example:two:1.0" in failure.value.what
    assert JARS[1].sha256 in failure.value.what
    assert hashlib.sha256(b"something else").hexdigest() in failure.value.what
    assert "HDICTL_MAVEN_MIRROR" in failure.value.fix
    assert not (cache / "jars" / JARS[1].path).exists()
    repository.put("two", TWO)
    assert len(ensure_jars(JARS, Silent(), environ=repository.environ, cache=cache)) == 2


def test_a_missing_jar_is_named(repository, cache):
    with pytest.raises(JarsUnavailable, match=r"does not have org\.example:three:1\.0"):
        ensure_jars([*JARS, locked("three", b"3")], Silent(), environ=repository.environ, cache=cache)


def test_a_mirror_that_does_not_answer_is_said_without_its_password(cache):
    environ = {**os.environ, "HDICTL_MAVEN_MIRROR": "http://user:secret@127.0.0.1:9/maven"}
    with pytest.raises(JarsUnavailable, match="does not answer") as failure:
        ensure_jars(JARS, Silent(), environ=environ, cache=cache)
    assert "secret" not in str(failure.value)


def test_ivy_settings_of_the_users_own(repository, cache, tmp_path):
    settings = tmp_path / "ivysettings.xml"
    settings.write_text(
        f"""<ivysettings><settings defaultResolver="mine"/><resolvers><filesystem name="mine" m2compatible="true">
        <artifact pattern="{repository.root}/[organisation]/[module]/[revision]/[artifact]-[revision].[ext]"/>
        </filesystem></resolvers></ivysettings>"""
    )
    environ = {**os.environ, "HDICTL_IVY_SETTINGS": str(settings)}
    assert len(ensure_jars(JARS, Silent(), environ=environ, cache=cache)) == 2
    with pytest.raises(JarsUnavailable, match="does not exist"):
        ensure_jars(
            [locked("three", b"3")], Silent(), environ={**environ, "HDICTL_IVY_SETTINGS": "/no/file"}, cache=cache
        )


def test_two_at_once_fetch_once(repository, cache):
    progress = Counted()
    threads = [
        threading.Thread(
            target=ensure_jars, args=(JARS, progress), kwargs={"environ": repository.environ, "cache": cache}
        )
        for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert progress.bars == [[2, 2]]


def test_a_cache_that_is_no_folder_is_said(repository, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(JarsUnavailable, match="jar cache cannot be used") as failure:
        ensure_jars(JARS, Silent(), environ=repository.environ, cache=tmp_path / "file")
    assert "HDICTL_CACHE_DIR" in failure.value.fix
