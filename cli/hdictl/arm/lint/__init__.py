"""Semantic lint of ARM templates: ours, or a stranger's.

What schemas and public scanners let pass and Azure refuses, or worse, takes. Nothing is asked of Azure.

    reading    text → data with lines
    template   data → declarations, and resources with their values settled (settle, marks, resource, graph)
    rules/     one small function a rule; docs/template-lint.md lists them
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from hdictl.arm.evaluate import Place
from hdictl.arm.lint.fields import path_text
from hdictl.arm.lint.reading import read
from hdictl.arm.lint.registry import RULES, Problem, Rule
from hdictl.arm.lint.rules.document import REPEATED, UNREADABLE
from hdictl.arm.lint.table import problems
from hdictl.arm.lint.template import read_template
from hdictl.stack.finding import Finding, Mark
from hdictl.stack.source import Source, SourceError

__all__ = ["RULES", "Rule", "lint_file_text", "lint_text"]


def lint_text(
    text: str,
    parameters: Mapping[str, Any] | None = None,
    *,
    place: Place | None = None,
    source: str = "template.json",
) -> tuple[Finding, ...]:
    """Findings over a template's text, each with its line, in the order of the file."""
    try:
        document, repeated = read(text, source)
    except SourceError as error:
        return (_unreadable(error),)
    twice = (REPEATED.finding(_repeated(path), document.mark(path)) for path in repeated)
    found = [*twice, *_findings(document, parameters, place)]
    return tuple(sorted(found, key=lambda finding: (finding.mark.line, finding.rule)))


def lint_file_text(text: str, parameters_text: str | None, source: str) -> tuple[Finding, ...]:
    """The text of a template and of its parameter file, as `hdictl check --template` reads them."""
    if parameters_text is None:
        return lint_text(text, source=source)
    try:
        parameters = read(parameters_text, "the parameter file")[0].data
    except SourceError as error:
        return (_unreadable(error), *lint_text(text, source=source))
    return lint_text(text, parameters, source=source)


def _findings(document: Source, parameters: Mapping[str, Any] | None, place: Place | None) -> Iterator[Finding]:
    given = parameters.get("parameters") if parameters and "$schema" in parameters else parameters
    given = given if given is None or isinstance(given, Mapping) else {}
    for template in read_template(document.data, given, place):
        for broken, problem in problems(template):
            yield broken.finding(problem, document.mark(problem.path))


def _unreadable(error: SourceError) -> Finding:
    problem = Problem((), error.message, UNREADABLE.fix)
    return UNREADABLE.finding(problem, Mark(error.mark.file, error.mark.line))


def _repeated(path: tuple[str | int, ...]) -> Problem:
    return Problem(path, f"`{path[-1]}` is given twice in {path_text(path[:-1])}", "remove one of them")
