"""Script actions: run on the nodes of a cluster, and what became of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hdictl.drivers.azure.errors import present, translated
from hdictl.drivers.azure.operation import Started
from hdictl.drivers.azure.subject import Subject, as_sent, to_json
from hdictl.errors import CloudRejected
from hdictl.ports.cloud import Operation, ScriptAction, ScriptRun


class Scripts(Subject):
    def run_scripts(self, cluster: str, scripts: Sequence[ScriptAction], *, persist: bool) -> Operation:
        from hdictl.drivers.azure.retry import ONCE

        body = {"scriptActions": [_action(script) for script in scripts], "persistOnSuccess": persist}
        unsure = "it may have started: look before you try again (hdictl script history)"
        with translated(_where(cluster), after_loss=unsure):
            poller = self._clients.hdinsight.clusters.begin_execute_script_actions(
                self._group, cluster, to_json(body), polling=self._clients.polling(), **ONCE
            )
        return Started(poller, _where(cluster))

    def script_runs(self, cluster: str) -> tuple[ScriptRun, ...]:
        def ask() -> list[Mapping[str, Any]]:
            listed = self._clients.hdinsight.script_execution_history.list_by_cluster(self._group, cluster)
            return [each.serialize(keep_readonly=True) for each in listed]

        runs = [_run(each) for each in present(ask, _where(cluster)) or ()]
        return tuple(sorted(runs, key=lambda run: run.started, reverse=True))

    def script_output(self, cluster: str, run: int) -> str:
        answer: Any = present(
            lambda: self._clients.hdinsight.script_actions.get_execution_detail(
                self._group, cluster, str(run), cls=as_sent
            ),
            _where(cluster),
        )
        if answer is None:
            raise CloudRejected(
                f"there is no script run {run}",
                code="NotFound",
                where=_where(cluster),
                fix="see the runs there are: hdictl script history",
            )
        return str(answer.get("debugInformation") or "")


def _action(script: ScriptAction) -> dict[str, Any]:
    return {"name": script.name, "uri": script.uri, "parameters": script.parameters, "roles": list(script.roles)}


def _run(told: Mapping[str, Any]) -> ScriptRun:
    return ScriptRun(
        int(told.get("scriptExecutionId") or 0),
        str(told.get("name") or ""),
        str(told.get("status") or "Unknown"),
        str(told.get("startTime") or ""),
        str(told.get("endTime") or ""),
    )


def _where(cluster: str) -> str:
    return f"scripts of cluster `{cluster}`"
