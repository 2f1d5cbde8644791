"""X01: expressions can be read, and what they name is declared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from hdictl.arm.expression import BadExpression, Call, is_expression
from hdictl.arm.lint.fields import mapping, walk
from hdictl.arm.lint.language import FUNCTIONS, calls, is_function, lacks_bracket, named, tree
from hdictl.arm.lint.registry import ERROR, WARNING, Problem, rule
from hdictl.arm.lint.template import NESTED, Template, has_inner_scope
from hdictl.stack.shown import shown
from hdictl.stack.source import Path
from hdictl.stack.suggest import did_you_mean

_LANGUAGE = "Microsoft Learn: template expressions, template functions"


def _texts(template: Template) -> Iterator[tuple[Path, str]]:
    """Every text whose expressions speak of this template's own parameters and variables."""
    if not template.has_own_scope:
        return  # they were found from the template around it
    for section, value in template.data.items():
        if section not in ("metadata", "functions"):  # functions have parameters of their own
            yield from _own_texts(template, value, (*template.path, section))


def _own_texts(template: Template, value: Any, path: Path) -> Iterator[tuple[Path, str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _own_texts(template, item, (*path, index))
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield (*path, key), key
            is_template = key == "template" and path[-1:] == ("properties",)
            if not (is_template and has_inner_scope(template.data, value)):
                yield from _own_texts(template, item, (*path, key))


def _calls(template: Template) -> Iterator[tuple[Path, str, Call]]:
    for path, text in _texts(template):
        if is_expression(text):
            try:
                yield from ((path, text, call) for call in calls(tree(text)))
            except (BadExpression, RecursionError):
                continue


@rule(
    "X010",
    ERROR,
    "Every expression can be read",
    why="Azure refuses the whole template; text that lost a bracket is worse, because it is deployed as it stands.",
    fix="Balance brackets and quotes; write [[ for text that begins with a bracket.",
    source=_LANGUAGE,
)
def readable(template: Template) -> Iterator[Problem]:
    for path, text in _texts(template):
        if lacks_bracket(text):
            yield Problem(path, f"`{shown(text)}` looks like an expression that lost a bracket", "write it as `[…]`")
        elif is_expression(text):
            try:
                tree(text)
            except BadExpression as error:
                yield Problem(path, str(error), "balance brackets, commas and quotes")
            except RecursionError:
                yield Problem(path, f"`{shown(text)}` is nested too deep", "use variables for its parts")


@rule(
    "X011",
    ERROR,
    "Every function is one of ARM's",
    why="Azure refuses the whole template when it meets a function that it does not know.",
    fix="Take the suggested spelling.",
    source=_LANGUAGE,
)
def functions(template: Template) -> Iterator[Problem]:
    for path, _, call in _calls(template):
        if not is_function(call.name):
            yield Problem(
                path,
                f"there is no function `{shown(call.name)}`{did_you_mean(call.name, FUNCTIONS)}",
                "take one of ARM's functions",
            )


@rule(
    "X012",
    ERROR,
    "Every parameter and variable that is used is declared",
    why="Azure refuses the whole template (InvalidTemplate) before anything is made.",
    fix="Declare it, or take the suggested name.",
    source=_LANGUAGE,
)
def declared(template: Template) -> Iterator[Problem]:
    if not template.has_own_scope:
        return
    known = {"parameters": template.parameters.keys(), "variables": template.scope.variables.keys()}
    for path, _, call in _calls(template):
        word, wanted = call.name.lower(), named(call)
        if word in known and wanted is not None and wanted.lower() not in known[word]:
            near = did_you_mean(wanted, mapping(template.data.get(word)))
            yield Problem(
                path,
                f"{word[:-1]} `{shown(wanted)}` is not declared{near}",
                f"declare it under `{word}`, or mend the name",
            )


@rule(
    "X013",
    WARNING,
    "Every parameter and variable that is declared is used",
    why="One that nothing reads is a setting that never takes effect, often a misspelt name.",
    fix="Use it, or remove it.",
    source=_LANGUAGE,
)
def used(template: Template) -> Iterator[Problem]:
    if not template.has_own_scope:
        return
    found = list(_calls(template))
    for word in ("parameters", "variables"):
        names = [named(call) for _, _, call in found if call.name.lower() == word]
        if None in names:  # one that is worked out may be any of them
            continue
        seen = {name.lower() for name in names if name is not None}
        for name in mapping(template.data.get(word)):
            if name != "copy" and name.lower() not in seen:
                yield Problem((*template.path, word, name), f"{word[:-1]} `{name}` is never used", "use or remove it")


@rule(
    "X014",
    WARNING,
    "Names do not depend on the moment of the deployment",
    why="`newGuid` and `utcNow` give another value each time, so a second deployment makes a second resource "
    "instead of finding the first.",
    fix="Write the name out, or derive it with `guid` from what stays the same.",
    source=_LANGUAGE,
)
def stable(template: Template) -> Iterator[Problem]:
    for resource in template.resources:
        if resource.type.lower() == NESTED:
            continue
        for path, value in walk(resource.name, (*resource.path, "name")):
            if isinstance(value, str) and any(word in value.lower() for word in ("newguid(", "utcnow(")):
                yield Problem(path, f"{resource} is named anew by every deployment", "write the name out")
