"""Every property that a cluster's `properties` may have in a request, over all API versions.

Which version has which is X101's matter. Lists are not marked: a shape holds for each of their items. An empty shape
means that anything may lie below.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

Shape: TypeAlias = Mapping[str, "Shape"]

_ANY: Shape = {}


def _of(names: str, **inner: Shape) -> Shape:
    return {**dict.fromkeys(names.split(), _ANY), **inner}


_SCRIPT = _of("name uri parameters")
_CAPACITY = _of("minInstanceCount maxInstanceCount")
_AUTOSCALE = _of(
    "",
    capacity=_CAPACITY,
    recurrence=_of("timeZone", schedule=_of("days", timeAndCapacity=_of("time minInstanceCount maxInstanceCount"))),
)
_OS = _of(
    "",
    linuxOperatingSystemProfile=_of("username password", sshProfile=_of("", publicKeys=_of("certificateData"))),
)
_ROLE = _of(
    "name minInstanceCount targetInstanceCount VMGroupName encryptDataDisks",
    autoscale=_AUTOSCALE,
    hardwareProfile=_of("vmSize"),
    osProfile=_OS,
    virtualNetworkProfile=_of("id subnet"),
    dataDisksGroups=_of("disksPerNode"),
    scriptActions=_SCRIPT,
)
_STORAGE = _of("name isDefault container fileSystem key resourceId msiResourceId saskey fileshare enableSecureChannel")
_IP = _of("name", properties=_of("primary privateIPAddress privateIPAllocationMethod", subnet=_of("id")))

SHAPE: Shape = _of(
    "clusterVersion osType tier minSupportedTlsVersion",
    clusterDefinition=_of("blueprint kind componentVersion configurations"),
    kafkaRestProperties=_of("configurationOverride", clientGroupInfo=_of("groupName groupId")),
    securityProfile=_of(
        "directoryType domain organizationalUnitDN ldapsUrls domainUsername domainUserPassword clusterUsersGroupDNs "
        "aaddsResourceId msiResourceId"
    ),
    computeProfile=_of("", roles=_ROLE),
    storageProfile=_of("", storageaccounts=_STORAGE),
    diskEncryptionProperties=_of("vaultUri keyName keyVersion encryptionAlgorithm msiResourceId encryptionAtHost"),
    encryptionInTransitProperties=_of("isEncryptionInTransitEnabled"),
    networkProperties=_of(
        "resourceProviderConnection privateLink outboundDependenciesManagedType", publicIpTag=_of("ipTagType tag")
    ),
    computeIsolationProperties=_of("enableComputeIsolation hostSku"),
    privateLinkConfigurations=_of("name", properties=_of("groupId", ipConfigurations=_IP)),
)
READ_ONLY = frozenset(
    {
        "clusterHdpVersion",
        "clusterId",
        "clusterState",
        "connectivityEndpoints",
        "createdDate",
        "diskSizeGB",
        "errors",
        "excludedServicesConfig",
        "id",
        "privateEndpointConnections",
        "provisioningState",
        "quotaInfo",
        "storageAccountType",
        "type",
    }
)
