"""What goes wrong on a laptop, at the command line: one clear message, the right exit code, and the next run works."""

from __future__ import annotations

import shutil
import signal
import socket
from pathlib import Path

import psutil
import pytest

from hdictl.drivers import folders
from tests.workspace import Workspace, kafka_stack

STACK = kafka_stack({"views": {"partitions": 6}})


def java_processes(workspace: Workspace, folder: str = "state") -> list[int]:
    """Processes that this workspace's stack left running."""
    marker = str(workspace.folder / folder)
    return [p.pid for p in psutil.process_iter(["cmdline"]) if any(marker in part for part in p.info["cmdline"] or ())]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["ctrl-c", "terminated"])
def test_an_interrupted_up_leaves_nothing_and_the_next_one_works(running, number):
    workspace = running()
    workspace.write(STACK)
    outcome = workspace.interrupted("up", when=lambda: bool(java_processes(workspace)), signal_number=number)
    outcome.failed(130)
    assert java_processes(workspace) == []
    workspace.run("up").ok()
    workspace.run("down").ok()
    assert java_processes(workspace) == []


def test_an_interrupted_download_is_taken_up_again(running):
    workspace = running()
    workspace.write(STACK)
    workspace.environ["HDICTL_CACHE_DIR"] = str(workspace.folder / "cache")
    workspace.interrupted("up", when=lambda: bool(java_processes(workspace, "cache"))).failed(130)
    assert java_processes(workspace, "cache") == []
    workspace.run("up").ok()


def test_an_interrupted_demo_leaves_nothing_running(running):
    """While Spark works: the job, the brokers and ZooKeeper all end, and the next demo would begin from nothing."""
    workspace = running()
    specs = workspace.folder / "state" / "runs"
    workspace.interrupted("demo", when=lambda: any(specs.rglob("spec.json"))).failed(130)
    assert java_processes(workspace) == []


def test_a_port_in_use_is_named_with_its_owner(running):
    workspace = running()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        stack = kafka_stack({"views": {}})
        stack["clusters"]["ingest"]["local"] = {"port": port}
        workspace.write(stack)
        workspace.run("up").failed(1, "E230", str(port))
        assert java_processes(workspace) == []


def test_no_java_says_what_to_install(running, tmp_path):
    """A JAVA_HOME that is no Java is a mistake to be told, not to be worked around."""
    workspace = running()
    workspace.write(STACK)
    workspace.environ["JAVA_HOME"] = str(tmp_path / "no-java-here")
    workspace.run("up").failed(1, "E200", "JAVA_HOME")


def test_a_jar_with_a_wrong_checksum_is_replaced(running, tmp_path):
    """A cache of its own, with one jar spoilt: it is noticed and fetched again before anything runs on it."""
    workspace = running()
    workspace.write(STACK)
    cache = tmp_path / "cache"
    shutil.copytree(folders.cache() / "jars", cache / "jars", symlinks=True)
    spoilt = next(iter(sorted((cache / "jars").rglob("kafka-clients*3.2.0*.jar"))))
    whole = spoilt.read_bytes()
    spoilt.write_bytes(whole[: len(whole) // 2])
    workspace.environ["HDICTL_CACHE_DIR"] = str(cache)
    workspace.run("up").ok()
    assert spoilt.read_bytes() == whole


def test_a_mirror_without_the_jars_is_named(running, tmp_path):
    """The only repository to be had has none of them; nothing is started on half a class path."""
    workspace = running()
    workspace.write(STACK)
    mirror = tmp_path / "mirror"
    mirror.mkdir()
    workspace.environ |= {"HDICTL_CACHE_DIR": str(tmp_path / "empty"), "HDICTL_MAVEN_MIRROR": mirror.as_uri()}
    workspace.run("up").failed(1, "E210", "HDICTL_MAVEN_MIRROR")
    assert java_processes(workspace) == []


def test_a_broker_that_dies_during_apply(running):
    """The apply ends with a word on how far it came, or goes through; with the broker back, the next one finishes."""
    workspace = running()
    workspace.write(kafka_stack({}))
    workspace.run("up").ok()
    workspace.write(kafka_stack({f"topic-{number:03}": {"partitions": 6} for number in range(150)}))
    killed: list[int] = []

    def broken() -> bool:
        if not any((workspace.folder / "state" / "locks").glob("*.holder")):
            return False
        killed.append(workspace.run("local", "kill-broker", "ingest", "1003").ok().code)
        return True

    workspace.interrupted("apply", when=broken, signal_number=0).failed_or_ok()
    assert killed == [0]
    workspace.run("local", "restart-broker", "ingest", "1003").ok()
    workspace.run("apply", "--yes").ok()
    workspace.run("plan").ok()
    assert len(workspace.run("topics", "list", "--json").ok().json["topics"]) == 150


def test_a_damaged_record_of_what_runs_does_not_keep_down_from_ending_it(running):
    workspace = running()
    workspace.write(STACK)
    workspace.run("up").ok()
    for record in Path(workspace.folder / "state" / "local").rglob("*.json"):
        record.write_text("{ not json")
    workspace.run("down").ok()
    assert java_processes(workspace) == []
