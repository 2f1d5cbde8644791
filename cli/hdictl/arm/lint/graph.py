"""Which resource of a template comes after which."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from hdictl.arm.evaluate import Place
from hdictl.arm.lint.ids import ResourceId, parse_id
from hdictl.arm.lint.resource import Resource


class Graph:
    """Resources by number: loops and faults may give two the same name."""

    def __init__(self, resources: Sequence[Resource], place: Place) -> None:
        self.resources = resources
        self._place = place

    @cached_property
    def _by_key(self) -> dict[tuple[str, str], list[int]]:
        found: dict[tuple[str, str], list[int]] = {}
        for index, resource in enumerate(self.resources):
            found.setdefault(resource.key, []).append(index)
        return found

    @cached_property
    def _by_word(self) -> dict[str, list[int]]:
        """Symbols, loops, and plain names, of children their last part: all that `dependsOn` may hold besides ids."""
        found: dict[str, list[int]] = {}
        for index, resource in enumerate(self.resources):
            for word in {resource.symbol, resource.loop, resource.name, resource.name.rpartition("/")[2]} - {""}:
                found.setdefault(word.lower(), []).append(index)
        return found

    def is_here(self, id: ResourceId) -> bool:
        """Does the id lie where this template is deployed?"""
        here = (self._place.group_id, f"/subscriptions/{self._place.subscription}", "")
        return id.prefix.lower() in [place.lower() for place in here]

    def named(self, text: str) -> list[int]:
        """The resources that an entry of `dependsOn` names; none when it names nothing of the template."""
        id = parse_id(text)
        if id is not None and id.key in self._by_key:
            return self._by_key[id.key]
        return self._by_word.get(text.lower(), [])

    def owners(self, text: str) -> list[int]:
        """The resources of the template that an id is a part of: itself, else what it lies inside of."""
        id = parse_id(text)
        return self._nearest(id) if id is not None and self.is_here(id) else []

    def holders(self, resource: Resource) -> list[int]:
        """The nearest resource of the template that this one lies inside of."""
        return self._nearest(ResourceId("", resource.type, resource.name).parent)

    def _nearest(self, id: ResourceId | None) -> list[int]:
        while id is not None:
            if id.key in self._by_key:
                return self._by_key[id.key]
            id = id.parent
        return []

    @cached_property
    def edges(self) -> Mapping[int, tuple[int, ...]]:
        return {
            index: tuple(sorted({to for _, text in resource.depends_on for to in self.named(str(text))}))
            for index, resource in enumerate(self.resources)
        }

    def before(self, index: int) -> frozenset[int]:
        """Everything that is there before this one is made."""
        found: set[int] = set()
        waiting = list(self.edges[index])
        while waiting:
            one = waiting.pop()
            if one not in found:
                found.add(one)
                waiting.extend(self.edges[one])
        return frozenset(found)

    def circles(self) -> Iterator[tuple[int, ...]]:
        """Circles of `dependsOn`, each once."""
        seen: set[frozenset[int]] = set()
        for index in self.edges:
            circle = self._way_back(index)
            if circle and frozenset(circle) not in seen:
                seen.add(frozenset(circle))
                yield circle

    def _way_back(self, start: int) -> tuple[int, ...]:
        ways: list[tuple[int, ...]] = [(start,)]
        visited: set[int] = set()
        while ways:
            way = ways.pop(0)
            for to in self.edges[way[-1]]:
                if to == start:
                    return way
                if to not in visited:
                    visited.add(to)
                    ways.append((*way, to))
        return ()


def ids_in(value: Any) -> Iterator[str]:
    """Every text in a settled value that is a whole id."""
    if isinstance(value, str):
        if value.startswith("/subscriptions/"):
            yield value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from ids_in(key)
            yield from ids_in(item)
    elif isinstance(value, list):
        for item in value:
            yield from ids_in(item)
