"""The server's own dry runs of a deployment: what-if and validate.

Nothing is made, so no secret is looked up or sent: stand-ins that satisfy every password rule go in their place.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hdictl.arm.deployment import Deployment, DeploymentScope
from hdictl.drivers.azure.deployments import request_body
from hdictl.drivers.azure.error_body import every_error, innermost
from hdictl.drivers.azure.errors import body_of, rejected, translated
from hdictl.drivers.azure.operation import result
from hdictl.drivers.azure.subject import Subject, as_sent
from hdictl.plan.cloud import CloudError, WhatIf
from hdictl.stack.place import Secret

# Answers that are about the template. Others (403, 404 of the group, 5xx) are about the question.
_ABOUT_THE_TEMPLATE = (400, 409)


class DryRun(Subject):
    def what_if(self, deployment: Deployment) -> tuple[WhatIf, ...]:
        from hdictl.drivers.azure.retry import REPEATABLE

        where = f"what-if of deployment `{deployment.name}`"
        operations = self._clients.deployments.deployments
        body = request_body(deployment, stand_in)
        options = {"polling": self._clients.polling(wants_result=True), "cls": as_sent, **REPEATABLE}
        with translated(where):
            if deployment.scope is DeploymentScope.SUBSCRIPTION:
                poller = operations.begin_what_if_at_subscription_scope(deployment.name, body, **options)
            else:
                poller = operations.begin_what_if(self._group, deployment.name, body, **options)
            answer: Mapping[str, Any] = result(poller, where) or {}
        error = innermost(answer.get("error"))
        if error is not None:
            raise rejected(error, where)
        changes = (answer.get("properties") or answer).get("changes") or ()
        return tuple(
            WhatIf(str(each.get("changeType")), str(each.get("resourceId")), tuple(_paths(each.get("delta") or ())))
            for each in changes
        )

    def validate(self, deployment: Deployment) -> tuple[CloudError, ...]:
        from azure.core.exceptions import HttpResponseError

        from hdictl.drivers.azure.retry import REPEATABLE

        where = f"validation of deployment `{deployment.name}`"
        operations = self._clients.deployments.deployments
        body = request_body(deployment, stand_in)
        options = {"polling": self._clients.polling(wants_result=True), "cls": as_sent, **REPEATABLE}
        with translated(where):
            try:
                if deployment.scope is DeploymentScope.SUBSCRIPTION:
                    poller = operations.begin_validate_at_subscription_scope(deployment.name, body, **options)
                else:
                    poller = operations.begin_validate(self._group, deployment.name, body, **options)
                answer: Mapping[str, Any] = result(poller, where) or {}
            except HttpResponseError as error:
                if error.status_code not in _ABOUT_THE_TEMPLATE:
                    raise
                answer = body_of(error)
        return every_error(answer.get("error"))


def stand_in(_secret: Secret, _what: str) -> str:
    """A password that every rule of HDInsight allows and that nobody uses."""
    return f"Aa1!{secrets.token_hex(12)}Zz9-"


def _paths(delta: Sequence[Mapping[str, Any]], above: str = "") -> Iterator[str]:
    """Paths of properties that change, down to the leaves; array items are counted."""
    for each in delta:
        path = f"{above}.{each.get('path')}" if above else str(each.get("path"))
        if each.get("propertyChangeType") == "NoEffect":
            continue
        if each.get("children"):
            yield from _paths(each["children"], path)
        else:
            yield path
