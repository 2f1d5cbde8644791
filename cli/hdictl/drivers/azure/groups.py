"""The resource group."""

from __future__ import annotations

from collections.abc import Mapping

from hdictl.drivers.azure.errors import present, translated
from hdictl.drivers.azure.subject import Subject, as_sent, to_json


class Groups(Subject):
    @property
    def _here(self) -> str:
        return f"resource group `{self._group}`"

    def group_tags(self) -> Mapping[str, str] | None:
        found = present(lambda: self._clients.resources.resource_groups.get(self._group, cls=as_sent), self._here)
        return None if found is None else dict(found.get("tags") or {})

    def make_group(self, location: str, tags: Mapping[str, str]) -> None:
        # A PUT replaces the tags of a group that is there; somebody else's are kept.
        kept = self.group_tags() or {}
        with translated(self._here):
            self._clients.resources.resource_groups.create_or_update(
                self._group, to_json({"location": location, "tags": {**kept, **tags}})
            )
