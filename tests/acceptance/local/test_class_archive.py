"""The archive of classes: made behind the scenes by the first start, used by the next."""

from __future__ import annotations

import subprocess
import time
from dataclasses import replace

import psutil
import pytest

from hdictl.drivers.local import processes
from hdictl.drivers.local.kafka_jvm import KafkaRuntime
from hdictl.drivers.local.platform import LocalPlatform
from hdictl.ports.machine import BrokerSpec, KafkaSpec
from hdictl.ports.progress import Silent

SPEC = KafkaSpec("ingest", (BrokerSpec(1001, 0, 0),))


@pytest.fixture
def archive(tmp_path):
    return tmp_path / "classes" / "test.jsa"


@pytest.fixture
def platform(tmp_path, archive):
    def prepare(version, progress):
        return replace(KafkaRuntime.prepare(version, progress), archive=archive)

    platform = LocalPlatform("archive-1", tmp_path / "archive-1", prepare=prepare)
    yield platform
    platform.down(keep_data=False, progress=Silent())


def test_the_first_start_makes_it_and_the_next_uses_it(platform, archive):
    platform.up([SPEC], Silent())
    deadline = time.monotonic() + 400  # it has the lowest priority
    while not archive.exists():
        assert time.monotonic() < deadline
        time.sleep(0.1)
    platform.down(keep_data=False, progress=Silent())
    (status,) = platform.up([SPEC], Silent())
    for node in status.nodes:
        command = psutil.Process(int(node.process)).cmdline()
        assert f"-XX:SharedArchiveFile={archive}" in command
    # A JVM that may not go on without the archive accepts it: it fits this Java and these jars.
    strict = [each for each in command[: command.index("-cp") + 2] if not each.startswith("-Dhdictl.")]
    said = subprocess.run(
        [*strict, "-Xshare:on", "kafka.Kafka", "--version"], check=False, capture_output=True, text=True
    )
    assert said.stdout.startswith("3.2.0"), said.stderr


def test_down_ends_its_making_too(platform, archive, tmp_path):
    platform.up([SPEC], Silent())
    assert platform.down(keep_data=False, progress=Silent()) == 2
    assert processes.find_all("archive-1", tmp_path / "archive-1") == {}
    assert not archive.exists()
