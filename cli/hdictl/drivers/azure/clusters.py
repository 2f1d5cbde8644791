"""HDInsight clusters: read, and changed in the ways that HDInsight can change one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hdictl.drivers.azure.errors import present, translated
from hdictl.drivers.azure.operation import Started, Watched
from hdictl.drivers.azure.subject import Subject, as_sent, to_json
from hdictl.errors import CloudRejected
from hdictl.plan.cloud import CloudCluster
from hdictl.ports.cloud import Operation

# Entra users are known to this version of the API and later ones only.
_ENTRA_VERSION = "2025-01-15-preview"
_BUSY = ("Conflict", "AnotherOperationInProgress")
_WORKERS = "workernode"  # the one role that HDInsight resizes


class Clusters(Subject):
    def cluster(self, name: str) -> CloudCluster | None:
        body = present(lambda: self._clients.hdinsight.clusters.get(self._group, name, cls=as_sent), _where(name))
        return None if body is None else CloudCluster(name, str(body.get("id") or ""), body)

    def resize(self, cluster: str, workers: int) -> Operation:
        try:
            return self._resize(cluster, workers)
        except CloudRejected as error:
            # The answer to a first request was lost, and the second finds the cluster at work: on this, as it says.
            found = self.cluster(cluster) if error.code in _BUSY else None
            if found is None or found.workers != workers:
                raise
            return Watched(lambda: self.cluster(cluster), _where(cluster), self._clients.poll_seconds)

    def _resize(self, cluster: str, workers: int) -> Operation:
        from hdictl.drivers.azure.retry import REPEATABLE

        with translated(_where(cluster)):
            poller = self._clients.hdinsight.clusters.begin_resize(
                self._group,
                cluster,
                _WORKERS,
                to_json({"targetInstanceCount": workers}),
                polling=self._clients.polling(),
                **REPEATABLE,
            )
        return Started(poller, _where(cluster))

    def autoscale(self, cluster: str, autoscale: Mapping[str, Any] | None) -> Operation:
        from hdictl.drivers.azure.retry import REPEATABLE

        with translated(_where(cluster)):
            poller = self._clients.hdinsight.clusters.begin_update_auto_scale_configuration(
                self._group,
                cluster,
                _WORKERS,
                # An empty body is how autoscale is switched off.
                to_json({} if autoscale is None else {"autoscale": autoscale}),
                polling=self._clients.polling(),
                **REPEATABLE,
            )
        return Started(poller, _where(cluster))

    def tag(self, cluster: str, tags: Mapping[str, str]) -> None:
        from hdictl.drivers.azure.retry import REPEATABLE

        with translated(_where(cluster)):
            self._clients.hdinsight.clusters.update(
                self._group, cluster, to_json({"tags": dict(tags)}), cls=as_sent, **REPEATABLE
            )

    def gateway(self, cluster: str, settings: Mapping[str, Any]) -> Operation:
        """`settings` in the service's words; a password is a `SecretText`."""
        from hdictl.drivers.azure.retry import REPEATABLE

        version = {"api_version": _ENTRA_VERSION} if "restAuthEntraUsers" in settings else {}
        with translated(_where(cluster)):
            poller = self._clients.hdinsight.clusters.begin_update_gateway_settings(
                self._group, cluster, to_json(dict(settings)), polling=self._clients.polling(), **version, **REPEATABLE
            )
        return Started(poller, _where(cluster))

    def rotate_key(self, cluster: str, vault_uri: str, key: str, version: str) -> Operation:
        from hdictl.drivers.azure.retry import REPEATABLE

        with translated(_where(cluster)):
            poller = self._clients.hdinsight.clusters.begin_rotate_disk_encryption_key(
                self._group,
                cluster,
                to_json({"vaultUri": vault_uri, "keyName": key, "keyVersion": version}),
                polling=self._clients.polling(),
                **REPEATABLE,
            )
        return Started(poller, _where(cluster))


def _where(cluster: str) -> str:
    return f"HDInsight cluster `{cluster}`"
