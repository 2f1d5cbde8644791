"""What can be asked before a cluster is made: its name, cores, versions and sizes, and its whole description."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from hdictl.drivers.azure.dry_run import stand_in
from hdictl.drivers.azure.error_body import every_error
from hdictl.drivers.azure.errors import body_of, translated
from hdictl.drivers.azure.subject import Subject, as_sent, to_json
from hdictl.plan.cloud import Capabilities, CloudError, Usage
from hdictl.stack.place import Secret

# A value that is known at deployment only. HDInsight is shown a stand-in for a password.
_PARAMETER = re.compile(r"^\[parameters\('[^']+'\)\]$")
_SENT = ("location", "tags", "zones", "identity", "properties")


class Preflight(Subject):
    def name_trouble(self, location: str, name: str) -> str | None:
        from hdictl.drivers.azure.retry import REPEATABLE

        with translated(f"name of cluster `{name}`"):
            answer: Any = self._clients.hdinsight.locations.check_name_availability(
                location, to_json({"name": name, "type": "clusters"}), cls=as_sent, **REPEATABLE
            )
        if answer.get("nameAvailable"):
            return None
        return str(answer.get("message") or answer.get("reason") or "the name cannot be had")

    def usages(self, location: str) -> Mapping[str, Usage]:
        with translated(f"quota in {location}"):
            answer: Any = self._clients.hdinsight.locations.list_usages(location, cls=as_sent)
        return {
            str(each["name"]["value"]): Usage(int(each["currentValue"]), int(each["limit"]))
            for each in answer.get("value") or ()
        }

    def capabilities(self, location: str) -> Capabilities:
        locations = self._clients.hdinsight.locations
        with translated(f"capabilities of {location}"):
            offered: Any = locations.get_capabilities(location, cls=as_sent)
            billed: Any = locations.list_billing_specs(location, cls=as_sent)
        return Capabilities(_versions(offered.get("versions") or {}), _sizes(billed))

    def validate_cluster(self, location: str, name: str, body: Mapping[str, Any]) -> tuple[CloudError, ...]:
        from azure.core.exceptions import HttpResponseError

        from hdictl.drivers.azure.retry import REPEATABLE

        known = {"api_version": str(body["apiVersion"])} if body.get("apiVersion") else {}
        with translated(f"validation of cluster `{name}`"):
            request = {
                **{key: _with_stand_ins(body[key]) for key in _SENT if key in body},
                "name": name,
                "type": "Microsoft.HDInsight/clusters",
                "fetchAaddsResource": False,
            }
            try:
                answer: Any = self._clients.hdinsight.locations.validate_cluster_create_request(
                    location, to_json(request), cls=as_sent, **known, **REPEATABLE
                )
            except HttpResponseError as error:
                # HDInsight refuses what it cannot even read before it validates.
                if error.status_code != 400:
                    raise
                return every_error(body_of(error))
        return tuple(_validation_error(each) for each in answer.get("validationErrors") or ())


def _versions(offered: Mapping[str, Any]) -> Mapping[str, tuple[str, ...]]:
    """HDInsight versions of the region, as major.minor.

    Each comes with a list of its components, which is not to be trusted: in Microsoft's own example 3.6 has no Kafka.
    So what a version lacks is not concluded from it; only a version that is not there at all is not offered.
    """
    names = [
        str(version.get("friendlyName")) for family in offered.values() for version in family.get("available") or ()
    ]
    versions = tuple(dict.fromkeys(".".join(name.split(".")[:2]) for name in names))
    return {"kafka": versions, "spark": versions} if versions else {}


def _sizes(billed: Mapping[str, Any]) -> frozenset[str]:
    """Some are listed without the `Standard_` that a cluster's description needs."""
    names = [str(size).lower() for size in billed.get("vmSizes") or ()]
    return frozenset(name if name.startswith("standard_") else f"standard_{name}" for name in names)


def _validation_error(told: Mapping[str, Any]) -> CloudError:
    message = str(told.get("message") or "")
    for index, value in enumerate(told.get("messageArguments") or ()):
        message = message.replace(f"{{{index}}}", str(value))
    return CloudError(str(told.get("code") or ""), message, str(told.get("errorResource") or ""))


def _with_stand_ins(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _with_stand_ins(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_with_stand_ins(each) for each in value]
    return stand_in(Secret(), "") if isinstance(value, str) and _PARAMETER.match(value) else value
