"""What runs on a cluster must run on its old Python, and on nothing but Spark."""

from __future__ import annotations

import ast
import sys

import pytest

from hdictl import assets

FILES = sorted([*assets.jobs().rglob("*.py"), *assets.pipeline(".").glob("*/*.py")])
# py4j is a part of pyspark. The test kit runs on the Spark and the Python that are to be tested.
ALLOWED = {"__future__", "pyspark", "py4j", "streamkit", "testkit", *sys.stdlib_module_names}


def test_there_is_something_to_check():
    assert {"run_pipeline.py", "json_format.py", "bench.py", "attributed.py"} <= {file.name for file in FILES}


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_python_3_8_can_read_it(file):
    tree = ast.parse(file.read_text(), feature_version=(3, 8))
    is_empty = all(isinstance(node, ast.Expr) for node in tree.body)
    assert is_empty or "from __future__ import annotations" in file.read_text()


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_it_imports_the_standard_library_and_spark_alone(file):
    assert {name.partition(".")[0] for name in _imports(file)} <= ALLOWED


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.name}")
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


def test_what_is_shipped_to_a_cluster_needs_no_test_kit():
    for file in (assets.jobs() / "streamkit").rglob("*.py"):
        assert not {name for name in _imports(file) if name.startswith("testkit")}
