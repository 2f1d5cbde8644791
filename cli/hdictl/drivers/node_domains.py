"""Fault and update domains of a cluster on HDInsight, which only its nodes know.

    by SSH       a script is run on the head node, where the stack names a login that works from here
    by history   what a script action of the name `hdictl-topology` printed when somebody ran it
    by a script  that script action is run, when HDICTL_TOPOLOGY_SCRIPT names an address that the nodes can read

In this order, until one knows every broker. What cannot be read is unknown, and said; nothing is guessed.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hdictl import assets
from hdictl.drivers.reach import ambari_of, existing, ssh_login
from hdictl.drivers.ssh_script import ssh_script
from hdictl.errors import DomainsUnknown, HdictlError, Interrupted, StillRunning
from hdictl.plan.observed import ObservedBroker
from hdictl.ports.cloud import Cloud, ScriptAction
from hdictl.ports.progress import Progress
from hdictl.rebalance.topology import Domains, Pair, by_broker, nodes_of
from hdictl.stack.model import Stack
from hdictl.stack.place import SshSecret

SCRIPT_NAME = "hdictl-topology"
VARIABLE = "HDICTL_TOPOLOGY_SCRIPT"
_PATIENCE_SECONDS = 900.0
_LOOK_SECONDS = 5.0

Nodes = Mapping[str, Pair]


def script_file() -> Path:
    return assets.template("hdinsight", "topology.sh")


@dataclass
class NodeDomains:
    """One cluster. `folder` is that of the stack file, which key files are named from."""

    stack: Stack
    cluster: str  # its key in the stack
    cloud: Cloud
    folder: Path
    progress: Progress
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)
    _troubles: list[str] = field(default_factory=list)

    def read(self, brokers: Sequence[ObservedBroker]) -> Domains:
        best: Domains | None = None
        for way in (self._by_ssh, self._by_history, self._by_script):
            nodes = self._tried(way)
            if nodes is None:
                continue
            found = by_broker(brokers, nodes, self._addresses)
            if all(broker.id in found.known for broker in brokers):
                return found
            if best is None or len(found.known) > len(best.known):
                best = found
        best = best or Domains()
        troubles = "; ".join(dict.fromkeys(filter(None, (best.warning, *self._troubles))))
        return Domains(best.known, troubles or None)

    def _tried(self, way: Callable[[], Nodes | None]) -> Nodes | None:
        try:
            return way()
        except Interrupted:
            raise
        except HdictlError as error:
            place = f"{error.where}: " if error.where else ""
            self._troubles.append(f"{place}{error.what}")
            return None

    def _by_ssh(self) -> Nodes | None:
        ssh = self.stack.secrets.ssh or SshSecret()
        named = ssh.private_key_file is not None or ssh.password is not None
        if not named and self.stack.clusters[self.cluster].access != "ssh":
            self._troubles.append("no SSH login is named (`access: ssh`, or `secrets.ssh.private_key_file`)")
            return None
        login = ssh_login(self.stack, existing(self.stack, self.cluster, self.cloud), self.folder)
        self.progress.step(f"{self.cluster}: reading fault and update domains on its head node, by SSH")
        return nodes_of(ssh_script(login, script_file()))

    def _by_history(self) -> Nodes | None:
        name = self.stack.azure_name(self.cluster)
        runs = [run for run in self.cloud.script_runs(name) if run.name == SCRIPT_NAME and run.status == "Succeeded"]
        if runs:
            return nodes_of(self.cloud.script_output(name, runs[0].id))
        if not self.environment.get(VARIABLE):
            self._troubles.append(
                f"no script action told them (put {script_file()} where nodes can read it, then: "
                f"hdictl script run {self.cluster} {SCRIPT_NAME} --on head --uri ADDRESS)"
            )
        return None

    def _by_script(self) -> Nodes | None:
        address = self.environment.get(VARIABLE)
        if not address:
            return None
        name = self.stack.azure_name(self.cluster)
        self.progress.step(f"{self.cluster}: reading fault and update domains on its head nodes, by a script action")
        script = ScriptAction(SCRIPT_NAME, address, "", ("headnode",))
        operation = self.cloud.run_scripts(name, [script], persist=False)
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while not operation.wait(_LOOK_SECONDS):
            if time.monotonic() > deadline:
                raise StillRunning(
                    f"script action `{SCRIPT_NAME}` has not ended after {_PATIENCE_SECONDS / 60:.0f} min"
                )
        run = next((run for run in self.cloud.script_runs(name) if run.name == SCRIPT_NAME), None)
        if run is None:
            raise DomainsUnknown(f"script action `{SCRIPT_NAME}` ran, and its output is nowhere")
        return nodes_of(self.cloud.script_output(name, run.id))

    def _addresses(self) -> Mapping[str, str]:
        try:
            with ambari_of(self.stack, self.cluster, self.cloud) as ambari:
                return ambari.addresses()
        except HdictlError as error:
            self._troubles.append(f"brokers tell addresses, and Ambari does not tell whose they are: {error.what}")
            return {}
