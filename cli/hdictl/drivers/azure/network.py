"""Addresses that are left in a VNet."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from hdictl.drivers.azure.errors import present
from hdictl.drivers.azure.subject import Subject


class Network(Subject):
    def free_addresses(self, vnet_id: str) -> Mapping[str, int]:
        place = re.search(r"/resourceGroups/([^/]+)/.*/virtualNetworks/([^/]+)", vnet_id, re.IGNORECASE)
        if place is None:
            return {}
        group, vnet = place.groups()

        def ask() -> list[dict[str, Any]]:
            return [each.as_dict() for each in self._clients.network.virtual_networks.list_usage(group, vnet)]

        usages = present(ask, f"virtual network `{vnet}`") or []
        # A subnet that Azure does not count, such as a gateway's, has a limit of -1.
        return {
            str(each["id"]).rsplit("/", 1)[-1]: int(each["limit"]) - int(each["currentValue"])
            for each in usages
            if each.get("limit", -1) >= 0
        }
