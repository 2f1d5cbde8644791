"""What a person has to see to before a deployment, that no template can."""

from __future__ import annotations

from collections.abc import Iterator

from hdictl.arm.keys import vaults
from hdictl.arm.secure import secure_parameters, vault_id
from hdictl.stack.model import Stack
from hdictl.stack.resource_names import Names


def notes(stack: Stack) -> tuple[str, ...]:
    names = Names(stack)
    return (
        *_secret_notes(stack),
        *_vault_notes(stack, names),
        *_network_notes(stack, names),
        *_monitor_notes(stack),
    )


def _secret_notes(stack: Stack) -> Iterator[str]:
    made = {vault.name.lower() for vault in vaults(stack) if vault.is_made}
    seen = set()
    for name, secret in sorted(secure_parameters(stack, stack.clusters).items()):
        if secret.keyvault is None:
            yield f"{name} comes from the environment and is in no file: `apply` sends {secret.env}, `az` asks for it"
            continue
        seen.add(secret.keyvault)
        if secret.keyvault.lower() in made and vault_id(stack, secret):
            yield (
                f"{name} is in the vault {secret.keyvault} that this stack makes: a deployment reads its secrets "
                "first, so keep them in a vault that is there before"
            )
    for vault in sorted(seen):
        yield (
            f"the vault {vault} must allow deployments (`az keyvault update --name {vault} "
            "--enabled-for-template-deployment true`), and who deploys needs Microsoft.KeyVault/vaults/deploy/action"
        )


def _vault_notes(stack: Stack, names: Names) -> Iterator[str]:
    own_group = stack.azure.resource_group if stack.azure else ""
    for vault in vaults(stack):
        if vault.group is not None:
            for region in vault.regions:
                identity = names.identity(region)
                yield (
                    f"the vault {vault.name} is in {vault.group}: give the identity {identity} a policy there (keys: "
                    "get, wrapKey, unwrapKey; secrets: get, set, delete) before its clusters are made; make it first: "
                    f"az identity create -g {own_group} -l {region} -n {identity}"
                )
        elif vault.is_made:
            yield f"access policies that others add to the vault {vault.name} are lost when the stack is deployed again"
        else:
            yield (
                f"the vault {vault.name} must have soft delete and purge protection, and access policies (not RBAC): "
                "the clusters' identities are given theirs"
            )


def _network_notes(stack: Stack, names: Names) -> Iterator[str]:
    for region, network in sorted(stack.network.items()):
        if network.outbound == "firewall":
            yield (
                f"the route table {names.route_table(region)} must be in the stack's group before, with routes "
                f"that lead out of the VNet of {region}"
            )
    for key, cluster in sorted(stack.clusters.items()):
        if cluster.network.private_link:
            yield (
                f"{stack.azure_name(key)} is found by its private endpoints inside the stack's VNets; elsewhere "
                "link the zone privatelink.azurehdinsight.net, or forward it"
            )


def _monitor_notes(stack: Stack) -> Iterator[str]:
    monitor = stack.monitor
    if monitor is None:
        return
    yield "monitoring is switched on after the deployment: by `hdictl apply`, or `az hdinsight azure-monitor-agent`"
    if monitor.workspace != "new":
        yield f"the workspace {monitor.workspace} must be in the stack's group before"
