"""What can be done to a cluster that runs: scale it, change its gateway, rotate its key, restart its hosts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.fakes.azure.hdinsight import admission
from tests.fakes.azure.hdinsight.cluster import cores_used, grow_hosts, kind_of, role_cores, role_of
from tests.fakes.azure.hdinsight.clusters import CLUSTER, living
from tests.fakes.azure.messages import Answer, Refused, Request
from tests.fakes.azure.names import region
from tests.fakes.azure.replies import Promises
from tests.fakes.azure.routes import Routes
from tests.fakes.azure.secrets import redacted
from tests.fakes.azure.world import Resource, World

Change = Callable[[Resource], None]


class Actions:
    def __init__(self, world: World, promises: Promises) -> None:
        self._world = world
        self._promises = promises
        self.resize_failures: dict[str, tuple[str, str]] = {}  # cluster → code and message

    def register(self, routes: Routes) -> None:
        routes.add("POST", CLUSTER + "/roles/{role}/resize", self.resize)
        routes.add("POST", CLUSTER + "/roles/{role}/autoscale", self.autoscale)
        routes.add("POST", CLUSTER + "/getGatewaySettings", self.gateway)
        routes.add("POST", CLUSTER + "/updateGatewaySettings", self.update_gateway)
        routes.add("POST", CLUSTER + "/rotatediskencryptionkey", self.rotate_key)
        routes.add("POST", CLUSTER + "/listHosts", self.hosts)
        routes.add("POST", CLUSTER + "/restartHosts", self.restart_hosts)

    def resize(self, request: Request) -> Answer:
        cluster = living(self._world, request)
        role = role_of(cluster, request["role"])
        if request["role"].lower() != "workernode":
            raise Refused(400, "BadRequest", f"The role '{request['role']}' cannot be resized.")
        wanted = int(request.body["targetInstanceCount"])
        now = int(role["targetInstanceCount"])
        if kind_of(cluster) == "kafka" and wanted < now:
            message = f"Scale down is not supported for Kafka clusters: {now} to {wanted}."
            raise Refused(400, "InvalidKafkaScaleDownRequestErrorCode", message)
        self._within_quota(cluster, role, wanted)
        self._world.note("resize", cluster.id, f"{now} → {wanted}")

        def resized(cluster: Resource) -> None:
            grow_hosts(cluster)
            for tell in self._world.on_resized:
                tell(cluster, wanted)

        role["targetInstanceCount"] = wanted  # GET tells the new number at once [inf]
        failure = self.resize_failures.pop(cluster.id.name.lower(), None)
        if failure is None:
            return self._start(request, cluster, ["ResizeQueued", "AzureVMConfiguration"], resized)

        def undone(cluster: Resource) -> None:
            role["targetInstanceCount"] = now

        return self._start(request, cluster, ["ResizeQueued", "AzureVMConfiguration"], undone, failure=failure)

    def autoscale(self, request: Request) -> Answer:
        cluster = living(self._world, request)
        if kind_of(cluster) == "kafka":
            raise Refused(400, "BadRequest", "Autoscale is not supported for 'kafka' clusters.")
        role = role_of(cluster, request["role"])
        wanted = (request.body or {}).get("autoscale")

        def set_up(cluster: Resource) -> None:
            role.pop("autoscale", None)
            if wanted:
                role["autoscale"] = wanted

        self._world.note("autoscale", cluster.id)
        return self._start(request, cluster, ["AutoscaleConfiguration"], set_up)

    def gateway(self, request: Request) -> Answer:
        """The real service tells the password here. The fake does not know it, and hdictl has no need of it."""
        settings = living(self._world, request).properties["_gateway"]
        enabled = str(settings["isEnabled"]).lower()
        return Answer(
            200,
            {"restAuthCredential.isEnabled": enabled, "restAuthCredential.username": settings["username"]},
        )

    def update_gateway(self, request: Request) -> Answer:
        cluster = living(self._world, request)
        sent = request.body or {}
        password = sent.get("restAuthCredential.password")
        if password is not None:
            for code, message in admission.password_findings(password):
                raise Refused(400, code, message)
            self._world.secrets_seen.remember(cluster.id.name, password)
        kept: dict[str, Any] = {
            name.removeprefix("restAuthCredential."): value
            for name, value in sent.items()
            if name.startswith("restAuthCredential.")
        }
        if "restAuthEntraUsers" in sent:
            kept["entraUsers"] = sent["restAuthEntraUsers"]
        sealed = redacted(kept)
        self._world.note("gateway", cluster.id)
        return self._start(
            request, cluster, ["ClusterCustomization"], lambda cluster: cluster.properties["_gateway"].update(sealed)
        )

    def rotate_key(self, request: Request) -> Answer:
        cluster = living(self._world, request)
        if "diskEncryptionProperties" not in cluster.properties:
            raise Refused(400, "BadRequest", "The cluster has no key of one's own; it cannot be given one later.")
        sent = request.body
        wanted = {"vaultUri": sent["vaultUri"], "keyName": sent["keyName"], "keyVersion": sent["keyVersion"]}
        self._world.note("rotate key", cluster.id, wanted["keyVersion"])
        return self._start(
            request, cluster, [], lambda cluster: cluster.properties["diskEncryptionProperties"].update(wanted)
        )

    def hosts(self, request: Request) -> Answer:
        """`name` and `fqdn`: `fqdn` came in a later version of the API, and is in recorded answers [rec]."""
        cluster = living(self._world, request)
        return Answer(200, [{"name": host.split(".")[0], "fqdn": host} for host in cluster.properties["_hosts"]])

    def restart_hosts(self, request: Request) -> Answer:
        cluster = living(self._world, request)
        known = {host.split(".")[0] for host in cluster.properties["_hosts"]}
        for host in request.body:
            if host not in known:
                raise Refused(400, "BadRequest", f"The host '{host}' is not one of the cluster '{cluster.id.name}'.")
        self._world.note("restart hosts", cluster.id, ", ".join(request.body))
        return self._start(request, cluster, ["ClusterCustomization"], lambda _: None, under="/restartHosts")

    def _within_quota(self, cluster: Resource, role: dict[str, Any], wanted: int) -> None:
        where = region(str(cluster.body.get("location")))
        needed = role_cores([{**role, "targetInstanceCount": wanted}]) - role_cores([role])
        free = admission.quota(self._world, where) - cores_used(self._world, where)
        if needed > free:
            raise Refused(400, *admission.quota_finding(needed, free))

    def _start(
        self,
        request: Request,
        cluster: Resource,
        states: list[str],
        change: Change,
        *,
        failure: tuple[str, str] | None = None,
        under: str = "",
    ) -> Answer:
        operation = self._world.operation()

        def enter(state: str) -> Callable[[], None]:
            return lambda: cluster.properties.update(clusterState=state)

        def end() -> None:
            change(cluster)
            cluster.properties["clusterState"] = "Running"
            if failure is not None:
                operation.fail({"code": failure[0], "message": failure[1]})
            else:
                operation.succeed()

        if states:
            cluster.properties["clusterState"] = states[0]
        self._world.clock.start([*map(enter, states[1:]), end])
        return self._promises.accepted(request, operation, f"{cluster.id}{under}")
