"""What runs on a cluster must run on its old Python, and on nothing but Spark."""

from __future__ import annotations

import ast
import sys

import pytest

from hdictl import assets

FILES = sorted(assets.jobs().rglob("*.py"))
ALLOWED = {"__future__", "pyspark", "streamkit", *sys.stdlib_module_names}


def test_there_is_something_to_check():
    assert "run_pipeline.py" in {file.name for file in FILES}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_python_3_8_can_read_it(file):
    tree = ast.parse(file.read_text(), feature_version=(3, 8))
    is_empty = all(isinstance(node, ast.Expr) for node in tree.body)
    assert is_empty or "from __future__ import annotations" in file.read_text()


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_it_imports_the_standard_library_and_spark_alone(file):
    assert {name.partition(".")[0] for name in _imports(file)} <= ALLOWED


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_no_python_function_sees_a_row(file):
    names = {node.attr for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.Attribute)}
    names |= {node.id for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.Name)}
    assert not names & {"udf", "pandas_udf", "rdd", "foreach", "mapInPandas", "applyInPandas", "toPandas"}


def _imports(file) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return found
