"""What HDInsight offers in a region, and what can be tried there before a cluster is made."""

from __future__ import annotations

from hdictl.stack.vm_sizes import VM_SIZES
from tests.fakes.azure.hdinsight import admission
from tests.fakes.azure.hdinsight.cluster import TYPE, cores_used
from tests.fakes.azure.messages import Answer, Request
from tests.fakes.azure.names import ResourceId, display_location, region
from tests.fakes.azure.routes import SUBSCRIPTION, Routes
from tests.fakes.azure.world import World

LOCATION = SUBSCRIPTION + "/providers/Microsoft.HDInsight/locations/{location}"

# In the recorded list of sizes are some without `Standard_`.
_BARE = ("A5", "A6", "A7", "ExtraLarge", "Large")


class Locations:
    def __init__(self, world: World) -> None:
        self._world = world
        self.versions = ["4.0", "5.0", "5.1"]  # the service goes on listing what it no longer makes

    def register(self, routes: Routes) -> None:
        routes.add("GET", LOCATION + "/capabilities", self.capabilities)
        routes.add("GET", LOCATION + "/usages", self.usages)
        routes.add("GET", LOCATION + "/billingSpecs", self.billing)
        routes.add("POST", LOCATION + "/checkNameAvailability", self.check_name)
        routes.add("POST", LOCATION + "/validateCreateRequest", self.validate)

    def capabilities(self, request: Request) -> Answer:
        versions = [
            {
                "friendlyName": version,
                "displayName": f"Version {version}.3000.0",
                "isDefault": version == "4.0",
                "componentVersions": {"Spark": "3.3", "Kafka": "3.2"},
            }
            for version in self.versions
        ]
        where = display_location(request["location"])
        return Answer(
            200,
            {
                "versions": {"iaas": {"available": versions}},
                "regions": {"iaas": {"available": [where.upper()]}},
                "features": ["CLUSTER_CREATE", "LINUX", "KAFKA"],
                "quota": {"coresUsed": cores_used(self._world, region(request["location"]))},
            },
        )

    def usages(self, request: Request) -> Answer:
        where = region(request["location"])
        cores = {
            "name": {"value": "cores", "localizedValue": "Cores"},
            "unit": "Count",
            "currentValue": cores_used(self._world, where),
            "limit": admission.quota(self._world, where),
        }
        return Answer(200, {"value": [cores]})

    def billing(self, request: Request) -> Answer:
        properties = [
            {"name": name, "cores": size.cores, "maxDataDiskCount": size.max_disks} for name, size in VM_SIZES.items()
        ]
        return Answer(
            200,
            {
                "vmSizes": [*_BARE, *VM_SIZES],
                "vmSizesWithEncryptionAtHost": [n for n, size in VM_SIZES.items() if size.can_encrypt_at_host],
                "vmSizeFilters": [],
                "vmSizeProperties": properties,
                "billingResources": [{"region": "default", "billingMeters": [], "diskBillingMeters": []}],
            },
        )

    def check_name(self, request: Request) -> Answer:
        name = request.body["name"]
        if admission.is_taken(self._world, name):
            message = f"Cluster name '{name}' is unavailable"
            return Answer(200, {"nameAvailable": False, "reason": "AlreadyExists", "message": message})
        return Answer(200, {"nameAvailable": True})

    def validate(self, request: Request) -> Answer:
        body = {"location": request["location"], **request.body}
        scope = f"{self._world.subscription_path()}/resourceGroups/-"
        found = admission.findings(self._world, ResourceId(scope, TYPE, (request.body["name"],)), body)
        errors = [
            {"code": code, "message": message, "errorResource": request.body["name"], "messageArguments": []}
            for code, message in found
        ]
        return Answer(200, {"validationErrors": errors, "validationWarnings": [], "estimatedCreationDuration": "PT20M"})
