"""Stacks for tests on the fake cloud, and a workspace that has one."""

from __future__ import annotations

import copy
import shutil
from pathlib import Path
from typing import Any

from tests.fakes.azure import FakeCloud
from tests.workspace import Workspace

PASSWORD = "Gateway-Pa55word!"
PUBLIC_KEY = Path(__file__).parents[2] / "invariants" / "stacks" / "keys" / "ops_rsa.pub"
VAULT = "kv-clicks"
GROUP = "rg-clicks"

ONE = {
    "stack": "clicks",
    "azure": {
        "subscription": "${AZURE_SUBSCRIPTION_ID}",
        "resource_group": GROUP,
        "location": "westeurope",
        "tags": {"team": "data"},
    },
    "secrets": {"gateway": {"keyvault": VAULT, "name": "gateway"}, "ssh": {"public_key_file": "ops.pub"}},
    "network": {
        "westeurope": {
            "address_space": "10.20.0.0/16",
            "subnets": {"ingest": "10.20.1.0/24", "jobs": "10.20.2.0/24"},
        }
    },
    "clusters": {
        "ingest": {"kind": "kafka", "workers": {"count": 3, "size": "Standard_E8_v3", "disks": 2}},
        "jobs": {"kind": "spark", "workers": {"count": 3}},
    },
}


def stack(**clusters: dict[str, Any]) -> dict[str, Any]:
    """The stack above, with more said of its clusters."""
    described = copy.deepcopy(ONE)
    for key, more in clusters.items():
        described["clusters"][key] = {**described["clusters"][key], **more}
    return described


def settled(workspace: Workspace, cloud: FakeCloud, described: dict[str, Any] | None = None) -> Workspace:
    """A workspace with the stack's files; the vault holds the gateway's password."""
    cloud.secret(VAULT, "gateway", PASSWORD, group=GROUP)
    shutil.copy(PUBLIC_KEY, workspace.folder / "ops.pub")
    workspace.write(described or stack())
    return workspace
