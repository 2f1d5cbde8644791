"""YAML text to plain data in which every value knows its line.

Built on the parser's events and not on its constructors, for four reasons: line numbers stay known for every path;
nesting and alias expansion are bounded; a key given twice is refused; and words such as `no` and `on` stay words
(YAML 1.2), as a region or a topic may bear such a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import yaml

from hdictl.stack.finding import Mark

Path = tuple[str | int, ...]

MAX_DEPTH = 40
MAX_NODES = 500_000
_INTEGER = re.compile(r"[-+]?(0|[1-9][0-9]{0,17})\Z")
_FLOAT = re.compile(r"[-+]?[0-9]+\.[0-9]+([eE][-+]?[0-9]+)?\Z")
_WORDS: dict[str, Any] = {
    "": None,
    "~": None,
    "null": None,
    "true": True,
    "True": True,
    "false": False,
    "False": False,
}
_PARSER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class SourceError(Exception):
    """The text is not a document we can read."""

    def __init__(self, message: str, mark: Mark) -> None:
        super().__init__(message)
        self.message = message
        self.mark = mark


@dataclass
class Source:
    """Plain data and where each part of it was written."""

    data: dict[str, Any]
    marks: dict[Path, Mark] = field(default_factory=dict)
    file: str = "stack.yaml"

    def mark(self, path: Path) -> Mark:
        """The line of this path, or of the nearest part of the file that holds it."""
        for length in range(len(path), -1, -1):
            found = self.marks.get(path[:length])
            if found is not None:
                return found
        return Mark(self.file, 1)


@dataclass
class _Frame:
    """A mapping or sequence that is being filled."""

    value: dict[str, Any] | list[Any]
    path: Path
    anchor: str | None
    first_node: int
    key: str | None = None


def read(text: str, file: str) -> Source:
    """Parse one YAML document whose top is a mapping."""
    source = Source({}, file=file)
    try:
        data = _Builder(source).build(yaml.parse(text, Loader=_PARSER))
    except yaml.MarkedYAMLError as error:
        place = error.problem_mark or error.context_mark
        # What is missing at the end is reported on the line after it, which no editor shows.
        line = max(1, min(place.line + 1, len(text.splitlines()))) if place else 1
        raise SourceError(f"not valid YAML: {error.problem or error.context}", Mark(file, line)) from error
    except yaml.YAMLError as error:
        # Characters that YAML does not allow have no mark of the usual kind.
        raise SourceError(f"not valid YAML: {str(error).splitlines()[0]}", Mark(file, 1)) from error
    if data is None:
        raise SourceError("the file is empty", Mark(file, 1))
    if not isinstance(data, dict):
        raise SourceError("the file must be a mapping, `key: value`, at its top", Mark(file, 1))
    source.data = data
    return source


class _Builder:
    """Turns the parser's events into plain data, and notes where each part stood."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.frames: list[_Frame] = []
        self.anchors: dict[str, tuple[Any, int]] = {}
        self.nodes = 0
        self.documents = 0
        self.root: Any = None

    def build(self, events: Iterator[Any]) -> Any:
        for event in events:
            mark = Mark(self.source.file, event.start_mark.line + 1)
            self._take(event, mark)
            if self.nodes > MAX_NODES:
                raise SourceError(f"more than {MAX_NODES:,} values once its aliases are expanded", mark)
        return self.root

    def _take(self, event: Any, mark: Mark) -> None:
        if isinstance(event, yaml.ScalarEvent):
            self._scalar(event, mark)
        elif isinstance(event, yaml.MappingStartEvent):
            self._open({}, event.anchor, mark)
        elif isinstance(event, yaml.SequenceStartEvent):
            self._open([], event.anchor, mark)
        elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
            self._close()
        elif isinstance(event, yaml.AliasEvent):
            self._alias(event.anchor or "", mark)
        elif isinstance(event, yaml.DocumentStartEvent):
            self.documents += 1
            if self.documents > 1:
                raise SourceError("there is a second document (`---`); a stack is one", mark)

    def _scalar(self, event: Any, mark: Mark) -> None:
        self.nodes += 1
        top = self.frames[-1] if self.frames else None
        if top is not None and isinstance(top.value, dict) and top.key is None:
            self._key(top, top.value, event.value, mark)
            return
        value = _value(event, mark)
        self._place(value, mark)
        if event.anchor:
            self.anchors[event.anchor] = (value, 1)

    def _key(self, frame: _Frame, mapping: dict[str, Any], key: str, mark: Mark) -> None:
        if key == "<<":
            raise SourceError("merge keys (`<<`) are not supported; use `defaults`", mark)
        path = (*frame.path, key)
        if key in mapping:
            raise SourceError(f"`{key}` is given twice (first on line {self.source.mark(path).line})", mark)
        frame.key = key
        self.source.marks[path] = mark

    def _open(self, opened: dict[str, Any] | list[Any], anchor: str | None, mark: Mark) -> None:
        self.nodes += 1
        if len(self.frames) >= MAX_DEPTH:
            raise SourceError(f"nested deeper than {MAX_DEPTH} levels", mark)
        path: Path = ()
        if self.frames:
            top = self.frames[-1]
            path = (*top.path, len(top.value) if isinstance(top.value, list) else str(top.key))
        self._place(opened, mark)
        self.frames.append(_Frame(opened, path, anchor, self.nodes))

    def _close(self) -> None:
        closed = self.frames.pop()
        if closed.anchor:
            self.anchors[closed.anchor] = (closed.value, self.nodes - closed.first_node + 1)

    def _alias(self, anchor: str, mark: Mark) -> None:
        # An alias inside its own anchor finds none yet: a document cannot hold itself.
        if anchor not in self.anchors:
            raise SourceError(f"alias `*{anchor}` has no finished anchor before it", mark)
        value, size = self.anchors[anchor]
        self.nodes += size
        self._place(value, mark)

    def _place(self, value: Any, mark: Mark) -> None:
        """Put a finished or just opened value where it belongs."""
        if not self.frames:
            self.root = value
            return
        top = self.frames[-1]
        if isinstance(top.value, list):
            path = (*top.path, len(top.value))
            self.source.marks[path] = mark
            top.value.append(value)
        elif top.key is not None:
            top.value[top.key] = value
            top.key = None
        else:
            raise SourceError("a key must be a plain word, not a list, a mapping or an alias", mark)


def _value(event: Any, mark: Mark) -> Any:
    text: str = event.value
    if event.style not in (None, "") or event.tag == "tag:yaml.org,2002:str":
        return text
    if event.tag:
        raise SourceError(f"tag `{event.tag}` is not supported", mark)
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.match(text):
        return int(text)
    return float(text) if _FLOAT.match(text) else text
