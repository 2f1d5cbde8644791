"""A 403, in words that can be sent to whoever may grant the right."""

from __future__ import annotations

import re

from hdictl.errors import PermissionMissing
from hdictl.plan.cloud import CloudError

# The first row that fits names the smallest built-in role that has the action.
_ROLES = (
    (r"^Microsoft\.Authorization/roleAssignments/(write|delete)$", "Role Based Access Control Administrator"),
    (r"^Microsoft\.KeyVault/vaults/secrets/", "Key Vault Secrets User"),
    (r"^Microsoft\.KeyVault/vaults/keys/", "Key Vault Crypto Officer"),
    (r"^Microsoft\.OperationalInsights/workspaces/sharedKeys/", "Log Analytics Contributor"),
    (r"^Microsoft\.HDInsight/clusters/(get|update)GatewaySettings/action$", "HDInsight Cluster Operator"),
    (r"^Microsoft\.HDInsight/clusters/configurations/", "HDInsight Cluster Operator"),  # secrets among them
    (r"/read$", "Reader"),
    (r"^Microsoft\.HDInsight/clusters/", "HDInsight Cluster Admin"),
    (r"^Microsoft\.Resources/deployments/(whatIf|validate)/action$", "Contributor"),
)


def permission_missing(error: CloudError, where: str) -> PermissionMissing:
    action = _quoted(error.message, "action")
    place = _quoted(error.message, "scope") or _quoted(error.message, "resource") or "the resource group"
    if action is not None:
        return PermissionMissing(
            f"this sign-in lacks the permission {action} on {place}",
            where=where,
            fix=f"ask for the role `{role_for(action)}` on {_role_scope(place)}; a new role counts after some minutes",
        )
    return PermissionMissing(
        f"this sign-in may not do that ({error.code or '403'}: {error.message[:300] or 'no reason given'})",
        where=where,
        fix=_unnamed_step(error.message),
    )


def _unnamed_step(message: str) -> str:
    if re.search(r"client address|firewall|public network access", message, re.IGNORECASE):
        return "its firewall keeps this machine out: run this from an allowed network, or have the address allowed"
    if "vault" in message.lower():
        return "ask for the role `Key Vault Secrets User` on the vault, or for an access policy with `get` on secrets"
    return "ask for the role that the message names, or sign in as somebody who has it"


def role_for(action: str) -> str:
    return next((role for pattern, role in _ROLES if re.search(pattern, action, re.IGNORECASE)), "Contributor")


def _quoted(message: str, word: str) -> str | None:
    found = re.search(rf"\b{word}(?:\(s\))?:? '([^']+)'", message, re.IGNORECASE)
    return found.group(1) if found else None


def _role_scope(scope: str) -> str:
    """Roles are given on groups, not on single things in them."""
    group = re.match(r"/subscriptions/[^/]+/resourceGroups/([^/]+)", scope, re.IGNORECASE)
    return f"resource group {group.group(1)}" if group else scope
