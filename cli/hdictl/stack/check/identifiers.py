"""Ids that Azure gives: whether a text can be one."""

from __future__ import annotations

import re

_GUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\Z")
_RESOURCE_ID = re.compile(
    r"/subscriptions/([^/\s]+)/resourceGroups/[^/\s]+/providers/([^/\s]+/[^/\s]+)/[^/\s]+\Z", re.I
)
_RESOURCE_GROUP = re.compile(r"[\w().-]{0,89}[\w()-]\Z")


def is_guid(text: str) -> bool:
    return bool(_GUID.match(text))


def is_resource_group(text: str) -> bool:
    return bool(_RESOURCE_GROUP.match(text))


def is_resource_id(text: str, type: str) -> bool:
    """Is this the id of a resource of this type, such as Microsoft.AAD/domainServices? Azure does not mind case."""
    match = _RESOURCE_ID.match(text)
    return bool(match and is_guid(match[1]) and match[2].lower() == type.lower())
