"""S: what loading finds before any rule can look."""

from __future__ import annotations

from hdictl.stack.check.registry import ERROR, declare

_SOURCE = "hdictl: the model of the stack file"

declare(
    "S001",
    ERROR,
    "The file is one YAML document",
    why="Nothing can be said of a file that cannot be read. Keys given twice, merge keys and custom tags are refused, "
    "because they hide what the stack says.",
    fix="Mend the line that is named; indentation and a missing colon are the usual causes.",
    source="YAML 1.2",
)
declare(
    "S002",
    ERROR,
    "Every key is known",
    why="A misspelt key that is silently ignored is a setting that never takes effect.",
    fix="Take the spelling that is suggested, or see `hdictl explain`.",
    source=_SOURCE,
)
declare(
    "S003",
    ERROR,
    "Every value has the right type",
    why="A value of the wrong type cannot be used; guessing what was meant would be worse.",
    fix="See `hdictl explain KEY` for what may be written.",
    source=_SOURCE,
)
declare(
    "S004",
    ERROR,
    "Every variable is set",
    why="A variable without a value would leave a hole in a name or a size. Those that only Azure "
    "asks for (`azure`, `secrets`, `network`, …) are needed on the target azure alone.",
    fix="Export the variable, or write a default: ${NAME:-value}.",
    source=_SOURCE,
)
declare(
    "S005",
    ERROR,
    "Every `${…}` is a variable",
    why="Text that looks like a variable and is none would reach Azure as it stands.",
    fix="Write ${NAME}, ${NAME:-default}, or $${ for a plain ${.",
    source=_SOURCE,
)
