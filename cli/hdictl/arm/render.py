"""A stack as the two deployments that make it: the resource group, and everything in it."""

from __future__ import annotations

from hdictl.arm.clusters import cluster_calls, region_of
from hdictl.arm.compose import GROUP_SCHEMA, SUBSCRIPTION_SCHEMA, flat
from hdictl.arm.deployment import Deployment, DeploymentScope, Rendered
from hdictl.arm.keys import vault_calls
from hdictl.arm.modules import Call, module
from hdictl.arm.monitoring import monitor_calls
from hdictl.arm.networks import network_calls, private_endpoint_calls
from hdictl.arm.notes import notes
from hdictl.arm.place import azure_of
from hdictl.arm.secure import references, secure_parameters
from hdictl.arm.storages import storage_calls
from hdictl.stack.model import Stack
from hdictl.stack.place import Azure
from hdictl.stack.resource_names import Names


def render(stack: Stack, *, public_key: str | None = None, without: frozenset[str] = frozenset()) -> Rendered:
    """`without` has the keys of clusters that exist already: they are not in the template, what they stand on is.

    `public_key` is the text of the stack's `secrets.ssh.public_key_file`.
    """
    azure = azure_of(stack)
    for key in stack.clusters:
        region_of(stack, key)
    return Rendered(
        subscription=_subscription(stack, azure),
        group=_group(stack, azure, public_key, [key for key in stack.clusters if key not in without]),
        notes=notes(stack),
    )


def _subscription(stack: Stack, azure: Azure) -> Deployment:
    values = {"name": azure.resource_group, "location": azure.location, "tags": Names(stack).tags()}
    template = flat(SUBSCRIPTION_SCHEMA, [Call("group", values)])
    return Deployment(DeploymentScope.SUBSCRIPTION, stack.stack, azure.location, template)


def _group(stack: Stack, azure: Azure, public_key: str | None, clusters: list[str]) -> Deployment:
    names = Names(stack)
    made = list(cluster_calls(stack, names, clusters, public_key))
    calls = [
        *network_calls(stack, names),
        *storage_calls(stack, names),
        *vault_calls(stack, names),
        *made,
        *private_endpoint_calls(stack, names),
        *monitor_calls(stack, names),
    ]
    secrets = secure_parameters(stack, clusters)
    endpoints = {
        key: module(call.module).outputs(call.values)["endpoints"]
        for key, call in zip(sorted(clusters), made, strict=True)
    }
    outputs = {"clusters": {"type": "object", "value": endpoints}} if endpoints else None
    return Deployment(
        scope=DeploymentScope.GROUP,
        stack=stack.stack,
        location=azure.location,
        template=flat(GROUP_SCHEMA, calls, secure=secrets, outputs=outputs),
        parameters=references(stack, secrets),
        secrets={name: secret for name, secret in sorted(secrets.items()) if secret.keyvault is None},
    )
