"""Fault and update domains as the azure target learns them: on the head node through a real sshd, or from a script
action in the fake cloud; brokers are told apart by names, or by the addresses that Ambari knows."""

from __future__ import annotations

import base64
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from hdictl.drivers.node_domains import script_file
from hdictl.drivers.ssh_client import SshLogin
from hdictl.drivers.ssh_script import ssh_script
from hdictl.errors import TunnelFailed
from hdictl.plan.observed import ObservedBroker
from hdictl.ports.progress import Silent
from hdictl.rebalance.topology import Domains
from hdictl.stack.model import Stack
from hdictl.targets.azure import AzureTarget
from tests.acceptance.ambari.site import Site
from tests.acceptance.ambari.ssh_server import SshServer

CANARY = "sig=Canary7731"
ADDRESS = "https://example.com/topology.sh"
PAIRS = [(0, 2), (1, 3), (2, 4)]
KNOWN = {1001: (0, 2), 1002: (1, 3), 1003: (2, 4)}


@pytest.fixture
def target(site, monkeypatch) -> Callable[..., AzureTarget]:
    """Targets of the site's stack, with more said about SSH."""
    for name, value in site.environ.items():
        monkeypatch.setenv(name, value)

    def make(**ssh: Any) -> AzureTarget:
        described = yaml.safe_load((site.folder / "stack.yaml").read_text())
        described["secrets"]["ssh"] |= ssh
        return AzureTarget(Stack.model_validate(described), site.folder / "stack.yaml", None)

    return make


def domains(target: AzureTarget, brokers: list[ObservedBroker]) -> Domains:
    return target.domains("ingest", brokers, Silent())


def brokers_of(site: Site, *, advertise_addresses: bool = False) -> list[ObservedBroker]:
    hosts = [site.world.hosts[host] if advertise_addresses else host for host in site.world.brokers]
    return [ObservedBroker(1001 + number, host, 9092) for number, host in enumerate(hosts)]


def document(site: Site, pairs: list[tuple[int, int]]) -> dict[str, Any]:
    """The numbers of workers have gaps, and their names stand without a domain, as HDInsight's do."""
    names = [host.partition(".")[0] for host in site.world.brokers]
    workers = [
        {"vmId": number, "fqdn": name, "faultDomain": fault, "updateDomain": update}
        for number, (name, (fault, update)) in enumerate(zip(names, pairs, strict=False))
    ]
    return {"hostGroups": {"workernode": workers}}


def printed(site: Site, pairs: list[tuple[int, int]]) -> str:
    word = base64.b64encode(json.dumps(document(site, pairs)).encode()).decode()
    return f"<hdictl-topology>{word}</hdictl-topology>"


def scripts_run(site: Site) -> int:
    return sum(1 for entry in site.cloud.ledger if entry.action == "scripts")


class TestBySsh:
    @pytest.fixture
    def head(self, site, ssh_server, tmp_path) -> SshServer:
        server: SshServer = ssh_server(environment=head_node(tmp_path / "node", document(site, PAIRS)))
        site.cloud.cluster("ingest-clickstream").properties["_ssh_port"] = server.port
        return server

    def test_names(self, site, target, head):
        chosen = target(user=head.user, private_key_file=str(head.key))
        for _ in range(2):
            assert domains(chosen, brokers_of(site)) == Domains(KNOWN)
        assert head.log.count("Accepted publickey") == 1, "once a run"
        assert site.cloud.ledger == []

    def test_what_the_library_says_stays_on_the_node(self, head):
        said = ssh_script(SshLogin("127.0.0.1", head.port, head.user, head.key), script_file())
        assert said.startswith("<hdictl-topology>")
        assert CANARY not in said

    def test_addresses(self, site, target, head):
        chosen = target(user=head.user, private_key_file=str(head.key))
        assert domains(chosen, brokers_of(site, advertise_addresses=True)) == Domains(KNOWN)

    def test_addresses_that_ambari_does_not_tell(self, site, target, head, monkeypatch):
        monkeypatch.setenv("GATEWAY_PASSWORD", "Wrong-Pass-7731!")
        known = domains(
            target(user=head.user, private_key_file=str(head.key)), brokers_of(site, advertise_addresses=True)
        )
        assert known.known == {}
        assert "Ambari does not tell whose they are: the gateway user or password is wrong" in (known.warning or "")

    def test_brokers_that_join_are_asked_for_anew(self, site, target, head):
        chosen = target(user=head.user, private_key_file=str(head.key))
        domains(chosen, brokers_of(site))
        grown = domains(chosen, [*brokers_of(site), ObservedBroker(1004, "wn4-ingest", 9092)])
        assert grown.known == KNOWN
        assert "does not know broker 1004" in (grown.warning or "")
        assert head.log.count("Accepted publickey") == 2

    def test_a_login_that_fails_is_told(self, site, target, head, ssh_server):
        stranger = ssh_server()
        unknown = domains(target(user=head.user, private_key_file=str(stranger.key)), brokers_of(site))
        assert unknown.known == {}
        assert "Permission denied" in (unknown.warning or "")
        assert "hdictl script run ingest hdictl-topology --on head --uri" in (unknown.warning or "")

    def test_a_node_without_the_library_is_told(self, site, target, ssh_server):
        server = ssh_server()
        site.cloud.cluster("ingest-clickstream").properties["_ssh_port"] = server.port
        unknown = domains(target(user=server.user, private_key_file=str(server.key)), brokers_of(site))
        assert "the node says: no Python of this node has HDInsight's library" in (unknown.warning or "")

    def test_what_does_not_end_is_ended(self, ssh_server, tmp_path):
        server = ssh_server()
        (tmp_path / "endless.sh").write_text("sleep 600\n")
        login = SshLogin("127.0.0.1", server.port, server.user, server.key)
        with pytest.raises(TunnelFailed, match="has not ended after 3 s"):
            ssh_script(login, tmp_path / "endless.sh", patience=3)


class TestByScriptAction:
    def test_what_somebody_ran_is_read(self, site, target):
        unknown = domains(target(), brokers_of(site))
        assert unknown.known == {}
        assert "no SSH login is named" in (unknown.warning or "")
        assert scripts_run(site) == 0, "reading runs nothing that nobody asked for"

        site.cloud.script_prints(ADDRESS, printed(site, PAIRS))
        site.run("script", "run", "ingest", "hdictl-topology", "--on", "head", "--uri", ADDRESS, "--yes").ok()
        assert domains(target(), brokers_of(site)) == Domains(KNOWN)
        assert scripts_run(site) == 1

    def test_it_is_run_where_its_address_is_named(self, site, target, monkeypatch):
        monkeypatch.setenv("HDICTL_TOPOLOGY_SCRIPT", ADDRESS)
        site.cloud.script_prints(ADDRESS, printed(site, PAIRS))
        for _ in range(2):
            assert domains(target(), brokers_of(site)) == Domains(KNOWN)
        assert scripts_run(site) == 1, "what it printed is in the history"

    def test_it_is_run_again_for_a_broker_that_joined(self, site, target, monkeypatch):
        monkeypatch.setenv("HDICTL_TOPOLOGY_SCRIPT", ADDRESS)
        site.cloud.script_prints(ADDRESS, printed(site, PAIRS[:2]))
        assert domains(target(), brokers_of(site)[:2]).known == {1001: (0, 2), 1002: (1, 3)}
        site.cloud.script_prints(ADDRESS, printed(site, PAIRS))
        assert domains(target(), brokers_of(site)) == Domains(KNOWN)
        assert scripts_run(site) == 2

    def test_domains_that_are_none_are_said_with_their_brokers(self, site, target, monkeypatch):
        monkeypatch.setenv("HDICTL_TOPOLOGY_SCRIPT", ADDRESS)
        site.cloud.script_prints(ADDRESS, printed(site, [(0, 0), (-1, -1), (2, -1)]))
        told = domains(target(), brokers_of(site))
        assert told.known == {1001: (0, 0), 1002: (None, None), 1003: (2, None)}
        assert told.warning == "HDInsight gives no valid domain for brokers 1002, 1003"

    def test_one_that_fails_is_told(self, site, target, monkeypatch):
        monkeypatch.setenv("HDICTL_TOPOLOGY_SCRIPT", ADDRESS)
        site.cloud.break_script(ADDRESS, "curl: 404")
        assert "CustomizationFailedErrorCode" in (domains(target(), brokers_of(site)).warning or "")


def head_node(folder: Path, topology: dict[str, Any]) -> dict[str, str]:
    """The environment of a machine that has HDInsight's library, and where nobody becomes root."""
    programs, library = folder / "programs", folder / "library" / "hdinsight_common"
    programs.mkdir(parents=True)
    library.mkdir(parents=True)
    (programs / "python3").symlink_to(sys.executable)
    (programs / "sudo").write_text("#!/bin/sh\nexit 1\n")
    (programs / "sudo").chmod(0o755)
    (folder / "topology.json").write_text(json.dumps(topology))
    settings = {"cluster_topology_json_url": (folder / "topology.json").as_uri(), "key": CANARY}
    (library / "__init__.py").write_text("")
    (library / "AmbariHelper.py").write_text(
        f"class AmbariHelper:\n    settings = {settings!r}\n"
        "    def get_cluster_manifest(self):\n        print(self.settings)\n        return self\n"
    )
    return {"PATH": f"{programs}:/usr/bin:/bin", "PYTHONPATH": str(folder / "library")}
