"""ARM's expression language as strangers use it: every function there is, and trees to walk.

`hdictl.arm.functions` has those that are worked out; here are the names of all, so that a misspelt one is found.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from hdictl.arm.expression import Access, Call, Expression, Literal, is_expression, parse

_NAMES = """
    array concat contains createArray empty first flatten indexFromEnd indexOf intersection items join last lastIndexOf
    length max min objectKeys range shallowMerge skip take tryGet tryIndexFromEnd union
    filter groupBy lambda lambdaVariables map mapValues reduce sort toObject
    coalesce createObject equals greater greaterOrEquals json less lessOrEquals null
    dateTimeAdd dateTimeFromEpoch dateTimeToEpoch utcNow
    deployer deployment environment externalInput externalInputs fail parameters variables
    and bool false if not or true
    add copyIndex div float int mod mul sub
    extensionResourceId managementGroup managementGroupResourceId pickZones providers reference references resourceGroup
    resourceId subscription subscriptionResourceId tenant tenantResourceId toLogicalZone toLogicalZones toPhysicalZone
    toPhysicalZones
    base64 base64ToJson base64ToString buildUri dataUri dataUriToString endsWith format guid newGuid padLeft parseUri
    replace split startsWith string substring toLower toUpper trim uniqueString uri uriComponent uriComponentToString
    cidrHost cidrSubnet parseCidr
"""
FUNCTIONS = frozenset(_NAMES.split())
_FOLDED = frozenset(map(str.lower, FUNCTIONS))
# `.?name` and `[?index]` are null where `.name` fails; a namespace stands before functions of the template's own.
_TOKEN = re.compile(r"('(?:[^']|'')*')|([.\[])\?|\b([A-Za-z_]\w*)\.([A-Za-z_]\w*)(?=\s*\()")
# Text that was meant to be an expression, and lost a bracket.
_LOST_BRACKET = re.compile(
    r"\[\s*[A-Za-z_]\w*\s*\((?!.*\]$)"
    r"|(?:concat|format|parameters|reference|resourceId|subscription|resourceGroup|variables)\(.*\)(?:\.[\w.]+)?\]?$",
    re.DOTALL | re.IGNORECASE,
)


def is_function(name: str) -> bool:
    """`list…` functions are operations of resource providers: there is one for each."""
    return name.lower() in _FOLDED or name.lower().startswith("list") or "__" in name


def tree(text: str) -> Expression:
    """The tree of `[…]`, also with what our modules never use: safe access, and functions of the template's own."""
    return parse(_TOKEN.sub(_plain, text))


def _plain(match: re.Match[str]) -> str:
    if match[1]:
        return match[1]
    return match[2] or f"{match[3]}__{match[4]}"


def lacks_bracket(text: str) -> bool:
    return not is_expression(text) and not text.startswith("[[") and _LOST_BRACKET.match(text) is not None


def calls(expression: Expression) -> Iterator[Call]:
    """Every call, the outer ones first."""
    if isinstance(expression, Call):
        yield expression
        for argument in expression.arguments:
            yield from calls(argument)
    elif isinstance(expression, Access):
        yield from calls(expression.of)
        yield from calls(expression.member)


def named(call: Call) -> str | None:
    """`x` in `parameters('x')`; nothing when the name is itself worked out."""
    first = call.arguments[0] if call.arguments else None
    return first.value if isinstance(first, Literal) and isinstance(first.value, str) else None
