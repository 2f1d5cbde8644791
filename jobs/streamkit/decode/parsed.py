"""What a parser of one format gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, List, Tuple

from pyspark.sql import Column, DataFrame

from streamkit.spec import Source

# Without the white space of JSON and of lines; SQL's own trim() takes away blanks only.
TRIMMED = "trim(BOTH ' \\t\\r\\n' FROM CAST(_record.value AS STRING))"

Check = Tuple[Column, Column]  # when this holds, that is the error; the error may look into `_record`


@dataclass(frozen=True)
class Parsed:
    """`rows` has what was to be kept, the fields, and `helpers`: columns that `broken` needs and nobody else."""

    rows: DataFrame
    broken: Check  # it cannot be parsed, never null; and why. Of a tombstone it may say what it likes
    helpers: list[str]


# Rows with `value`, the source, and the columns beside it that are kept.
Parser = Callable[[DataFrame, Source, List[str]], Parsed]
