"""`reference(…)` and friends, which only the deployment itself can work out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hdictl.arm import functions
from hdictl.arm.evaluate import Place
from hdictl.arm.expression import Access, BadExpression, Expression, Literal, is_expression, parse, to_text
from tests.fakes.azure.messages import Refused, not_found
from tests.fakes.azure.world import World


class References:
    def __init__(self, world: World, place: Place) -> None:
        self._world = world
        self._place = place

    def fill(self, value: Any) -> Any:
        """JSON with every expression that is left worked out, and `[[` as the text that it is."""
        if isinstance(value, str):
            if is_expression(value):
                return self._evaluate(parse(value))
            return value[1:] if value.startswith("[[") else value
        if isinstance(value, list):
            return [self.fill(item) for item in value]
        if isinstance(value, Mapping):
            return {self.fill(key): self.fill(item) for key, item in value.items()}
        return value

    def _evaluate(self, expression: Expression) -> Any:
        if isinstance(expression, Literal):
            return expression.value
        if isinstance(expression, Access):
            of, member = self._evaluate(expression.of), self._evaluate(expression.member)
            try:
                return of[member]
            except (KeyError, IndexError, TypeError):
                problem = f"The language expression property '{member}' doesn't exist: {to_text(expression)}"
                raise Refused(400, "InvalidTemplate", problem) from None
        arguments = [self._evaluate(each) for each in expression.arguments]
        name = expression.name.lower()
        if name == "reference":
            return self._reference(*arguments)
        if name in functions.OF_THE_PLACE:
            return functions.OF_THE_PLACE[name](self._place, *arguments)
        if name in functions.KNOWN:
            return functions.KNOWN[name](*arguments)
        raise BadExpression(f"`{expression.name}` is not known")

    def _reference(self, id: str, api_version: str = "", full: str = "") -> Any:
        found = self._world.find(id)
        if found is None or not found.is_ready:
            # It is not there, or not there yet: `dependsOn` is missing.
            raise not_found(id)
        shown = self._world.kind(found.id).shown(self._world, found)
        return shown if full.lower() == "full" else shown["properties"]
