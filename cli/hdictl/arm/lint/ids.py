"""Resource ids, whole or relative, taken apart."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ResourceId:
    """`prefix` is subscription and group, or what an extension extends; empty in a relative id."""

    prefix: str
    type: str  # Microsoft.Network/virtualNetworks/subnets
    name: str  # vnet/subnet

    @property
    def key(self) -> tuple[str, str]:
        """Azure does not mind the case of either."""
        return self.type.lower(), self.name.lower()

    @property
    def parent(self) -> ResourceId | None:
        kind, _, last = self.type.rpartition("/")
        name = self.name.rpartition("/")[0]
        return ResourceId(self.prefix, kind, name) if last and name and "/" in kind else None


def parse_id(text: object) -> ResourceId | None:
    """`/subscriptions/…/providers/Namespace/type/name…`, or `Namespace/type/name…`; of an extension, the extension."""
    if not isinstance(text, str):
        return None
    if text.startswith("/") or "/providers/" in text:
        prefix, found, rest = text.rpartition("/providers/")
        if not found:
            return None
    else:
        prefix, rest = "", text
        if "." not in text.partition("/")[0]:
            return None
    namespace, *pairs = rest.split("/")
    if len(pairs) < 2 or len(pairs) % 2 or not all(pairs):
        return None
    return ResourceId(prefix, "/".join([namespace, *pairs[::2]]), "/".join(pairs[1::2]))
