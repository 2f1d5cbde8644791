"""JSON text to plain data in which every value knows its line.

Templates may hold comments and text over several lines: Azure's tools read both, so this does too.
"""

from __future__ import annotations

import json
import re
from typing import Any

from hdictl.stack.finding import Mark
from hdictl.stack.source import Path, Source, SourceError

MAX_DEPTH = 100
_SPACE = re.compile(r"(?:[ \t\r\n\ufeff]+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,307})(?:\.\d+)?(?:[eE][-+]?\d{1,3})?")
_WORDS: dict[str, Any] = {"true": True, "false": False, "null": None}
_STRINGS = json.JSONDecoder(strict=False)
_CLOSING = {"{": "}", "[": "]"}


def read(text: str, file: str) -> tuple[Source, tuple[Path, ...]]:
    """The document, and the paths that it gives twice (the last one holds, as for Azure)."""
    reader = _Reader(text, file)
    data = reader.document()
    if not isinstance(data, dict):
        raise SourceError("the top of the document is not an object, `{…}`", Mark(file, 1))
    return Source(data, reader.marks, file), tuple(reader.repeated)


class _Reader:
    def __init__(self, text: str, file: str) -> None:
        self._text = text
        self._file = file
        self._place = 0
        self._line = 1
        self._counted = 0  # lines are counted up to here
        self.marks: dict[Path, Mark] = {}
        self.repeated: list[Path] = []

    def document(self) -> Any:
        found = self._value(())
        if self._ahead():
            raise self._error(f"`{self._ahead()}` comes after the end of the document")
        return found

    def _value(self, path: Path) -> Any:
        ahead = self._ahead()
        self.marks.setdefault(path, self._mark())  # of a member, the key's line counts
        if ahead == '"':
            return self._string()
        if ahead in _CLOSING:
            if len(path) >= MAX_DEPTH:
                raise self._error(f"nested deeper than {MAX_DEPTH} levels")
            return self._object(path) if ahead == "{" else self._array(path)
        for word, value in _WORDS.items():
            if self._text.startswith(word, self._place):
                self._place += len(word)
                return value
        return self._number(ahead)

    def _number(self, ahead: str) -> int | float:
        match = _NUMBER.match(self._text, self._place)
        if match is None:
            raise self._error(f"a value is expected, `{ahead}` is there" if ahead else "the document ends too early")
        self._place = match.end()
        return int(match[0]) if match[0].lstrip("-").isdecimal() else float(match[0])

    def _object(self, path: Path) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for _ in self._members("{"):
            if self._ahead() != '"':
                raise self._error(f"a name in double quotes is expected, `{self._ahead()}` is there")
            mark = self._mark()
            key = self._string()
            self._expect(":")
            inner = (*path, key)
            if key in found:
                self.repeated.append(inner)
            self.marks[inner] = mark
            found[key] = self._value(inner)
        return found

    def _array(self, path: Path) -> list[Any]:
        found: list[Any] = []
        for index in self._members("["):
            found.append(self._value((*path, index)))
        return found

    def _members(self, opening: str) -> Any:
        """Once for each member between brackets, with its number; commas and the closing bracket are read here."""
        opened = self._mark()
        self._expect(opening)
        closing = _CLOSING[opening]
        index = 0
        while self._ahead() != closing:
            if not self._ahead():
                raise self._error(f"the `{opening}` of line {opened.line} is never closed")
            yield index
            index += 1
            if self._ahead() == ",":
                self._place += 1
                if self._ahead() == closing:
                    raise self._error(f"there is a comma before `{closing}`")
            elif self._ahead() not in (closing, ""):
                raise self._error(f"`,` or `{closing}` is expected, `{self._ahead()}` is there")
        self._place += 1

    def _string(self) -> str:
        try:
            found, self._place = _STRINGS.raw_decode(self._text, self._place)
        except json.JSONDecodeError as error:
            raise self._error(f"not valid JSON: {error.msg}") from None
        return str(found)

    def _expect(self, sign: str) -> None:
        if self._ahead() != sign:
            raise self._error(f"`{sign}` is expected, `{self._ahead()}` is there")
        self._place += 1

    def _ahead(self) -> str:
        """The next sign that is neither space nor comment; empty at the end."""
        match = _SPACE.match(self._text, self._place)
        self._place = match.end() if match else self._place
        return self._text[self._place : self._place + 1]

    def _mark(self) -> Mark:
        self._line += self._text.count("\n", self._counted, self._place)
        self._counted = self._place
        return Mark(self._file, self._line)

    def _error(self, message: str) -> SourceError:
        # What is missing at the end is reported on the last line that has something.
        self._place = min(self._place, len(self._text.rstrip()))
        line = self._text.count("\n", 0, self._place) + 1
        return SourceError(message, Mark(self._file, line))
