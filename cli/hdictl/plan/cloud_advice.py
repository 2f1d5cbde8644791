"""What to do about an error of Azure: one row a cause, the first that fits counts.

A row fits by the error's code, by words of its message, or by both. Codes and words are those that HDInsight and Azure
Resource Manager are known to use; where one code stands for several causes, its rows with words come first.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from hdictl.plan.cloud import CloudError


@dataclass(frozen=True)
class Row:
    codes: tuple[str, ...]  # empty: any
    words: str | None  # a pattern in the message; None: any
    step: str
    is_transient: bool = False


_AGAIN = "this passes: delete the failed cluster and apply again"

_ROWS = (
    # HDInsight, by what it says. Its codes are broad, its messages are not.
    Row((), r"Cluster setup failed to install components", _AGAIN, is_transient=True),
    Row(
        (),
        r"not sufficient fault domains",
        "this region has too few fault domains for Kafka; choose one with three: `location` of the cluster",
    ),
    Row(
        (),
        r"maximum node exceeded the available cores",
        "ask for more HDInsight cores in this region (portal: Quotas → HDInsight), or use fewer or smaller nodes; "
        "ZooKeeper nodes are not counted",
    ),
    Row(
        (),
        r"Version capability not available",
        'this version is retired or not offered to the subscription; use `version: "5.1"`',
    ),
    Row(("BadRequest",), r"[Cc]omponent [Vv]ersion", "write component versions as major.minor: kafka 3.2, spark 3.3"),
    Row(
        ("BadRequest",),
        r"payload is invalid",
        "HDInsight could not read the cluster's description; check versions (major.minor) and sizes: hdictl check",
    ),
    Row(
        ("InvalidDocumentErrorCode",),
        None,
        "a VM size that the role does not take, or a script action whose address does not answer; check both",
    ),
    Row(
        (),
        r"DeploymentDocument '?CsmDocument",
        "a VM size that the role does not take, or a script action whose address does not answer; check both",
    ),
    Row(
        ("InvalidVirtualNetworkId",),
        None,
        "the VNet or subnet does not exist, or is in another region than the cluster; see `network` of the stack",
    ),
    Row(
        ("InvalidNetworkSecurityGroupSecurityRules",),
        None,
        "the subnet's NSG keeps HDInsight out: allow TCP 443 from the service tag HDInsight, above every deny rule",
    ),
    Row(
        ("StoragePermissionsBlockedForMsi",),
        None,
        "the cluster's identity is not yet `Storage Blob Data Owner` of the storage account; a new role takes "
        "some minutes: delete the failed cluster and apply again",
    ),
    Row(
        ("AmbariClusterCreationFailedErrorCode",),
        None,
        "most often the storage role: see that the identity is `Storage Blob Data Owner`, and that no firewall of the "
        "account keeps the subnet out; then delete the failed cluster and apply again",
    ),
    Row(
        ("FailedToConnectWithClusterErrorCode",),
        None,
        "HDInsight does not reach the nodes: check NSG rules (443 from the tag HDInsight) and routes of the subnet",
    ),
    Row(
        ("CustomizationFailedErrorCode", "ScriptExecutionFailed"),
        None,
        "a script action failed; see what it wrote: hdictl script history CLUSTER",
    ),
    Row(
        ("AzureResourceCreationFailedErrorCode",),
        None,
        "HDInsight could not make a VM, disk, address or load balancer; the message names the reason (quota, policy, "
        "lock, addresses of the subnet); mend that, delete the failed cluster and apply again",
    ),
    Row(
        ("InvalidKafkaScaleDownRequestErrorCode",),
        None,
        "Kafka on HDInsight never scales in; make a smaller cluster beside it and move the topics",
    ),
    Row(
        ("UserClusterNameNotAvailable", "ClusterNameNotAvailable", "DnsNameNotAvailable"),
        None,
        "somebody has this name; cluster names are unique in the world: set `name` of the cluster",
    ),
    Row((), r"[Cc]luster name .* (unavailable|not available)", "choose another: set `name` of the cluster"),
    # Azure Resource Manager.
    Row(
        ("DeploymentActive",),
        None,
        "the same deployment is at work; hdictl apply joins it, and nothing has to be cancelled",
        is_transient=True,
    ),
    Row(
        ("AnotherOperationInProgress", "OperationNotAllowedOnBusyCluster", "ClusterNotInRunningState", "Conflict"),
        r"[Ii]n progress|in state|not in (a )?running state|being (updated|modified|resized|deleted)|busy",
        "something else is being done to it; wait until it is over (hdictl status), then try again",
        is_transient=True,
    ),
    Row(
        ("AnotherOperationInProgress", "RetryableError", "Retryable"), None, "try again in a minute", is_transient=True
    ),
    Row(
        ("InvalidTemplate", "InvalidTemplateDeployment", "InvalidDeployment"),
        None,
        "the template is wrong; if hdictl rendered it and nobody changed it, that is a fault of hdictl: report it",
    ),
    Row(("InvalidDeploymentParameterKey", "InvalidDeploymentParameterValue"), None, "check the parameter it names"),
    Row(
        ("PrincipalNotFound",),
        None,
        "the identity was made a moment ago and is not known everywhere yet: apply again in a minute",
        is_transient=True,
    ),
    Row(
        ("RoleAssignmentExists",),
        None,
        "the same role was given by hand, under another name; remove that role assignment and apply again",
    ),
    Row(
        ("RoleAssignmentUpdateNotPermitted",),
        None,
        "the identity was deleted and made anew; remove the role assignments that show `Unknown` in the portal",
    ),
    Row(
        ("RequestDisallowedByPolicy",),
        None,
        "an Azure Policy forbids it, and the message names it; HDInsight needs public addresses (unless `connection: "
        "outbound`), load balancers and storage: ask for an exemption",
    ),
    Row(
        ("ScopeLocked",),
        None,
        "a lock on the resource, its group or the subscription is in the way (az lock list); have it removed",
    ),
    Row(
        ("ReadOnlyDisabledSubscription", "SubscriptionNotRegistered"),
        None,
        "the subscription is disabled (payment, or its end); see it in the portal",
    ),
    Row(
        ("SubscriptionNotFound", "InvalidSubscriptionId"),
        None,
        "this sign-in does not see the subscription; check `azure.subscription`, and the tenant: az account list",
    ),
    Row(("ResourceGroupNotFound",), None, "the resource group is gone; hdictl apply makes it"),
    Row(
        ("ResourceGroupBeingDeleted",),
        None,
        "the resource group is being deleted; wait until it is gone, then apply",
        is_transient=True,
    ),
    Row(
        ("InvalidResourceGroupLocation", "InvalidResourceLocation"),
        None,
        "it exists already in another region, and cannot move; use that region, or another name",
    ),
    Row(
        ("MissingSubscriptionRegistration",),
        None,
        "register the provider that the message names: az provider register --namespace NAME --wait",
    ),
    Row(
        ("LocationNotAvailableForResourceType", "NoRegisteredProviderFound"),
        None,
        "this region does not offer that; choose another `location`",
    ),
    Row(
        ("QuotaExceeded", "OperationNotAllowed"),
        r"[Qq]uota|limit",
        "a quota of the subscription is used up; ask for more (portal: Quotas), or use fewer or smaller nodes",
    ),
    Row(("QuotaExceeded",), None, "a quota of the subscription is used up; ask for more (portal: Quotas)"),
    Row((), r"exceed\w* .*[Qq]uota", "a quota of the subscription is used up; ask for more (portal: Quotas)"),
    Row(
        ("SkuNotAvailable", "AllocationFailed", "ZonalAllocationFailed", "OverconstrainedAllocationRequest"),
        None,
        "the region has none of this VM size now; choose another size, zone or region",
    ),
    Row(("StorageAccountAlreadyTaken",), None, "name it yourself: storage.<region>.account, unique in the world"),
    Row(
        ("AuthorizationFailed", "LinkedAuthorizationFailed"),
        None,
        "ask for the role that has the action the message names",
    ),
    Row(
        ("KeyVaultParameterReferenceNotFound", "KeyVaultParameterReferenceSecretRetrieveFailed"),
        None,
        "the vault has no such secret, or is not enabled for template deployment: "
        "az keyvault update --name VAULT --enabled-for-template-deployment true",
    ),
    Row(
        ("KeyVaultParameterReferenceAuthorizationFailed",),
        None,
        "this sign-in needs Microsoft.KeyVault/vaults/deploy/action on the vault (role `Contributor`)",
    ),
    Row(
        ("InUseSubnetCannotBeDeleted", "InUseSubnetCannotBeUpdated", "InUseNetworkSecurityGroupCannotBeDeleted"),
        None,
        "something still uses the network; delete the clusters in it first",
    ),
    Row(("NetcfgInvalidSubnet", "SubnetsOverlap", "NetcfgSubnetRangesOverlap"), None, "mend the subnets of the stack"),
    Row(("SubnetIsFull",), None, "the subnet has no free address; use a larger one (a /24 a cluster is comfortable)"),
)


def advice(error: CloudError) -> str | None:
    """The next step; None when nothing is known about this error."""
    row = _row(error)
    return row.step if row else None


def is_transient(error: CloudError) -> bool:
    """The same request may go well later, with nothing changed."""
    row = _row(error)
    return row is not None and row.is_transient


def _row(error: CloudError) -> Row | None:
    return next((row for row in _ROWS if _fits(row, error)), None)


def _fits(row: Row, error: CloudError) -> bool:
    by_code = not row.codes or error.code.lower() in {code.lower() for code in row.codes}
    return by_code and (row.words is None or re.search(row.words, error.message) is not None)
