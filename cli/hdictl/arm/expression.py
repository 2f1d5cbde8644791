"""ARM template expressions: text to a tree, and back.

    [concat(parameters('name'), '-', string(copyIndex()))]

Grammar: a literal string ('' is a quote), a whole number, or a call; any of them followed by `.property` or `[index]`.
Text that begins with `[[` is no expression but text with a bracket.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

_TOKEN = re.compile(r"\s*(?:(?P<string>'(?:[^']|'')*')|(?P<number>-?\d+)|(?P<name>[A-Za-z_]\w*)|(?P<sign>[()\[\],.]))")


class BadExpression(ValueError):
    """Text in brackets that ARM could not read."""


@dataclass(frozen=True)
class Literal:
    value: str | int


@dataclass(frozen=True)
class Call:
    name: str
    arguments: tuple[Expression, ...] = ()


@dataclass(frozen=True)
class Access:
    """`of.member` or `of[member]`."""

    of: Expression
    member: Expression


Expression: TypeAlias = Literal | Call | Access


def is_expression(text: str) -> bool:
    return text.startswith("[") and text.endswith("]") and not text.startswith("[[")


def escaped(text: str) -> str:
    """Plain text as a template has to write it, so that it is not taken for an expression."""
    return f"[{text}" if text.startswith("[") and text.endswith("]") else text


def unescaped(text: str) -> str:
    return text[1:] if text.startswith("[[") and text.endswith("]") else text


@lru_cache(maxsize=4096)  # the same few texts again and again, and trees never change
def parse(text: str) -> Expression:
    """The tree of `[…]`."""
    if not is_expression(text):
        raise BadExpression(f"`{text}` is not in brackets")
    reader = _Reader(text[1:-1])
    found = reader.expression()
    if reader.ahead is not None:
        raise BadExpression(f"`{text}`: `{reader.ahead}` is one too many")
    return found


def to_text(expression: Expression) -> str:
    return f"[{_inner(expression)}]"


def _inner(expression: Expression) -> str:
    if isinstance(expression, Literal):
        quoted = str(expression.value).replace("'", "''")
        return str(expression.value) if isinstance(expression.value, int) else f"'{quoted}'"
    if isinstance(expression, Call):
        return f"{expression.name}({', '.join(_inner(argument) for argument in expression.arguments)})"
    member = expression.member
    if isinstance(member, Literal) and isinstance(member.value, str) and re.fullmatch(r"[A-Za-z_]\w*", member.value):
        return f"{_inner(expression.of)}.{member.value}"
    return f"{_inner(expression.of)}[{_inner(member)}]"


class _Reader:
    """One token ahead, no way back."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._place = 0
        self.ahead: str | None = None
        self._advance()

    def expression(self) -> Expression:
        found = self._simple()
        while self.ahead in (".", "["):
            if self._take() == ".":
                found = Access(found, Literal(self._name()))
            else:
                found = Access(found, self.expression())
                self._expect("]")
        return found

    def _simple(self) -> Expression:
        token = self._take()
        if token is None:
            raise BadExpression(f"`[{self._text}]` ends too early")
        if token.startswith("'"):
            return Literal(token[1:-1].replace("''", "'"))
        if token.lstrip("-").isdecimal():
            return Literal(int(token))
        if not re.match(r"[A-Za-z_]", token):
            raise BadExpression(f"`[{self._text}]`: a value was expected in place of `{token}`")
        self._expect("(")
        arguments: list[Expression] = []
        while self.ahead != ")":
            if self.ahead is None:
                raise BadExpression(f"`[{self._text}]`: a `)` is missing")
            if arguments:
                self._expect(",")
            arguments.append(self.expression())
        self._expect(")")
        return Call(token, tuple(arguments))

    def _name(self) -> str:
        token = self._take()
        if token is None or not re.match(r"[A-Za-z_]", token):
            raise BadExpression(f"`[{self._text}]`: the name of a property was expected after `.`")
        return token

    def _expect(self, sign: str) -> None:
        token = self._take()
        if token != sign:
            raise BadExpression(f"`[{self._text}]`: `{sign}` was expected in place of `{token or 'its end'}`")

    def _take(self) -> str | None:
        token = self.ahead
        if token is not None:
            self._advance()
        return token

    def _advance(self) -> None:
        rest = self._text[self._place :]
        if not rest.strip():
            self.ahead = None
            return
        match = _TOKEN.match(rest)
        if match is None:
            raise BadExpression(f"`[{self._text}]`: `{rest.strip()[:20]}` cannot be read")
        self._place += match.end()
        self.ahead = match[0].strip()
