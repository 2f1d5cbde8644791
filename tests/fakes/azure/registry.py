"""Which type of resource is which kind. `*` is all the others."""

from __future__ import annotations

from collections.abc import Mapping

from tests.fakes.azure.authorization import RoleAssignmentKind
from tests.fakes.azure.hdinsight.cluster import ClusterKind
from tests.fakes.azure.kinds import (
    AccessPolicyKind,
    IdentityKind,
    KeyKind,
    Kind,
    PlainKind,
    StorageKind,
    VaultKind,
    WorkspaceKind,
)
from tests.fakes.azure.network import (
    NetworkKind,
    PeeringKind,
    PublicIpKind,
    SubnetKind,
    UsedBySubnets,
    VnetKind,
    ZoneGroupKind,
)

KINDS: Mapping[str, Kind] = {
    "*": Kind(),
    "microsoft.hdinsight/clusters": ClusterKind(),
    "microsoft.network/*": NetworkKind(),
    "microsoft.network/virtualnetworks": VnetKind(),
    "microsoft.network/virtualnetworks/subnets": SubnetKind(),
    "microsoft.network/virtualnetworks/virtualnetworkpeerings": PeeringKind(),
    "microsoft.network/networksecuritygroups": UsedBySubnets(
        "networkSecurityGroup", "InUseNetworkSecurityGroupCannotBeDeleted"
    ),
    "microsoft.network/natgateways": UsedBySubnets("natGateway", "NatGatewayCannotBeDeletedBecauseItIsInUse"),
    "microsoft.network/publicipaddresses": PublicIpKind(),
    "microsoft.network/privateendpoints/privatednszonegroups": ZoneGroupKind(),
    "microsoft.managedidentity/userassignedidentities": IdentityKind(),
    "microsoft.authorization/roleassignments": RoleAssignmentKind(),
    "microsoft.storage/storageaccounts": StorageKind(),
    "microsoft.storage/storageaccounts/blobservices": PlainKind(),
    "microsoft.storage/storageaccounts/blobservices/containers": PlainKind(),
    "microsoft.keyvault/vaults": VaultKind(),
    "microsoft.keyvault/vaults/keys": KeyKind(),
    "microsoft.keyvault/vaults/accesspolicies": AccessPolicyKind(),
    "microsoft.operationalinsights/workspaces": WorkspaceKind(),
    "microsoft.insights/actiongroups": PlainKind(),
    "microsoft.insights/scheduledqueryrules": PlainKind(),
}
