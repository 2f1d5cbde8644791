"""What of a query is fixed in its checkpoint: its stateful operators, with their keys, in their order.

Spark keeps state by the position of an operator in the plan and the shape of its keys and values. A query whose
operators differ would fail on the old state at best, and read it as something else at worst.
"""

from __future__ import annotations

import re
from typing import Any, Iterator

from pyspark.sql import DataFrame
from pyspark.sql.utils import AnalysisException

from streamkit.errors import JobError
from streamkit.transform import first_line

_WINDOWS = ("window", "session_window")
_STEP = re.compile(r"\b\d{4,}\b|\b\d+ (?:second|minute|hour|day|week)s?\b|INTERVAL '[^']+' [A-Z]+")
# Numbers that Spark gives anew each time; and the delay of a watermark, which is in no state and may change.
_PASSING = re.compile(r"#\d+L?(-T\d+ms)?")


def stateful_operators(rows: DataFrame) -> list[str]:
    """From the sink towards the sources, in words that stay the same from run to run."""
    plan = rows._jdf.queryExecution().analyzed()
    return [operator for node in _nodes(plan) for operator in _described(node)]


def require_streamable(rows: DataFrame, query: str) -> None:
    """Spark refuses some queries only when they start; this asks it before."""
    jvm: Any = rows.sparkSession._jvm
    append = jvm.org.apache.spark.sql.streaming.OutputMode.Append()
    checker = jvm.org.apache.spark.sql.catalyst.analysis.UnsupportedOperationChecker
    try:
        checker.checkForStreaming(rows._jdf.queryExecution().analyzed(), append)
    except AnalysisException as error:
        raise JobError(
            f"flow `{query}`: {first_line(error)}", "an aggregation needs a watermark; see docs/pipelines.md"
        ) from None


def _nodes(plan: Any) -> Iterator[Any]:
    yield plan
    for child in _each(plan.children()):
        yield from _nodes(child)


def _described(node: Any) -> Iterator[str]:
    name = node.nodeName()
    if not node.isStreaming():
        return
    if name == "Aggregate":
        functions = dict.fromkeys(each for found in _each(node.aggregateExpressions()) for each in _functions(found))
        keys = [_text(key) for key in _each(node.groupingExpressions())]
        windows = [window for key in keys if key in _WINDOWS for window in _defined(node, key)]
        yield f"aggregate [{', '.join(functions)}] by [{', '.join([*keys, *windows])}]"
    elif name in ("Deduplicate", "DeduplicateWithinWatermark"):
        yield f"{name.lower()} [{', '.join(_text(key) for key in _each(node.keys()))}]"
    elif name == "Join" and node.left().isStreaming() and node.right().isStreaming():
        condition = node.condition()
        yield f"join {node.joinType().sql()} on {_text(condition.get()) if condition.isDefined() else 'nothing'}"


def _functions(expression: Any) -> Iterator[str]:
    """The aggregates inside an expression: what is done with their results is in no state, and may change."""
    if expression.getClass().getSimpleName() == "AggregateExpression":
        yield _text(expression)
        return
    for child in _each(expression.children()):
        yield from _functions(child)


def _defined(node: Any, window: str) -> Iterator[str]:
    """How long windows are, which their name does not say: the steps of time in what they are made of."""
    for below in _nodes(node):
        if below.nodeName() in ("Project", "Expand"):
            for text in (_text(each) for each in _each(below.expressions())):
                if text.endswith(f" AS {window}") or below.nodeName() == "Expand":
                    steps = dict.fromkeys(_STEP.findall(text))
                    if steps:
                        yield f"{window}: {' '.join(steps)}"
                        return


def _each(found: Any) -> Iterator[Any]:
    for index in range(found.length()):
        yield found.apply(index)


def _text(expression: Any) -> str:
    return _PASSING.sub("", str(expression.toString()))
