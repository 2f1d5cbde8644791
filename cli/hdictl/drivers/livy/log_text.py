"""A batch's log as Livy serves it: what the job printed, between headings of Livy's own.

stdout:                 always the first line; the lines after it are a ring buffer of 200
…
\\nstderr:               one line that begins with a line feed, which no printed line can
…                       nothing: spark-submit's stderr goes into its stdout
\\nYARN Diagnostics:     on YARN only
…
"""

from __future__ import annotations

from collections.abc import Sequence

_STDOUT = "stdout: "
_STDERR = "\nstderr: "
_YARN = "\nYARN Diagnostics: "


def printed(lines: Sequence[str]) -> tuple[str, ...]:
    """What the job printed, without what YARN says: that stands at the end while lines go on coming before it."""
    kept = lines[: lines.index(_YARN)] if _YARN in lines else lines
    begin = 1 if kept and kept[0] == _STDOUT else 0  # a job may print that too, but not as the first line
    return tuple(line for line in kept[begin:] if line != _STDERR)


def diagnosed(lines: Sequence[str]) -> tuple[str, ...]:
    """What YARN says about it, mostly why it failed."""
    return tuple(lines[lines.index(_YARN) + 1 :]) if _YARN in lines else ()
