"""Log Analytics: the key of a workspace, which its own action tells."""

from __future__ import annotations

from tests.fakes.azure.messages import Answer, Request
from tests.fakes.azure.names import made_up_guid, parse_id
from tests.fakes.azure.routes import GROUP, Routes
from tests.fakes.azure.world import World


class Workspaces:
    def __init__(self, world: World) -> None:
        self._world = world

    def register(self, routes: Routes) -> None:
        path = GROUP + "/providers/Microsoft.OperationalInsights/workspaces/{workspace}/sharedKeys"
        routes.add("POST", path, self.keys)

    def keys(self, request: Request) -> Answer:
        workspace = self._world.read(parse_id(request.path.rpartition("/")[0]))
        keys = {name: workspace_key(str(workspace.id), name) for name in ("primary", "secondary")}
        return Answer(200, {f"{name}SharedKey": key for name, key in keys.items()})


def workspace_key(id: str, which: str = "primary") -> str:
    """A key that a test can look for: it must stand in no file and no log."""
    return f"workspace-key-{made_up_guid(id, which)}"
