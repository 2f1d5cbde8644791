"""Resource providers: which types there are, and in which api-versions."""

from __future__ import annotations

from tests.fakes.azure.messages import Answer, Request
from tests.fakes.azure.names import SUBSCRIPTION_ID
from tests.fakes.azure.routes import SUBSCRIPTION, Routes

_NETWORK_TYPES = (
    "virtualNetworks",
    "networkSecurityGroups",
    "natGateways",
    "publicIPAddresses",
    "routeTables",
    "privateDnsZones",
    "privateEndpoints",
)
_VERSIONS = {
    "Microsoft.HDInsight": {"clusters": ["2025-01-15-preview", "2024-08-01-preview", "2021-06-01"]},
    "Microsoft.Network": {type: ["2024-05-01", "2024-01-01"] for type in _NETWORK_TYPES},
    "Microsoft.Storage": {"storageAccounts": ["2023-05-01"]},
    "Microsoft.KeyVault": {"vaults": ["2023-07-01"]},
    "Microsoft.ManagedIdentity": {"userAssignedIdentities": ["2023-01-31"]},
    "Microsoft.OperationalInsights": {"workspaces": ["2023-09-01"]},
    "Microsoft.Insights": {"scheduledQueryRules": ["2023-03-15-preview"], "actionGroups": ["2023-01-01"]},
}


class Providers:
    def __init__(self) -> None:
        self.unregistered: set[str] = set()

    def register(self, routes: Routes) -> None:
        routes.add("GET", SUBSCRIPTION + "/providers/{namespace}", self.get)
        routes.add("POST", SUBSCRIPTION + "/providers/{namespace}/register", self.enrol)

    def get(self, request: Request) -> Answer:
        namespace = request["namespace"]
        known = next((types for name, types in _VERSIONS.items() if name.lower() == namespace.lower()), {})
        return Answer(
            200,
            {
                "id": f"/subscriptions/{SUBSCRIPTION_ID}/providers/{namespace}",
                "namespace": namespace,
                "registrationState": "NotRegistered" if namespace.lower() in self.unregistered else "Registered",
                "resourceTypes": [{"resourceType": type, "apiVersions": each} for type, each in known.items()],
            },
        )

    def enrol(self, request: Request) -> Answer:
        self.unregistered.discard(request["namespace"].lower())
        return self.get(request)
