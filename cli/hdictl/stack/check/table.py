"""The table of rules, complete: importing a subject registers its rules."""

from __future__ import annotations

from collections.abc import Iterator

from hdictl.stack.check import (
    azure,
    connection,
    derived_names,
    entra,
    exposure,
    jobs,
    local,
    mirrors,
    names,
    network,
    nodes,
    references,
    scaling,
    schemas,
    scripts,
    security,
    shape,
    sizes,
    ssh_key,
    storage,
    subnets,
    topic_settings,
    topics,
    users,
    vaults,
    versions,
    waivers,
    zones,
)
from hdictl.stack.check.context import Context
from hdictl.stack.check.registry import RULES
from hdictl.stack.finding import Finding

# Named here, so that nobody takes the imports for unused.
SUBJECTS = (
    shape,
    names,
    derived_names,
    azure,
    vaults,
    users,
    ssh_key,
    versions,
    nodes,
    scaling,
    zones,
    sizes,
    local,
    security,
    entra,
    scripts,
    network,
    subnets,
    connection,
    exposure,
    storage,
    topics,
    topic_settings,
    references,
    schemas,
    jobs,
    mirrors,
    waivers,
)


def findings(context: Context) -> Iterator[Finding]:
    """What every rule has to say. The same thing said twice (two topics under one default) is said once."""
    for registered in RULES.values():
        if registered.look is not None:
            for problem in dict.fromkeys(registered.look(context)):
                yield registered.finding(problem, context.source.mark(problem.path))
