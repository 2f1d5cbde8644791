"""Stacks for these tests, and ways to look into what they become."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import yaml

from hdictl.arm.deployment import Deployment, Rendered
from hdictl.arm.evaluate import Place
from hdictl.arm.render import render
from hdictl.arm.resolved import resolved_resources
from hdictl.stack.model import Stack

SUBSCRIPTION = "11111111-2222-3333-4444-555555555555"
GROUP = "rg-shop"
PLACE = Place(SUBSCRIPTION, GROUP, "westeurope")
BASE = f"/subscriptions/{SUBSCRIPTION}/resourceGroups/{GROUP}/providers"
PUBLIC_KEY = "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQC7 ada@example"

_SMALL = f"""
stack: shop
azure: {{subscription: {SUBSCRIPTION}, resource_group: {GROUP}, location: westeurope, tags: {{team: data}}}}
secrets:
  gateway: {{keyvault: kv-secrets, name: gateway}}
  ssh: {{public_key_file: key.pub}}
network:
  westeurope: {{address_space: 10.20.0.0/16, subnets: {{ingest: 10.20.1.0/24, jobs: 10.20.2.0/24}}}}
clusters:
  ingest: {{kind: kafka}}
  jobs: {{kind: spark}}
"""


def small(**changes: Any) -> Stack:
    """Kafka and Spark in one VNet. `changes` are laid over it, maps by their keys."""
    return Stack.model_validate(_over(yaml.safe_load(_SMALL), changes))


def kafka(**fields: Any) -> Stack:
    """The small stack; its Kafka cluster has these fields as well."""
    return small(clusters={"ingest": fields})


def spark(**fields: Any) -> Stack:
    return small(clusters={"jobs": fields})


def _over(below: Any, above: Any) -> Any:
    if isinstance(below, Mapping) and isinstance(above, Mapping):
        merged = {**below, **{key: _over(below.get(key), value) for key, value in above.items()}}
        return {key: value for key, value in merged.items() if value is not None}
    return above


def rendered(stack: Stack, **options: Any) -> Rendered:
    return render(stack, public_key=PUBLIC_KEY, **options)


def written(stack: Stack, kind: str, name: str) -> Mapping[str, Any]:
    """A resource as the template has it."""
    return _only(rendered(stack).group.resources, kind, name)


def resolved(stack: Stack, kind: str, name: str) -> Mapping[str, Any]:
    """A resource as Azure gets it."""
    return _only(resolved_resources(rendered(stack).group, PLACE), kind, name)


def cluster(stack: Stack, key: str) -> Mapping[str, Any]:
    return resolved(stack, "Microsoft.HDInsight/clusters", stack.azure_name(key))


def role(stack: Stack, key: str, name: str) -> Mapping[str, Any]:
    roles = cluster(stack, key)["properties"]["computeProfile"]["roles"]
    return next(each for each in roles if each["name"] == name)


def names_of(deployment: Deployment, kind: str) -> list[str]:
    return [each["name"] for each in deployment.resources if each["type"] == kind]


def security_rules(stack: Stack, subnet: str) -> dict[str, Mapping[str, Any]]:
    nsg = resolved(stack, "Microsoft.Network/networkSecurityGroups", f"shop-westeurope-{subnet}-nsg")
    return {each["name"]: each["properties"] for each in nsg["properties"]["securityRules"]}


def everything(deployment: Deployment) -> str:
    return json.dumps([deployment.template, deployment.parameters])


def _only(resources: tuple[Mapping[str, Any], ...], kind: str, name: str) -> Mapping[str, Any]:
    found = [each for each in resources if (each["type"], each["name"]) == (kind, name)]
    assert len(found) == 1, f"{len(found)} of {kind} {name}"
    return found[0]
