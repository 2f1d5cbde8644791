"""What the tests send: clusters, and a template with everything a cluster stands on."""

from __future__ import annotations

from typing import Any

PASSWORD = "Canary-7f3a9b!x"
SSH_KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExample admin@example.com"
OWNER = "b7e6dc6d-f1e8-4753-8033-0f276bb0955b"
IDENTITY = "Microsoft.ManagedIdentity/userAssignedIdentities"
STORAGE = "Microsoft.Storage/storageAccounts"
VNET = "Microsoft.Network/virtualNetworks"


def cluster(kind: str = "KAFKA", *, workers: int = 4, password: str = PASSWORD, **role_extras: Any) -> dict[str, Any]:
    """The smallest that HDInsight takes."""
    is_kafka = kind.upper() == "KAFKA"
    login = {"linuxOperatingSystemProfile": {"username": "sshuser", "sshProfile": {"publicKeys": [_key()]}}}
    roles: list[dict[str, Any]] = [
        {
            "name": name,
            "targetInstanceCount": count,
            "hardwareProfile": {"vmSize": "Standard_E4_v3"},
            "osProfile": login,
            **role_extras,
        }
        for name, count in (("headnode", 2), ("workernode", workers))
    ]
    if is_kafka:
        roles[1]["dataDisksGroups"] = [{"disksPerNode": 2}]
    return {
        "location": "westeurope",
        "tags": {"team": "data"},
        "properties": {
            "clusterVersion": "5.1",
            "osType": "Linux",
            "tier": "Standard",
            "clusterDefinition": {
                "kind": kind,
                "componentVersion": {"Kafka": "3.2"} if is_kafka else {"Spark": "3.3"},
                "configurations": {
                    "gateway": {
                        "restAuthCredential.isEnabled": True,
                        "restAuthCredential.username": "admin",
                        "restAuthCredential.password": password,
                    }
                },
            },
            "computeProfile": {"roles": roles},
        },
    }


def _key() -> dict[str, str]:
    return {"certificateData": SSH_KEY}


def resource(type: str, name: str, api_version: str, **rest: Any) -> dict[str, Any]:
    return {"type": type, "name": name, "apiVersion": api_version, **rest}


def id_of(type: str, *names: str) -> str:
    return f"[resourceId('{type}', {', '.join(repr(name) for name in names)})]"


def template(*resources: dict[str, Any], **parts: Any) -> dict[str, Any]:
    schema = "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#"
    return {"$schema": schema, "contentVersion": "1.0.0.0", "resources": list(resources), **parts}


def deployment(template: dict[str, Any], **parameters: Any) -> dict[str, Any]:
    given = {name: value if isinstance(value, dict) else {"value": value} for name, value in parameters.items()}
    return {"properties": {"mode": "Incremental", "template": template, "parameters": given}}


def whole_stack() -> dict[str, Any]:
    """NSG, NAT gateway, VNet, identity, storage with a role, and a Kafka cluster on top of it all."""
    network = {"id": id_of(VNET, "vnet"), "subnet": id_of(f"{VNET}/subnets", "vnet", "ingest")}
    kafka = cluster(password="[parameters('gateway')]", virtualNetworkProfile=network)
    kafka["identity"] = {"type": "UserAssigned", "userAssignedIdentities": {id_of(IDENTITY, "id"): {}}}
    kafka["properties"]["storageProfile"] = {
        "storageaccounts": [
            {
                "name": "store.dfs.core.windows.net",
                "isDefault": True,
                "fileSystem": "ingest",
                "resourceId": id_of(STORAGE, "store"),
                "msiResourceId": id_of(IDENTITY, "id"),
            }
        ]
    }
    needed = [id_of(VNET, "vnet"), id_of(IDENTITY, "id"), role_id()]
    return template(
        *network_resources(),
        resource(IDENTITY, "id", "2023-01-31", location="westeurope"),
        resource(STORAGE, "store", "2023-05-01", location="westeurope", **_gen2()),
        role_assignment(),
        resource("Microsoft.HDInsight/clusters", "ingest", "2021-06-01", dependsOn=needed, **kafka),
        parameters={"gateway": {"type": "secureString"}},
        outputs={"principal": {"type": "string", "value": f"[{principal()}]"}},
    )


def network_resources() -> list[dict[str, Any]]:
    nsg, nat, ip = "networkSecurityGroups", "natGateways", "publicIPAddresses"
    rule = {
        "priority": 300,
        "direction": "Inbound",
        "access": "Allow",
        "protocol": "Tcp",
        "sourceAddressPrefix": "HDInsight",
        "sourcePortRange": "*",
        "destinationAddressPrefix": "VirtualNetwork",
        "destinationPortRange": "443",
    }
    subnet = {
        "addressPrefix": "10.20.1.0/24",
        "networkSecurityGroup": {"id": id_of(f"Microsoft.Network/{nsg}", "nsg")},
        "natGateway": {"id": id_of(f"Microsoft.Network/{nat}", "nat")},
    }
    space = {"addressPrefixes": ["10.20.0.0/16"]}
    here: dict[str, Any] = {"location": "westeurope"}
    return [
        resource(
            f"Microsoft.Network/{nsg}",
            "nsg",
            "2024-01-01",
            properties={"securityRules": [{"name": "hdinsight", "properties": rule}]},
            **here,
        ),
        resource(
            f"Microsoft.Network/{ip}",
            "ip",
            "2024-01-01",
            sku={"name": "Standard"},
            properties={"publicIPAllocationMethod": "Static"},
            **here,
        ),
        resource(
            f"Microsoft.Network/{nat}",
            "nat",
            "2024-01-01",
            sku={"name": "Standard"},
            properties={"publicIpAddresses": [{"id": id_of(f"Microsoft.Network/{ip}", "ip")}]},
            dependsOn=[id_of(f"Microsoft.Network/{ip}", "ip")],
            **here,
        ),
        resource(
            VNET,
            "vnet",
            "2024-01-01",
            properties={"addressSpace": space, "subnets": [{"name": "ingest", "properties": subnet}]},
            dependsOn=[id_of(f"Microsoft.Network/{nsg}", "nsg"), id_of(f"Microsoft.Network/{nat}", "nat")],
            **here,
        ),
    ]


def _gen2() -> dict[str, Any]:
    return {"sku": {"name": "Standard_ZRS"}, "kind": "StorageV2", "properties": {"isHnsEnabled": True}}


def principal() -> str:
    return f"reference(resourceId('{IDENTITY}', 'id'), '2023-01-31').principalId"


def role_id() -> str:
    name = "11111111-2222-4333-8444-555555555555"
    return f"[concat(resourceId('{STORAGE}', 'store'), '/providers/Microsoft.Authorization/roleAssignments/{name}')]"


def role_assignment(**changes: Any) -> dict[str, Any]:
    properties = {
        "principalId": f"[{principal()}]",
        "principalType": "ServicePrincipal",
        "roleDefinitionId": f"[subscriptionResourceId('Microsoft.Authorization/roleDefinitions', '{OWNER}')]",
    }
    return resource(
        "Microsoft.Authorization/roleAssignments",
        "11111111-2222-4333-8444-555555555555",
        "2022-04-01",
        scope=id_of(STORAGE, "store"),
        dependsOn=[id_of(IDENTITY, "id"), id_of(STORAGE, "store")],
        properties={key: value for key, value in {**properties, **changes}.items() if value is not None},
    )
