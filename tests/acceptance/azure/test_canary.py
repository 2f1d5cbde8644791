"""A password is nowhere: in no output, file, plan, traceback or process list, and not in what the cloud keeps."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import typer.main

from hdictl.main import app
from tests.acceptance.azure.stacks import GROUP, VAULT, settled, stack
from tests.fakes.azure import FakeCloud
from tests.fakes.azure.ambari import attach
from tests.fakes.azure.livy import attach as attach_livy
from tests.fakes.azure.real_brokers import RealBrokers
from tests.workspace import Outcome, Workspace

CANARY = "Canary-7f3a9c51-Bird!"  # the gateway's, in the environment
SSH_CANARY = "Canary-2b8e6d40-Fish!"  # of the nodes, in the vault
CANARIES = (CANARY, SSH_CANARY)
SINKS = ("activity", "top_pages", "sessions", "dead_letters")

# Every command, with arguments under which it does as much as it can. `None`: it never meets a secret of Azure.
COMMANDS: dict[str, list[str] | None] = {
    "check": ["check", "--json"],
    "schema": None,
    "explain": ["explain", "secrets.gateway"],
    "render": ["render", "--json"],
    "plan": ["plan", "--out", "plan.json", "--json"],
    "apply": ["apply", "--yes", "--json"],
    "status": ["status", "--json"],
    "cost": ["cost", "--json"],
    "scale": ["scale", "ingest", "4", "--yes", "--json"],
    "gateway": ["gateway", "ingest", "--yes", "--json"],
    "ambari hosts": ["ambari", "hosts", "ingest", "--json"],
    "ambari config": ["ambari", "config", "ingest", "kafka-broker", "num.io.threads=9", "--yes", "--json"],
    "ambari advertise-ip": ["ambari", "advertise-ip", "ingest", "--yes", "--json"],
    "ambari restart": ["ambari", "restart", "ingest", "--yes", "--json"],
    "script run": ["script", "run", "ingest", "probe", "--uri", "https://example.com/probe.sh", "--yes", "--json"],
    "script history": ["script", "history", "ingest", "--json"],
    "script output": ["script", "output", "ingest", "--json"],
    "topics list": ["topics", "list", "--json"],
    "topics describe": ["topics", "describe", "views", "--json"],
    "topics orphans": ["topics", "orphans", "--json"],
    "topics import": ["topics", "import", "--cluster", "ingest"],
    "topics produce": ["topics", "produce", "views"],
    "topics tail": ["topics", "tail", "views", "--from-beginning", "-n", "1"],
    "rebalance snapshot": ["rebalance", "snapshot", "--json"],
    "rebalance plan": ["rebalance", "plan", "--out", "moves.json", "--html", "moves.html", "--json"],
    "rebalance run": ["rebalance", "run", "moves.json", "--yes", "--json"],
    "rebalance status": ["rebalance", "status", "--json"],
    "rebalance verify": ["rebalance", "verify", "--json"],
    "rebalance rollback": ["rebalance", "rollback", "--yes", "--json"],
    "rebalance resume": ["rebalance", "resume", "--yes", "--json"],
    "rebalance cancel": ["rebalance", "cancel", "--yes", "--json"],
    "jobs submit": ["jobs", "submit", "--json"],
    "jobs list": ["jobs", "list", "--json"],
    "jobs status": ["jobs", "status", "--json"],
    "jobs logs": ["jobs", "logs", "activity", "--json"],
    "jobs restart": ["jobs", "restart", "activity", "--json"],
    "jobs lag": ["jobs", "lag", "--json"],
    "jobs stop": ["jobs", "stop", "--timeout", "0s", "--json"],
    "jobs checkpoint show": ["jobs", "checkpoint", "show", "activity", "--json"],
    "jobs checkpoint reset": ["jobs", "checkpoint", "reset", "activity", "--to", "committed", "--yes", "--json"],
    "jobs dlq show": ["jobs", "dlq", "show", "activity", "--json"],
    "jobs dlq replay": ["jobs", "dlq", "replay", "activity", "--yes", "--json"],
    "pipeline new": None,
    "pipeline test": None,
    "pipeline plan": ["pipeline", "plan", "page_activity", "--json"],
    "pipeline run": ["pipeline", "run", "page_activity"],
    "up": ["up"],
    "down": ["down"],
    "logs": ["logs", "ingest"],
    "local kill-broker": ["local", "kill-broker", "ingest", "1001"],
    "local restart-broker": ["local", "restart-broker", "ingest", "1001"],
    "demo": None,
    "destroy": ["destroy", "--yes", "--json"],
}

# On this target these do nothing, or have something to say.
CODES = {
    "plan": 3,
    "rebalance resume": 1,
    "rebalance cancel": 1,
    "pipeline run": 2,
    "up": 2,
    "down": 2,
    "logs": 2,
    "local kill-broker": 2,
    "local restart-broker": 2,
}


def commands(above: Any = None) -> Iterator[str]:
    """Names of commands, those of their groups before them."""
    for name, command in (above or typer.main.get_command(app)).commands.items():
        if hasattr(command, "commands"):
            yield from (f"{name} {each}" for each in commands(command))
        else:
            yield name


def test_every_command_is_looked_at():
    assert set(commands()) == set(COMMANDS)


class Processes:
    """Looks at all command lines while something runs."""

    def __init__(self) -> None:
        self.seen: set[str] = set()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> Processes:
        self._thread.start()
        return self

    def __exit__(self, *reason: object) -> None:
        self._stop.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._stop.wait(0.05):
            for process in psutil.process_iter():
                with contextlib.suppress(psutil.Error):
                    self.seen.update(part for part in process.cmdline() if found(part))


def found(text: str) -> bool:
    return any(canary in text for canary in CANARIES)


def written(folder: Path) -> list[Path]:
    return [file for file in folder.rglob("*") if file.is_file() and found(file.read_bytes().decode(errors="replace"))]


def test_the_passwords_are_nowhere(azure_workspace: Workspace, cloud: FakeCloud, tmp_path_factory):
    settled(azure_workspace, cloud)
    cloud.secret(VAULT, "ssh", SSH_CANARY, group=GROUP)
    azure_workspace.environ["CANARY_PASSWORD"] = CANARY
    job = {
        "pipeline": "page_activity",
        "cluster": "jobs",
        "reads": {"page_views": "views"},
        "writes": {sink: sink for sink in SINKS},
    }
    topics = {name: {"cluster": "ingest"} for name in ("views", *SINKS)}
    described = {**stack(), "topics": topics, "jobs": {"activity": job}}
    described["secrets"] = {
        "gateway": {"env": "CANARY_PASSWORD"},
        "ssh": {"password": {"keyvault": VAULT, "name": "ssh"}},
    }
    azure_workspace.write(described)
    attach_livy(cloud)
    with RealBrokers(cloud, attach(cloud), tmp_path_factory.mktemp("brokers")), Processes() as processes:
        for name, arguments in COMMANDS.items():
            if arguments is None:
                continue
            if name == "destroy":  # until here it is where it belongs
                assert cloud.gateway_takes("ingest-clicks", "admin", CANARY)
            told: Outcome = azure_workspace.run(*arguments, stdin='{"key": "k", "value": {"a": 1}}\n', timeout=300)
            assert not found(told.out + told.err), name
            assert "Traceback" not in told.err, f"{name}: {told.err}"
            assert told.code == CODES.get(name, 0), f"{name}: exit {told.code}\n{told.out}\n{told.err}"
    assert processes.seen == set()
    assert written(azure_workspace.folder) == []
    assert not found(cloud.dump())
