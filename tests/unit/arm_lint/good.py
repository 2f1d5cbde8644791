"""A template with nothing wrong in it: Kafka and Spark in one VNet, peered with another.

Faults are planted in copies of it.
"""

from __future__ import annotations

from typing import Any

_SUBNETS = "Microsoft.Network/virtualNetworks/subnets"
STORAGE_ID = "[resourceId('Microsoft.Storage/storageAccounts', variables('storage'))]"
MSI_ID = "[resourceId('Microsoft.ManagedIdentity/userAssignedIdentities', 'demo-id')]"
ROLE_ID = "[extensionResourceId(resourceId('Microsoft.Storage/storageAccounts', variables('storage')), "
ROLE_ID += "'Microsoft.Authorization/roleAssignments', '6a3f2f4e-1111-5e0a-8da5-65d04373eea8')]"


def _id(kind: str, *names: str) -> str:
    quoted = ", ".join(f"'{one}'" for one in (kind, *names))
    return f"[resourceId({quoted})]"


def _role(name: str, count: int, size: str, subnet: str, **more: Any) -> dict[str, Any]:
    return {
        "name": name,
        "targetInstanceCount": count,
        "hardwareProfile": {"vmSize": size},
        "osProfile": {
            "linuxOperatingSystemProfile": {
                "username": "sshuser",
                "sshProfile": {"publicKeys": [{"certificateData": "ssh-ed25519 AAAA ops"}]},
            }
        },
        "virtualNetworkProfile": {
            "id": _id("Microsoft.Network/virtualNetworks", "demo-vnet"),
            "subnet": _id(_SUBNETS, "demo-vnet", subnet),
        },
        **more,
    }


def _cluster(name: str, kind: str, component: dict[str, str], roles: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "type": "Microsoft.HDInsight/clusters",
        "apiVersion": "2021-06-01",
        "name": name,
        "location": "[parameters('location')]",
        "tags": {"team": "data"},
        "dependsOn": [
            _id("Microsoft.Network/virtualNetworks", "demo-vnet"),
            ROLE_ID,
            _id("Microsoft.Network/virtualNetworks/virtualNetworkPeerings", "demo-vnet", "to-far"),
        ],
        "identity": {"type": "UserAssigned", "userAssignedIdentities": {MSI_ID: {}}},
        "properties": {
            "clusterVersion": "5.1",
            "osType": "Linux",
            "tier": "Standard",
            "minSupportedTlsVersion": "1.2",
            "clusterDefinition": {
                "kind": kind,
                "componentVersion": component,
                "configurations": {
                    "gateway": {
                        "restAuthCredential.isEnabled": True,
                        "restAuthCredential.username": "admin",
                        "restAuthCredential.password": "[parameters('gatewayPassword')]",
                    }
                },
            },
            "storageProfile": {
                "storageaccounts": [
                    {
                        "name": "[concat(variables('storage'), '.dfs.core.windows.net')]",
                        "isDefault": True,
                        "fileSystem": name,
                        "resourceId": STORAGE_ID,
                        "msiResourceId": MSI_ID,
                    }
                ]
            },
            "computeProfile": {"roles": roles},
            "networkProperties": {"resourceProviderConnection": "Inbound", "privateLink": "Disabled"},
        },
    }


def _security_rule(name: str, priority: int, source: str) -> dict[str, Any]:
    return {
        "name": name,
        "properties": {
            "priority": priority,
            "direction": "Inbound",
            "access": "Allow",
            "protocol": "Tcp",
            "sourceAddressPrefix": source,
            "sourcePortRange": "*",
            "destinationAddressPrefix": "VirtualNetwork",
            "destinationPortRange": "443",
        },
    }


def _subnet(name: str, prefix: str) -> dict[str, Any]:
    return {
        "name": name,
        "properties": {
            "addressPrefix": prefix,
            "networkSecurityGroup": {"id": _id("Microsoft.Network/networkSecurityGroups", "demo-nsg")},
            "natGateway": {"id": _id("Microsoft.Network/natGateways", "demo-nat")},
        },
    }


def _peering(vnet: str, other: str, name: str) -> dict[str, Any]:
    return {
        "type": "Microsoft.Network/virtualNetworks/virtualNetworkPeerings",
        "apiVersion": "2024-05-01",
        "name": f"{vnet}/{name}",
        "dependsOn": [_id("Microsoft.Network/virtualNetworks", one) for one in (vnet, other)],
        "properties": {"remoteVirtualNetwork": {"id": _id("Microsoft.Network/virtualNetworks", other)}},
    }


def _network() -> list[dict[str, Any]]:
    place = {"apiVersion": "2024-05-01", "location": "[parameters('location')]"}
    return [
        {"type": "Microsoft.Network/publicIPAddresses", **place, "name": "demo-ip", "sku": {"name": "Standard"}},
        {
            "type": "Microsoft.Network/natGateways",
            **place,
            "name": "demo-nat",
            "dependsOn": [_id("Microsoft.Network/publicIPAddresses", "demo-ip")],
            "properties": {"publicIpAddresses": [{"id": _id("Microsoft.Network/publicIPAddresses", "demo-ip")}]},
        },
        {
            "type": "Microsoft.Network/networkSecurityGroups",
            **place,
            "name": "demo-nsg",
            "properties": {
                "securityRules": [
                    _security_rule("hdinsight", 300, "HDInsight.WestEurope"),
                    _security_rule("admins", 310, "192.0.2.0/24"),
                ]
            },
        },
        {
            "type": "Microsoft.Network/virtualNetworks",
            **place,
            "name": "demo-vnet",
            "dependsOn": [
                _id("Microsoft.Network/networkSecurityGroups", "demo-nsg"),
                _id("Microsoft.Network/natGateways", "demo-nat"),
            ],
            "properties": {
                "addressSpace": {"addressPrefixes": ["10.0.0.0/16"]},
                "subnets": [_subnet("kafka", "10.0.1.0/24"), _subnet("spark", "10.0.2.0/24")],
            },
        },
        {
            "type": "Microsoft.Network/virtualNetworks",
            **place,
            "name": "far-vnet",
            "properties": {"addressSpace": {"addressPrefixes": ["10.1.0.0/16"]}},
        },
        _peering("demo-vnet", "far-vnet", "to-far"),
        _peering("far-vnet", "demo-vnet", "to-demo"),
    ]


def _storage() -> list[dict[str, Any]]:
    return [
        {
            "type": "Microsoft.Storage/storageAccounts",
            "apiVersion": "2023-05-01",
            "name": "[variables('storage')]",
            "location": "[parameters('location')]",
            "sku": {"name": "Standard_ZRS"},
            "kind": "StorageV2",
            "properties": {
                "isHnsEnabled": True,
                "allowBlobPublicAccess": False,
                "allowSharedKeyAccess": False,
                "minimumTlsVersion": "TLS1_2",
                "supportsHttpsTrafficOnly": True,
            },
        },
        {
            "type": "Microsoft.Storage/storageAccounts/blobServices/containers",
            "apiVersion": "2023-05-01",
            "name": "[concat(variables('storage'), '/default/', variables('fileSystems')[copyIndex()])]",
            "copy": {"name": "fileSystems", "count": "[length(variables('fileSystems'))]"},
            "dependsOn": [STORAGE_ID],
            "properties": {"publicAccess": "None"},
        },
        {
            "type": "Microsoft.ManagedIdentity/userAssignedIdentities",
            "apiVersion": "2023-01-31",
            "name": "demo-id",
            "location": "[parameters('location')]",
        },
        {
            "type": "Microsoft.Authorization/roleAssignments",
            "apiVersion": "2022-04-01",
            "name": "6a3f2f4e-1111-5e0a-8da5-65d04373eea8",
            "scope": STORAGE_ID,
            "dependsOn": ["fileSystems", MSI_ID],
            "properties": {
                "roleDefinitionId": "[subscriptionResourceId('Microsoft.Authorization/roleDefinitions', "
                "'b7e6dc6d-f1e8-4753-8033-0f276bb0955b')]",
                "principalId": f"[reference({MSI_ID[1:-1]}, '2023-01-31').principalId]",
                "principalType": "ServicePrincipal",
            },
        },
    ]


def _clusters() -> list[dict[str, Any]]:
    return [
        _cluster(
            "kafka-demo",
            "KAFKA",
            {"Kafka": "3.2"},
            [
                _role("headnode", 2, "Standard_E4_v3", "kafka"),
                _role("workernode", 3, "Standard_E4_v3", "kafka", dataDisksGroups=[{"disksPerNode": 2}]),
                _role("zookeepernode", 3, "Standard_A4_v2", "kafka"),
            ],
        ),
        _cluster(
            "spark-demo",
            "SPARK",
            {"Spark": "3.3"},
            [
                _role("headnode", 2, "Standard_E8_v3", "spark"),
                _role("workernode", 3, "Standard_E8_v3", "spark"),
                _role("zookeepernode", 3, "Standard_A2_v2", "spark"),
            ],
        ),
    ]


def _nested() -> dict[str, Any]:
    """Has parameters of its own; is passed the secret."""
    return {
        "type": "Microsoft.Resources/deployments",
        "apiVersion": "2022-09-01",
        "name": "vault-secret",
        "resourceGroup": "rg-vaults",
        "properties": {
            "mode": "Incremental",
            "expressionEvaluationOptions": {"scope": "inner"},
            "parameters": {"password": {"value": "[parameters('gatewayPassword')]"}},
            "template": {
                "$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
                "contentVersion": "1.0.0.0",
                "parameters": {"password": {"type": "secureString"}},
                "resources": [
                    {
                        "type": "Microsoft.KeyVault/vaults/secrets",
                        "apiVersion": "2023-07-01",
                        "name": "kv-demo/gateway",
                        "properties": {"value": "[parameters('password')]"},
                    }
                ],
            },
        },
    }


def good() -> dict[str, Any]:
    return {
        "$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
        "contentVersion": "1.0.0.0",
        "parameters": {
            "gatewayPassword": {"type": "secureString"},
            "location": {"type": "string", "defaultValue": "westeurope"},
        },
        "variables": {"storage": "demo1234", "fileSystems": ["kafka-demo", "spark-demo"]},
        "resources": [*_network(), *_storage(), *_clusters(), _nested()],
        "outputs": {"endpoint": {"type": "string", "value": "https://kafka-demo.azurehdinsight.net"}},
    }
