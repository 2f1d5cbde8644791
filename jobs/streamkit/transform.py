"""A flow's query: one SELECT, or one Python function over data frames."""

from __future__ import annotations

import linecache
import re
from typing import Any, Mapping

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.utils import AnalysisException, ParseException

from streamkit.errors import JobError
from streamkit.spec import Flow

_PARAMETER = re.compile(r"\$\{(\w+)\}")


def transformed(
    spark: SparkSession, flow: Flow, inputs: Mapping[str, DataFrame], parameters: Mapping[str, Any]
) -> DataFrame:
    try:
        if flow.sql is not None:
            return spark.sql(with_parameters(flow.sql, parameters, flow.file))
        return _called(flow, inputs, parameters)
    except (AnalysisException, ParseException) as error:
        raise JobError(f"{flow.file}: {first_line(error)}", "see the sources' schemas, and the query") from None


def with_parameters(sql: str, parameters: Mapping[str, Any], file: str) -> str:
    """`${name}` becomes the parameter as SQL writes it: a number, or a text in quotes."""

    def literal(found: re.Match[str]) -> str:
        name = found.group(1)
        if name not in parameters:
            raise JobError(f"{file}: there is no parameter `{name}`", "name it under `parameters` of the pipeline")
        return to_literal(parameters[name])

    return _PARAMETER.sub(literal, sql)


def to_literal(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, (int, float)):
        return str(value)
    escaped = str(value).replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def first_line(error: Exception) -> str:
    """Spark says what is wrong first, and then prints the whole plan."""
    text = str(getattr(error, "desc", None) or error).strip()
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    return re.sub(r";$", "", lines[0]) if lines else type(error).__name__


def _called(flow: Flow, inputs: Mapping[str, DataFrame], parameters: Mapping[str, Any]) -> DataFrame:
    source = flow.python or ""
    linecache.cache[flow.file] = (len(source), None, source.splitlines(keepends=True), flow.file)
    module: dict[str, Any] = {"__name__": "transform", "__file__": flow.file}
    try:
        exec(compile(source, flow.file, "exec"), module)  # noqa: S102 (the pipeline's own code)
        result = module["transform"](dict(inputs), dict(parameters))
    except (AnalysisException, ParseException):
        raise
    except Exception as error:
        raise JobError(f"{flow.file}: {type(error).__name__}: {error}", "see the file's `transform`") from error
    if not isinstance(result, DataFrame):
        raise JobError(f"{flow.file}: `transform` gave no data frame", "return the data frame that goes to the sink")
    return result
