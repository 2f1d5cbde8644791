"""What hdictl renders, and the modules it is made of, against its own lint: nothing is found."""

from __future__ import annotations

import pytest

from hdictl.arm.lint import lint_file_text, lint_text
from tests.unit.arm_schema.examples import EXAMPLES, deployments, module_files


@pytest.mark.parametrize("name", EXAMPLES)
def test_nothing_is_found_in_rendered_templates(name):
    for deployment, template, parameters in deployments(name):
        found = lint_file_text(template, parameters, f"{name}:{deployment.scope.value}")
        assert [str(finding) for finding in found] == []


@pytest.mark.parametrize("file", module_files(), ids=lambda file: file.stem)
def test_nothing_is_found_in_modules(file):
    found = lint_text(file.read_text(encoding="utf-8"), source=file.name)
    assert [str(finding) for finding in found] == []


def test_there_are_examples_and_modules():
    assert len(EXAMPLES) >= 3
    assert len(module_files()) >= 8
