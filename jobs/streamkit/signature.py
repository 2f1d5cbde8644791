"""What of a query is fixed in its checkpoint: its stateful operators, with their keys, in their order; and the columns
that they keep.

Spark keeps state by the position of an operator in the plan and the shape of its keys and values. A query whose
operators differ would fail on the old state at best, and read it as something else at worst: of columns that are kept
it compares types, not names, so that one text in place of another is read as the other.
"""

from __future__ import annotations

import re
from typing import Any, Iterator

from py4j.protocol import Py4JJavaError
from pyspark.sql import DataFrame
from pyspark.sql.utils import AnalysisException

from streamkit.errors import JobError
from streamkit.transform import first_line

_WINDOWS = ("window", "session_window")
_DEDUPLICATIONS = ("Deduplicate", "DeduplicateWithinWatermark")
_STEP = re.compile(r"\b\d{4,}\b|\b\d+ (?:second|minute|hour|day|week)s?\b|INTERVAL '[^']+' [A-Z]+")
# Numbers that Spark gives anew each time, to columns and to variables of Python's lambdas; and the delay of a
# watermark, which is in no state and may change.
_PASSING = re.compile(r"#\d+L?(-T\d+ms)?|(?<=\blambda [xyz])_\d+")


def stateful_operators(rows: DataFrame) -> list[str]:
    """From the sink towards the sources, in words that stay the same from run to run."""
    plan = rows._jdf.queryExecution().analyzed()
    return [operator for node in _nodes(plan) for operator in _described(node)]


def kept_state(rows: DataFrame) -> list[str]:
    """The columns in the state of each operator, with their types.

    A join keeps whole rows of both sides, as far as anything above uses them. What that is, the optimiser decides:
    it is asked, as it will be for every micro-batch.
    """
    session: Any = rows.sparkSession._jsparkSession
    analysed = rows._jdf.queryExecution().analyzed()
    optimised = session.sessionState().optimizer().execute(analysed)
    grouped = [kept for node in _nodes(analysed) for kept in _kept_by_key(node)]
    return grouped + [_kept_by_join(node) for node in _nodes(optimised) if _is_join_of_streams(node)]


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
        functions = dict.fromkeys(_text(each) for each in _functions_of(node))
        keys = [_text(key) for key in _each(node.groupingExpressions())]
        windows = [window for key in keys if key in _WINDOWS for window in _defined(node, key)]
        yield f"aggregate [{', '.join(functions)}] by [{', '.join([*keys, *windows])}]"
    elif name in _DEDUPLICATIONS:
        yield f"{name.lower()} [{', '.join(_text(key) for key in _each(node.keys()))}]"
    elif _is_join_of_streams(node):
        condition = node.condition()
        yield f"join {node.joinType().sql()} on {_text(condition.get()) if condition.isDefined() else 'nothing'}"


def _is_join_of_streams(node: Any) -> bool:
    return bool(node.nodeName() == "Join" and node.left().isStreaming() and node.right().isStreaming())


def _kept_by_key(node: Any) -> Iterator[str]:
    name = node.nodeName()
    if not node.isStreaming():
        return
    if name == "Aggregate":
        values = dict.fromkeys(f"{_typed(each)}{_buffer(each)}" for each in _functions_of(node))
        keys = map(_typed, _each(node.groupingExpressions()))
        yield f"aggregate [{', '.join(values)}] by [{', '.join(keys)}]"
    elif name in _DEDUPLICATIONS:
        yield f"{name.lower()} [{', '.join(map(_typed, _each(node.keys())))}]"


def _kept_by_join(node: Any) -> str:
    left, right = (", ".join(map(_typed, _each(side.output()))) for side in (node.left(), node.right()))
    return f"join [{left}] with [{right}]"


def _buffer(aggregate: Any) -> str:
    """What lies in the state until the result is known: an average is a sum and a count."""
    try:
        types = [each.dataType().catalogString() for each in _each(aggregate.aggregateFunction().aggBufferAttributes())]
    except Py4JJavaError:  # one that Spark writes as others, such as count_if: its result's type must do
        return ""
    return f" of {', '.join(types)}"


def _functions_of(node: Any) -> Iterator[Any]:
    for expression in _each(node.aggregateExpressions()):
        yield from _functions(expression)


def _functions(expression: Any) -> Iterator[Any]:
    """The aggregates inside an expression: what is done with their results is in no state, and may change."""
    if expression.getClass().getSimpleName() == "AggregateExpression":
        yield expression
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


def _typed(expression: Any) -> str:
    return f"{_text(expression)} {expression.dataType().catalogString()}"


def _text(expression: Any) -> str:
    return _PASSING.sub("", str(expression.toString()))
