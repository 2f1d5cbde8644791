"""Planted faults: each is one change to the good template, the rule that finds it, and words of what is said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.unit.arm_lint.good import MSI_ID, STORAGE_ID

REMOVED = object()
NSG, VNET, FAR, PEERING, STORAGE, CONTAINERS = (("resources", index) for index in (2, 3, 4, 5, 7, 8))
IDENTITY, ASSIGNMENT, KAFKA, SPARK, NESTED = (("resources", index) for index in (9, 10, 11, 12, 13))
DEFINITION = (*KAFKA, "properties", "clusterDefinition")
GATEWAY = (*DEFINITION, "configurations", "gateway")
ROLES = (*KAFKA, "properties", "computeProfile", "roles")
WORKER = (*ROLES, 1)
SPARK_ROLES = (*SPARK, "properties", "computeProfile", "roles")
ACCOUNT = (*KAFKA, "properties", "storageProfile", "storageaccounts", 0)
SUBNET = (*VNET, "properties", "subnets", 0)
RULE = (*NSG, "properties", "securityRules", 0)
PLAIN = "Hunter2-is-plain!"

Path = tuple[str | int, ...]


@dataclass(frozen=True)
class Fault:
    rule: str
    path: Path  # where the change is made
    value: Any = REMOVED
    says: str = ""
    at: Path | None = None  # where the finding belongs, when that is elsewhere
    also: frozenset[str] = frozenset()  # what cannot but break with it
    parameters: Mapping[str, Any] | None = field(default=None)

    def planted(self, template: dict[str, Any]) -> dict[str, Any]:
        holder: Any = template
        for step in self.path[:-1]:
            holder = holder[step]
        last: Any = self.path[-1]
        if self.value is REMOVED:
            del holder[last]
        elif isinstance(holder, list) and last == len(holder):
            holder.append(self.value)
        else:
            holder[last] = self.value
        return template


def _subnet_id(vnet: str, subnet: str) -> str:
    return f"[resourceId('Microsoft.Network/virtualNetworks/subnets', '{vnet}', '{subnet}')]"


DOCUMENT = (
    Fault("X003", ("contentVersion",), says="`contentVersion` missing", at=()),
    Fault("X003", (*IDENTITY, "apiVersion"), says="no `apiVersion`", at=IDENTITY),
    Fault("X003", ("resources",), "none", "no list", also=frozenset({"X013"})),
    Fault("X010", (*KAFKA, "location"), "[concat('west', 'europe']", "`)`"),
    Fault("X010", (*KAFKA, "location"), "[concat('west', 'europe')", "lost a bracket"),
    Fault("X010", (*KAFKA, "location"), "parameters('location')]", "lost a bracket"),
    Fault("X010", (*KAFKA, "location"), "[concat('west)]", "cannot be read"),
    Fault("X011", (*KAFKA, "location"), "[tolowr(parameters('location'))]", "did you mean `toLower`?"),
    Fault("X012", (*KAFKA, "location"), "[parameters('locatoin')]", "did you mean `location`?"),
    Fault("X012", (*STORAGE, "kind"), "[variables('kind')]", "variable `kind` is not declared"),
    Fault("X012", (*NESTED, "properties", "template", "outputs"), {"a": {"value": "[parameters('location')]"}},
          "parameter `location`", at=(*NESTED, "properties", "template", "outputs", "a", "value")),
    Fault("X013", ("parameters", "idle"), {"type": "int"}, "parameter `idle` is never used"),
    Fault("X013", ("variables", "idle"), 1, "variable `idle` is never used"),
    Fault("X014", (*IDENTITY, "name"), "[concat('id-', newGuid())]", "named anew",
          also=frozenset({"X040", "X041", "X092"})),
)  # fmt: skip
PARAMETERS = (
    Fault("X020", ("parameters", "gatewayPassword", "defaultValue"), PLAIN, "everybody can read"),
    Fault("X020", ("parameters", "gatewayPassword"), {"type": "securestring", "defaultValue": PLAIN},
          at=("parameters", "gatewayPassword", "defaultValue"), also=frozenset({"X021"})),
    Fault("X021", ("parameters", "gatewayPassword", "type"), "securestring", "scanners"),
    Fault("X022", ("parameters", "count"), {"type": "int", "defaultValue": 3}, "is int", parameters={"count": "3"},
          also=frozenset({"X013"})),
    Fault("X022", ("parameters", "size"), {"type": "string", "allowedValues": ["S", "L"], "defaultValue": "S"},
          "may not be `M`", parameters={"size": "M"}, also=frozenset({"X013"})),
    Fault("X022", ("parameters", "location", "type"), "string", "did you mean `location`?",
          at=("parameters",), parameters={"locations": "westeurope"}),
    Fault("X022", ("parameters", "location", "defaultValue"), says="no default", at=("parameters", "location"),
          parameters={}),
    Fault("X023", ("parameters", "location", "type"), "string", "holds the value", at=("parameters", "gatewayPassword"),
          parameters={"gatewayPassword": PLAIN}),
)  # fmt: skip
SECRETS = (
    Fault("X030", (*GATEWAY, "restAuthCredential.password"), PLAIN, "plain text"),
    Fault("X030", (*GATEWAY, "restAuthCredential.password"), "[parameters('location')]", "plain text"),
    Fault("X030", ("parameters", "gatewayPassword", "type"), "string", "not secure",
          at=(*GATEWAY, "restAuthCredential.password")),
    Fault("X030", (*DEFINITION, "configurations", "hive-env"), {"hive_database_password": PLAIN},
          at=(*DEFINITION, "configurations", "hive-env", "hive_database_password")),
    Fault("X030", (*WORKER, "osProfile", "linuxOperatingSystemProfile", "password"), PLAIN, "`password`"),
    Fault("X030", (*ACCOUNT, "key"), "c2VjcmV0", "`key`"),
    Fault("X031", ("outputs", "endpoint", "value"), "[parameters('gatewayPassword')]", "output `endpoint`",
          at=("outputs", "endpoint")),
    Fault("X031", ("outputs", "endpoint", "value"), "[concat('a', toLower(parameters('GATEWAYPASSWORD')))]",
          at=("outputs", "endpoint")),
    Fault("X031", ("outputs", "endpoint", "value"), f"[listKeys({STORAGE_ID[1:-1]}, '2023-05-01').keys[0].value]",
          at=("outputs", "endpoint")),
    Fault("X032", (*KAFKA, "tags", "team"), "[format('{0}', parameters('gatewayPassword'))]", at=(*KAFKA, "tags")),
    Fault("X032", (*IDENTITY, "name"), "[uniqueString(parameters('gatewayPassword'))]", "`name`",
          also=frozenset({"X040", "X041", "X092"})),
    Fault("X032", (*WORKER, "scriptActions"),
          [{"name": "a", "uri": "https://example.com/a.sh", "parameters": "[parameters('gatewayPassword')]"}],
          "`parameters`", at=(*WORKER, "scriptActions", 0, "parameters")),
    Fault("X033", (*NESTED, "properties", "template", "parameters", "password", "type"), "string", "not secure",
          at=(*NESTED, "properties", "parameters", "password")),
)  # fmt: skip
ORDER = (
    Fault("X040", (*KAFKA, "dependsOn", 0), "[resourceId('Microsoft.Network/virtualNetworks', 'demo-vent')]",
          "did you mean `demo-vnet`?"),
    Fault("X040", (*KAFKA, "dependsOn", 3), "[resourceId('Microsoft.Sql/servers', parameters('location'))]", "Sql"),
    Fault("X040", (*KAFKA, "dependsOn", 3), "loop", "`loop`"),
    Fault("X041", (*VNET, "dependsOn", 0), says="names networkSecurityGroups `demo-nsg`", at=VNET),
    Fault("X041", (*PEERING, "dependsOn"), [], "names virtualNetworks `demo-vnet`", at=PEERING),
    Fault("X041", (*CONTAINERS, "dependsOn"), [], "names storageAccounts `demo1234`", at=CONTAINERS),
    Fault("X041", (*ASSIGNMENT, "dependsOn"), ["fileSystems"], "names userAssignedIdentities", at=ASSIGNMENT),
    Fault("X042", (*FAR, "dependsOn"), ["demo-vnet/to-far"], " → "),
    Fault("X042", (*IDENTITY, "dependsOn"), [MSI_ID], "a circle"),
)  # fmt: skip
NAMES = (
    Fault("X050", (*FAR, "name"), "DEMO-vnet", "is there twice", also=frozenset({"X040", "X060", "X064"})),
    Fault("X051", (*SPARK, "name"), "kafka-demo-2", "both begin with `kafka-`"),
    Fault("X052", ("variables", "storage"), "Demo_1234", "no name of a storage account", at=(*STORAGE, "name")),
    Fault("X053", (*SPARK, "name"), "-spark", "no name of a cluster"),
    Fault("X053", (*SPARK, "name"), "apps"),
    Fault("X054", (*ACCOUNT, "fileSystem"), "spark-demo", "share the file system",
          at=(*SPARK, "properties", "storageProfile", "storageaccounts", 0)),
)  # fmt: skip
NETWORK = (
    Fault("X060", (*WORKER, "virtualNetworkProfile", "subnet"), _subnet_id("demo-vnet", "kafak"),
          "did you mean `demo-vnet/kafka`?"),
    Fault("X060", (*SUBNET, "name"), "renamed", "no subnet `demo-vnet/kafka`",
          at=(*ROLES, 0, "virtualNetworkProfile", "subnet")),
    Fault("X061", (*WORKER, "virtualNetworkProfile", "subnet"), "kafka", "no id of a subnet"),
    Fault("X061", (*WORKER, "virtualNetworkProfile", "subnet"),
          "[concat(resourceId('Microsoft.Network/virtualNetworks', 'demo-vnet'), '/kafka')]", "no id of a subnet"),
    Fault("X061", (*WORKER, "virtualNetworkProfile", "id"), "demo-vnet", "no id of a VNet"),
    Fault("X061", (*WORKER, "virtualNetworkProfile", "id"),
          "[resourceId('Microsoft.Network/virtualNetworks', 'far-vnet')]", "another VNet",
          at=(*WORKER, "virtualNetworkProfile", "subnet")),
    Fault("X062", (*SUBNET, "properties", "networkSecurityGroup"), says="`demo-vnet/kafka`", at=SUBNET),
    Fault("X063", (*SUBNET, "properties", "natGateway"), says="neither NAT gateway", at=SUBNET),
    Fault("X064", (*SUBNET, "properties", "addressPrefix"), "10.0.2.128/25", "`kafka` and `spark` overlap",
          at=(*VNET, "properties", "subnets", 1)),
    Fault("X064", (*SUBNET, "properties", "addressPrefix"), "10.9.1.0/24", "outside VNet", at=SUBNET),
    Fault("X064", (*SUBNET, "properties", "addressPrefix"), "10.0.1.1/24", "no address range", at=SUBNET),
    Fault("X065", (*FAR, "properties", "addressSpace", "addressPrefixes"), ["10.0.128.0/17"], "overlap", at=PEERING),
    Fault("X070", (*RULE, "properties", "priority"), 5000, "not in 100–4096"),
    Fault("X070", (*RULE, "properties", "priority"), 99),
    Fault("X070", (*RULE, "properties", "priority"), "300", "`300`"),
    Fault("X071", (*RULE, "properties", "priority"), 310, "both have priority 310",
          at=(*NSG, "properties", "securityRules", 1, "properties", "priority")),
    Fault("X072", (*RULE, "name"), "allow hdinsight", "no name of a security rule"),
    Fault("X072", (*RULE, "name"), "admins", "two security rules",
          at=(*NSG, "properties", "securityRules", 1, "name")),
    Fault("X073", (*RULE, "properties", "destinationPortRange"), "22-80", "lets HDInsight not in", at=NSG),
    Fault("X073", (*RULE, "properties", "access"), "Deny", at=NSG),
)  # fmt: skip
STORAGES = (
    Fault("X080", (*STORAGE, "properties", "allowBlobPublicAccess"), value=True, says="public access"),
    Fault("X080", (*CONTAINERS, "properties", "publicAccess"), "Container", "is public"),
    Fault("X081", (*STORAGE, "properties", "allowSharedKeyAccess"), value=True, says="shared keys"),
    Fault("X081", (*STORAGE, "properties", "allowSharedKeyAccess"), at=(*STORAGE, "properties")),
    Fault("X082", (*STORAGE, "properties", "minimumTlsVersion"), "TLS1_0", "before 1.2"),
    Fault("X082", (*STORAGE, "properties", "minimumTlsVersion"), at=(*STORAGE, "properties")),
    Fault("X082", (*KAFKA, "properties", "minSupportedTlsVersion"), "1.0", "TLS 1.2 only"),
    Fault("X083", (*STORAGE, "properties", "supportsHttpsTrafficOnly"), value=False, says="without TLS"),
    Fault("X090", (*ACCOUNT, "msiResourceId"), says="without `msiResourceId`", at=ACCOUNT),
    Fault("X091", (*KAFKA, "identity"), says="does not have", at=KAFKA),
    Fault("X092", (*ASSIGNMENT, "properties", "roleDefinitionId"),
          "[subscriptionResourceId('Microsoft.Authorization/roleDefinitions', '2a2b9908-6ea1-4ae2-8e65-a410df84e7d1')]",
          "Storage Blob Data Owner", at=ACCOUNT),
    Fault("X092", (*KAFKA, "dependsOn"),
          ["demo-vnet", STORAGE_ID, MSI_ID], "does not wait for the role", at=ACCOUNT),
)  # fmt: skip
CLUSTERS = (
    Fault("X100", ("resources", 14),
          {"type": "Microsoft.HDInsight/clusters/extensions", "apiVersion": "2021-06-01",
           "name": "kafka-demo/azureMonitor", "dependsOn": ["kafka-demo"], "properties": {}},
          "no type that a template can deploy", at=("resources", 14, "type")),
    Fault("X100", (*FAR, "type"), "Microsoft.HDInsight/cluster",
          also=frozenset({"X040", "X041", "X060", "X065"})),
    Fault("X101", (*KAFKA, "apiVersion"), "2021-06-02", "no API version"),
    Fault("X101", (*KAFKA, "properties", "networkProperties", "outboundDependenciesManagedType"), "Managed",
          "came with 2023-08-15-preview", at=(*KAFKA, "apiVersion")),
    Fault("X102", (*KAFKA, "apiVersion"), "2025-01-15-preview", "nothing in it needs"),
    Fault("X103", (*KAFKA, "properties", "clusterVersion"), "9.9", "`9.9` cannot be created"),
    Fault("X103", (*KAFKA, "properties", "clusterVersion"), "4.0"),
    Fault("X103", (*KAFKA, "properties", "clusterVersion"), says="no HDInsight version",
          at=(*KAFKA, "properties")),
    Fault("X104", (*DEFINITION, "kind"), "kakfa", "did you mean `kafka`?"),
    Fault("X105", (*DEFINITION, "componentVersion", "Kafka"), "3.2.0", "not of two parts"),
    Fault("X106", (*DEFINITION, "componentVersion", "Kafka"), "2.4", "no Kafka 2.4"),
    Fault("X106", (*DEFINITION, "componentVersion"), {"Spark": "3.3"}, "has no `Spark`",
          at=(*DEFINITION, "componentVersion", "Spark")),
)  # fmt: skip
NODES = (
    Fault("X110", (*ROLES, 2), says="no role `zookeepernode`", at=(*KAFKA, "properties", "computeProfile")),
    Fault("X110", (*SPARK_ROLES, 2, "name"), "zokeepernode", "did you mean `zookeepernode`?",
          also=frozenset({"X111"})),
    Fault("X110", (*ROLES, 2, "name"), "headnode", "twice", also=frozenset({"X112"})),
    Fault("X110", (*SPARK_ROLES, 2, "name"), "kafkamanagementnode", "on this kind",
          also=frozenset({"X111", "X112", "X131"})),
    Fault("X111", (*SPARK_ROLES, 2), says="smallest size", at=(*SPARK, "properties", "computeProfile")),
    Fault("X112", (*ROLES, 0, "targetInstanceCount"), 1, "headnode is 2"),
    Fault("X112", (*ROLES, 2, "targetInstanceCount"), 5, "zookeepernode is 3"),
    Fault("X112", (*WORKER, "targetInstanceCount"), 0, "at least 1"),
    Fault("X113", (*WORKER, "targetInstanceCount"), 2, "2 brokers"),
    Fault("X114", (*WORKER, "hardwareProfile", "vmSize"), "Standard_E4_v33", "did you mean `Standard_E4_v3`?"),
    Fault("X114", (*ROLES, 0, "hardwareProfile", "vmSize"), "Standard_F8", "not offered for headnode"),
    Fault("X114", (*ROLES, 0, "hardwareProfile", "vmSize"), says="has no size", at=(*ROLES, 0)),
    Fault("X115", (*WORKER, "dataDisksGroups"), says="no data disks", at=WORKER),
    Fault("X115", (*WORKER, "dataDisksGroups", 0, "disksPerNode"), 17, "17 disks a node",
          at=(*WORKER, "dataDisksGroups", 0)),
    Fault("X115", (*SPARK_ROLES, 1, "dataDisksGroups"), [{"disksPerNode": 1}], "only Kafka"),
    Fault("X116", (*WORKER, "autoscale"), {"capacity": {"minInstanceCount": 3, "maxInstanceCount": 5}}, "no autoscale"),
    Fault("X116", (*SPARK_ROLES, 1, "autoscale"), {"capacity": {"minInstanceCount": 9, "maxInstanceCount": 5}},
          "from 9 to 5"),
    Fault("X116", (*SPARK_ROLES, 0, "autoscale"), {"capacity": {"minInstanceCount": 2, "maxInstanceCount": 5}},
          "headnode has no autoscale"),
    Fault("X120", (*WORKER, "targetInstancecuont"), 3, "did you mean `targetInstanceCount`?"),
    Fault("X120", (*KAFKA, "properties", "monitoring"), {}, "no property `monitoring`"),
    Fault("X121", (*WORKER, "dataDisksGroups", 0, "diskSizeGB"), 1023, "read-only"),
    Fault("X121", (*WORKER, "dataDisksGroups", 0, "storageAccountType"), "Premium_LRS"),
    Fault("X121", (*KAFKA, "properties", "clusterState"), "Running"),
)  # fmt: skip
FEATURES = (
    Fault("X130", (*KAFKA, "properties", "networkProperties", "privateLink"), "Enabled", "from outside",
          at=(*KAFKA, "properties", "networkProperties")),
    Fault("X131", (*KAFKA, "properties", "kafkaRestProperties"),
          {"clientGroupInfo": {"groupName": "g", "groupId": "0b1f6471-1bf0-4dda-aec3-cb9272f09590"}},
          "no management nodes", at=(*KAFKA, "properties")),
    Fault("X132", (*KAFKA, "properties", "diskEncryptionProperties"), {"encryptionAtHost": True},
          "Standard_E4_v3 cannot", at=(*ROLES, 0, "hardwareProfile", "vmSize")),
    Fault("X133", (*KAFKA, "properties", "tier"), "Premium", "without a security profile"),
    Fault("X134", (*KAFKA, "properties", "diskEncryptionProperties"),
          {"vaultUri": "https://kv.vault.azure.net", "keyName": "k", "msiResourceId": MSI_ID}, "`keyVersion`"),
    Fault("X135", (*GATEWAY, "restAuthCredential.password"), says="no way to log in",
          at=(*DEFINITION, "configurations")),
    Fault("X135", (*GATEWAY, "restAuthEntraUsers"), "[[]", "both", at=(*DEFINITION, "configurations"),
          also=frozenset({"X101"})),
)  # fmt: skip
FAULTS = (
    *DOCUMENT, *PARAMETERS, *SECRETS, *ORDER, *NAMES, *NETWORK, *STORAGES, *CLUSTERS, *NODES, *FEATURES,
)  # fmt: skip
