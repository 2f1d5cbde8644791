"""Script actions: run one to its end, or find one that was run."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from hdictl.errors import CloudRejected, HdictlError, Interrupted, UsageError
from hdictl.ports.cloud import Cloud, ScriptAction, ScriptRun
from hdictl.ports.progress import Progress

_LOOK_SECONDS = 10.0
_PATIENCE_SECONDS = 4200.0  # HDInsight itself gives a script 60 minutes
_SCHEMES = ("https://", "http://", "wasb://", "wasbs://", "abfs://", "abfss://", "adl://")
_OUTPUT_LINES = 20


@dataclass(frozen=True)
class NamedCluster:
    key: str  # in the stack
    name: str  # on Azure


def require_address(uri: str) -> None:
    if not uri.startswith(_SCHEMES):
        raise UsageError(
            f"the nodes cannot read `{uri}`",
            fix="put the script where they reach it: https://…, or wasbs://… on an attached storage account",
        )


def run_script(cloud: Cloud, cluster: NamedCluster, script: ScriptAction, progress: Progress, *, persist: bool) -> None:
    """A failure shows the end of what the script wrote."""
    where = f"script `{script.name}` on `{cluster.key}`"
    look = f"see what it wrote: hdictl script output {cluster.key}"
    operation = cloud.run_scripts(cluster.name, [script], persist=persist)
    began = time.monotonic()
    try:
        while not operation.wait(_LOOK_SECONDS):
            waited = time.monotonic() - began
            if waited > _PATIENCE_SECONDS:
                raise CloudRejected(f"it still runs after {waited / 60:.0f} minutes", where=where, fix=look)
            progress.step(f"{script.name} runs since {waited:.0f} s")
    except KeyboardInterrupt:
        raise Interrupted("interrupted; the script goes on without us", where=where, fix=look) from None
    except CloudRejected as error:
        raise CloudRejected(
            f"{error.what}{_last_lines(cloud, cluster.name, script)}", code=error.code, where=where, fix=look
        ) from error


def chosen_run(runs: Sequence[ScriptRun], id: int | None, cluster: str) -> ScriptRun:
    """The run with this id, or the newest."""
    for run in runs:
        if id is None or run.id == id:
            return run
    what = f"there is no run {id}" if id is not None else "no script was run"
    raise UsageError(what, where=f"cluster `{cluster}`", fix=f"list them: hdictl script history {cluster}")


def _last_lines(cloud: Cloud, cluster: str, script: ScriptAction) -> str:
    """Best effort: the failure itself must not be lost because its details cannot be had."""
    try:
        run = next(run for run in cloud.script_runs(cluster) if run.name == script.name)
        lines = cloud.script_output(cluster, run.id).strip().splitlines()
    except (HdictlError, StopIteration):
        return ""
    return "".join(f"\n  {line}" for line in lines[-_OUTPUT_LINES:])
