"""Clusters as HDInsight returns them: not as they were sent."""

from __future__ import annotations

import copy
from typing import Any

import yaml

from hdictl.arm.render import render
from hdictl.plan.cloud import CloudCluster
from hdictl.stack.model import Stack
from hdictl.workflow.cloud.foundation import cluster_bodies

SUBSCRIPTION = "0b1f6471-1bf0-4dda-aec3-cb9272f09590"
STACK = f"""
stack: clicks
azure: {{subscription: {SUBSCRIPTION}, resource_group: rg-clicks, location: westeurope, tags: {{team: data}}}}
secrets: {{gateway: {{keyvault: kv-clicks, name: gateway}}, ssh: {{public_key_file: id.pub}}}}
network: {{westeurope: {{address_space: 10.20.0.0/16, subnets: {{ingest: 10.20.1.0/24, jobs: 10.20.2.0/24}}}}}}
clusters:
  ingest: {{kind: kafka, workers: {{count: 4, size: Standard_E8_v3, disks: 2}}}}
  jobs: {{kind: spark, workers: {{count: 3}}, autoscale: {{min: 3, max: 6}}}}
"""


def stack(**changes: Any) -> Stack:
    """The stack above; `ingest__workers__count=6` changes one value of a cluster."""
    described = yaml.safe_load(STACK)
    for path, value in changes.items():
        *parents, last = path.split("__")
        place = described["clusters"]
        for parent in parents:
            place = place.setdefault(parent, {})
        place[last] = value
    return Stack.model_validate(described)


def desired(described: Stack, key: str = "ingest") -> dict[str, Any]:
    rendered = render(described, public_key="ssh-rsa AAAA")
    return dict(cluster_bodies(described, rendered)[key])


def returned(body: dict[str, Any], *, state: str = "Running", provisioning: str = "Succeeded") -> CloudCluster:
    """Quirks of recorded answers: the long version, sizes in lower case, the region's display name, no secrets."""
    seen = copy.deepcopy(body)
    seen["location"] = {"westeurope": "West Europe"}[seen["location"]]
    properties = seen["properties"]
    properties["clusterVersion"] = "5.1.3000.0"
    properties["clusterDefinition"].pop("configurations", None)
    for role in properties["computeProfile"]["roles"]:
        role["hardwareProfile"]["vmSize"] = role["hardwareProfile"]["vmSize"].lower()
        role["osProfile"]["linuxOperatingSystemProfile"] = {"username": "sshuser"}
        for group in role.get("dataDisksGroups", ()):
            group.update({"storageAccountType": "Standard_LRS", "diskSizeGB": 1023})
    properties.update({"clusterState": state, "provisioningState": provisioning, "clusterHdpVersion": "5.1.5.6"})
    return CloudCluster(seen["name"], seen["id"], seen)
