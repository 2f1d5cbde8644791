"""What the command line's complaints become. `docker` is a shell script here: real processes, canned words."""

from pathlib import Path

import pytest

from hdictl.drivers.docker.compose import compose_command, compose_up
from hdictl.drivers.docker.engine import Engine, failure
from hdictl.drivers.docker.image import BASE_VARIABLE, image_tag
from hdictl.drivers.docker.log import telling_lines
from hdictl.errors import DiskFull, DockerUnavailable, HdictlError, PortInUse, TargetUnsupported


def _engine(folder: Path, **programs: str) -> Engine:
    """An engine that sees these programs and the system's own, but no other docker."""
    for name, script in programs.items():
        program = folder / name.replace("_", "-")
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
    return Engine({"PATH": str(folder)})


def test_no_docker_command(tmp_path):
    with pytest.raises(DockerUnavailable) as caught:
        _engine(tmp_path).require()

    assert caught.value.what == "there is no `docker` command"
    assert "--target local" in (caught.value.fix or "")


def test_no_engine_answers(tmp_path):
    engine = _engine(tmp_path, docker="echo 'Cannot connect to the Docker daemon at unix:///x.sock.' >&2; exit 1")
    with pytest.raises(DockerUnavailable) as caught:
        engine.require()

    assert caught.value.what == "no Docker engine answers"
    assert "systemctl start docker" in (caught.value.fix or "")


@pytest.mark.parametrize(
    ("complaint", "expected", "word"),
    [
        ("permission denied while trying to connect to the Docker daemon socket at …", DockerUnavailable, "usermod"),
        ("failed to copy: write /data: no space left on device", DiskFull, "prune"),
        ("Bind for 127.0.0.1:16000 failed: port is already allocated", PortInUse, "port"),
        ("listen tcp4 127.0.0.1:16000: bind: address already in use", PortInUse, "port"),
        ("error during connect: Get http://host: no route to host", DockerUnavailable, "DOCKER_HOST"),
        ("something nobody foresaw", DockerUnavailable, "docker info"),
        ("", DockerUnavailable, "docker info"),
    ],
)
def test_complaints_have_names_and_next_steps(complaint: str, expected: type[HdictlError], word: str):
    error = failure(["docker", "compose", "up"], complaint)

    assert type(error) is expected
    assert error.where
    assert error.what
    assert word in (error.fix or "")


def test_a_hanging_engine_is_given_up(tmp_path):
    engine = _engine(tmp_path, docker="exec /bin/sleep 60")

    with pytest.raises(DockerUnavailable, match="no answer within"):
        engine.call("version", timeout=0.2)


def test_lines_come_one_by_one_and_end_with_the_readers_interest(tmp_path):
    engine = _engine(tmp_path, docker="echo one; echo two >&2; exec /bin/sleep 60")
    lines = engine.lines("logs", "--follow", "x")

    assert {next(lines), next(lines)} == {"one", "two"}
    lines.close()


def test_compose_v2_is_preferred(tmp_path):
    engine = _engine(tmp_path, docker="exit 0", docker_compose="exit 0")

    assert compose_command(engine) == ("docker", "compose")


def test_compose_v1_stands_in(tmp_path):
    engine = _engine(tmp_path, docker="exit 1", docker_compose="exit 0")

    assert compose_command(engine) == ("docker-compose",)


def test_no_compose_at_all(tmp_path):
    with pytest.raises(DockerUnavailable, match="neither `docker compose` nor `docker-compose`"):
        compose_command(_engine(tmp_path, docker="exit 1"))


def test_compose_is_told_exactly_what_to_start(tmp_path):
    called = tmp_path / "called"
    engine = _engine(tmp_path, docker="exit 1", docker_compose=f'echo "$@" >{called}')

    compose_up(engine, Path("compose.yaml"), "hdictl-x", ["ingest-1003"])

    assert called.read_text() == "-p hdictl-x -f compose.yaml up --detach --no-deps ingest-1003\n"


def test_an_image_is_another_one_on_another_base():
    assert image_tag("3.2.0", "") == image_tag("3.2.0", "")
    assert image_tag("3.2.0", "") != image_tag("3.2.0", "debian:12")
    assert image_tag("3.2.0", "").startswith("hdictl-kafka:3.2.0-")
    assert BASE_VARIABLE == "HDICTL_DOCKER_BASE"


def test_a_version_without_jars_is_refused():
    with pytest.raises(TargetUnsupported):
        image_tag("0.8.0", "")


def test_telling_lines_are_errors_with_their_exception_else_the_last_ones():
    log = [
        "[…] INFO starting (kafka.server.KafkaServer)",
        "[…] ERROR Fatal error during KafkaServer startup.",
        "java.lang.IllegalArgumentException: bad value",
        "\tat kafka.Kafka.main(Kafka.scala)",
        "[…] INFO shut down completed",
    ]

    assert telling_lines(log) == tuple(log[1:3])
    assert telling_lines(log[:1]) == (log[0],)
    assert telling_lines([f"line {n}" for n in range(30)], count=2) == ("line 28", "line 29")
