"""The first plan and the first apply in a subscription that has a vault and nothing else."""

from __future__ import annotations

import shutil

from tests.acceptance.azure.stacks import PASSWORD, PUBLIC_KEY, VAULT, stack


def test_the_resource_group_is_made_by_the_first_apply(azure_workspace, cloud):
    described = stack()
    described["secrets"]["gateway"]["resource_group"] = "rg-shared"
    cloud.secret(VAULT, "gateway", PASSWORD, group="rg-shared")
    shutil.copy(PUBLIC_KEY, azure_workspace.folder / "ops.pub")
    azure_workspace.write(described)
    azure_workspace.run("plan").failed(
        3,
        "+ group:rg-clicks",
        "validate is not asked before the resource group is there",
        "what-if is not asked before the resource group is there",
    )
    azure_workspace.run("apply", "--yes").ok()
    azure_workspace.run("plan").ok()
