"""Where the agent of a cluster sends to, and where it shall."""

from __future__ import annotations

from hdictl.arm.place import place_of
from hdictl.plan.change import Comparison, Refusal
from hdictl.plan.cloud import CloudCluster
from hdictl.ports.cloud import CloudReader
from hdictl.stack.model import Stack
from hdictl.stack.resource_names import Names

_WORKSPACE = "Microsoft.OperationalInsights/workspaces"
_API_VERSION = "2023-09-01"


def workspace_id(stack: Stack, key: str) -> str | None:
    """The workspace of a cluster, by its resource id; None: it is not monitored."""
    if stack.monitor is None:
        return None
    name = Names(stack).workspace(stack.location_of(key) or "")
    return f"{place_of(stack).group_id}/providers/{_WORKSPACE}/{name}"


def monitored(stack: Stack, key: str, cluster: CloudCluster | None, cloud: CloudReader) -> bool | str:
    """Whether the agent is on; where it sends elsewhere than the stack says, which workspace that is."""
    agent = cloud.monitoring(cluster.name) if cluster is not None and cluster.is_running else None
    wanted = workspace_id(stack, key)
    if agent is None or wanted is None:
        return agent is not None
    # The agent knows a workspace by its GUID alone.
    living = cloud.resource(wanted, _WORKSPACE, _API_VERSION)
    guid = ((living.body or {}).get("properties") or {}).get("customerId") if living is not None else None
    return str(guid).lower() == agent.lower() or f"to workspace {agent}"


def named_workspace(stack: Stack, cloud: CloudReader) -> Comparison:
    """One that the stack names, and does not make, has to be there: clusters look for it only when they are made."""
    if stack.monitor is None or stack.monitor.workspace == "new" or not stack.clusters:
        return Comparison()
    wanted = workspace_id(stack, next(iter(stack.clusters))) or ""
    if cloud.resource(wanted, _WORKSPACE, _API_VERSION) is not None:
        return Comparison()
    name, group = stack.monitor.workspace, place_of(stack).group_id.rpartition("/")[2]
    what = f"there is no Log Analytics workspace `{name}` in resource group {group}"
    fix = "make it there; or have one made: monitor.workspace: new"
    return Comparison(refusals=(Refusal(address=f"resource:workspaces/{name}", what=what, fix=fix),))
