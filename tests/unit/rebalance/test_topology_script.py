"""The script that runs on a head node, in every Python that is here, with a library like HDInsight's beside it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hdictl import assets
from hdictl.errors import DomainsUnknown
from hdictl.rebalance.topology import nodes_of

SCRIPT = assets.template("hdinsight", "topology.sh")
CANARY = "sig=Canary7731"
LIBRARY = """
import sys
class _Manifest(object):
    settings = {settings!r}
class AmbariHelper(object):
    def get_cluster_manifest(self):
        print("manifest: " + str(_Manifest.settings))
        sys.stderr.write("manifest: " + str(_Manifest.settings))
        return _Manifest()
"""
DOCUMENT = {
    "clusterId": "not ours to tell",
    "hostGroups": {
        "headnode": [{"vmId": 0, "fqdn": "hn0-ingest"}],
        "workernode": [
            {"vmId": 0, "fqdn": "wn0-ingest", "state": "Succeeded", "faultDomain": 0, "updateDomain": 2},
            {"vmId": 3, "fqdn": "wn3-ingest", "state": "Succeeded", "faultDomain": -1, "updateDomain": -1},
        ],
    },
}


def pythons() -> list[str]:
    """Whatever answers to a name that a node may have, and is a Python."""
    found = {sys.executable}
    for name in ("python2", "python2.7", "python3.6", "python3.8"):
        place = shutil.which(name)
        if place and subprocess.run([place, "-c", "print(1)"], capture_output=True, check=False).returncode == 0:
            found.add(place)
    pyenv = Path.home() / ".pyenv" / "versions"
    return sorted(found | {str(place) for place in pyenv.glob("2.*/bin/python")})


@pytest.fixture(params=pythons())
def node(request, tmp_path):
    """Runs the script as on a node whose only Python is this one; `settings` are those of the cluster's manifest."""
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "python").symlink_to(request.param)
    cat = shutil.which("cat")
    assert cat is not None
    (programs / "cat").symlink_to(cat)

    def run(settings: dict[str, str] | None) -> subprocess.CompletedProcess[str]:
        if settings is not None:
            library = tmp_path / "library" / "hdinsight_common"
            library.mkdir(parents=True)
            (library / "__init__.py").write_text("")
            (library / "AmbariHelper.py").write_text(LIBRARY.format(settings=settings))
        environment = {"PATH": str(programs), "PYTHONPATH": str(tmp_path / "library")}
        bash = shutil.which("bash") or "/bin/bash"
        with SCRIPT.open() as script:  # as SSH does it
            return subprocess.run(
                [bash, "-s"], stdin=script, env=environment, capture_output=True, text=True, check=False
            )

    return run


def test_the_workers_domains_and_nothing_else(node, tmp_path):
    document = tmp_path / "clusterTopology.json"
    document.write_text(json.dumps(DOCUMENT))
    done = node({"cluster_topology_json_url": document.as_uri()})
    assert (done.returncode, done.stderr) == (0, "")
    assert nodes_of(done.stdout) == {"wn0-ingest": (0, 2), "wn3-ingest": (None, None)}
    assert len(done.stdout.splitlines()) == 1


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({}, "cannot ask the cluster's manifest .KeyError."),
        ({"cluster_topology_json_url": f"file:///nowhere/a.json?{CANARY}"}, "cannot fetch the topology document"),
        ({"cluster_topology_json_url": CANARY}, "cannot fetch the topology document .ValueError."),
        (None, "no Python of this node has HDInsight's library"),
    ],
)
def test_a_failure_is_told_without_the_address(node, settings, said):
    done = node(settings)
    assert done.returncode == 1
    assert CANARY not in done.stdout + done.stderr
    with pytest.raises(DomainsUnknown, match=said):
        nodes_of(done.stdout)


def test_a_document_of_another_shape(node, tmp_path):
    document = tmp_path / "clusterTopology.json"
    document.write_text("{}")
    with pytest.raises(DomainsUnknown, match="cannot find the workers"):
        nodes_of(node({"cluster_topology_json_url": document.as_uri()}).stdout)
