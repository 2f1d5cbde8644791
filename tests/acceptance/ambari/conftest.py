"""Real brokers under a fake Ambari, and a real sshd."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hdictl.drivers.local.platform import LocalPlatform
from hdictl.ports.machine import BrokerSpec, KafkaSpec
from hdictl.ports.progress import Silent
from tests.acceptance.ambari.site import Site, open_site
from tests.acceptance.ambari.ssh_server import KEYGEN, SSHD, SshServer


@pytest.fixture
def platform(tmp_path: Path) -> Iterator[LocalPlatform]:
    """Three brokers of the test's own: it will stop them."""
    platform = LocalPlatform("ambari", tmp_path / "local" / "ambari")
    spec = KafkaSpec("ingest", tuple(BrokerSpec(1001 + number, number, number) for number in range(3)))
    try:
        platform.up([spec], Silent())
        yield platform
    finally:
        platform.down(keep_data=False, progress=Silent())


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with open_site(tmp_path) as site:
        yield site


@pytest.fixture
def ssh_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., SshServer]]:
    """Makes servers; host keys that hdictl believes are kept in a folder of the test's own."""
    if SSHD is None or KEYGEN is None:
        pytest.skip("there is no sshd on this machine (Debian, Ubuntu: apt-get install openssh-server)")
    monkeypatch.setenv("HDICTL_STATE_DIR", str(tmp_path / "state"))
    made: list[SshServer] = []

    def make(**how: object) -> SshServer:
        made.append(SshServer(tmp_path / f"sshd-{len(made)}", **how))  # type: ignore[arg-type]
        return made[-1].__enter__()

    yield make
    for server in made:
        server.__exit__()
