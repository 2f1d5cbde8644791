"""Every code and message that HDInsight and Azure are known to send has a next step."""

import pytest

from hdictl.plan.cloud import CloudError
from hdictl.plan.cloud_advice import advice, is_transient


@pytest.mark.parametrize(
    ("code", "message", "word"),
    [
        ("BadRequest", "The component version 3.2.0 is not supported", "major.minor"),
        ("BadRequest", "Version capability not available for version '4.0' and Subscription ID 'x'", "5.1"),
        ("BadRequest", "The request payload is invalid.", "hdictl check"),
        ("InvalidDocumentErrorCode", "DeploymentDocument 'CsmDocument_2_0' failed the validation", "VM size"),
        ("", "DeploymentDocument 'CsmDocument_2_0' failed the validation", "script action"),
        ("InvalidVirtualNetworkId", "", "subnet"),
        ("InvalidNetworkSecurityGroupSecurityRules", "", "443"),
        ("StoragePermissionsBlockedForMsi", "", "Storage Blob Data Owner"),
        ("AmbariClusterCreationFailedErrorCode", "Internal server error", "Storage Blob Data Owner"),
        ("FailedToConnectWithClusterErrorCode", "Unable to connect", "NSG"),
        ("CustomizationFailedErrorCode", "", "hdictl script history"),
        ("AzureResourceCreationFailedErrorCode", "", "the message names the reason"),
        ("InvalidKafkaScaleDownRequestErrorCode", "", "never scales in"),
        ("BadRequest", "There are not sufficient fault domains in region", "location"),
        ("BadRequest", "the maximum node exceeded the available cores in this region", "more HDInsight cores"),
        ("", "Cluster setup failed to install components on one or more nodes", "this passes"),
        ("UserClusterNameNotAvailable", "", "unique in the world"),
        ("DeploymentActive", "", "joins it"),
        ("Conflict", "Another operation is in progress", "wait until it is over"),
        ("InvalidTemplate", "", "fault of hdictl"),
        ("PrincipalNotFound", "", "apply again"),
        ("RequestDisallowedByPolicy", "", "exemption"),
        ("ScopeLocked", "", "az lock list"),
        ("QuotaExceeded", "", "Quotas"),
        ("OperationNotAllowed", "exceeding approved standardEv3Family Cores quota", "Quotas"),
        ("SubscriptionNotFound", "", "az account list"),
        ("MissingSubscriptionRegistration", "", "az provider register"),
        ("SkuNotAvailable", "", "another size"),
        ("KeyVaultParameterReferenceNotFound", "", "enabled-for-template-deployment"),
        ("keyvaultparameterreferencenotfound", "", "enabled-for-template-deployment"),
    ],
)
def test_a_known_error_has_a_next_step(code: str, message: str, word: str):
    assert word in (advice(CloudError(code, message)) or "")


def test_an_unknown_error_has_none():
    assert advice(CloudError("Unheard", "of")) is None
    assert not is_transient(CloudError("Unheard", "of"))


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("X", "Cluster setup failed to install components on one or more nodes"),
        ("PrincipalNotFound", ""),
        ("DeploymentActive", ""),
        ("Conflict", "The cluster is being resized"),
    ],
)
def test_what_passes_by_itself_is_transient(code: str, message: str):
    assert is_transient(CloudError(code, message))


def test_a_refusal_is_not_transient():
    assert not is_transient(CloudError("InvalidKafkaScaleDownRequestErrorCode", ""))
    assert not is_transient(CloudError("Conflict", "The name is taken"))
