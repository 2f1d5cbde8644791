"""The table of rules, complete: importing a subject registers its rules."""

from __future__ import annotations

from collections.abc import Iterator

from hdictl.arm.lint.registry import RULES, Problem, Rule
from hdictl.arm.lint.rules import (
    clusters,
    document,
    expressions,
    features,
    firewall,
    identity,
    names,
    network,
    nodes,
    order,
    parameters,
    secrets,
    shape,
    storage,
)
from hdictl.arm.lint.template import Template

# Named here, so that nobody takes the imports for unused.
SUBJECTS = (
    document,
    expressions,
    parameters,
    secrets,
    order,
    names,
    network,
    firewall,
    storage,
    identity,
    clusters,
    nodes,
    shape,
    features,
)


def problems(template: Template) -> Iterator[tuple[Rule, Problem]]:
    """What every rule has to say. The same thing said twice (rounds of one loop) is said once."""
    for registered in RULES.values():
        if registered.look is not None:
            for problem in dict.fromkeys(registered.look(template)):
                yield registered, problem
