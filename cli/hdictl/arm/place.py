"""Where a stack lives on Azure, for whatever cannot do without."""

from __future__ import annotations

from hdictl.arm.evaluate import Place
from hdictl.errors import UsageError
from hdictl.stack.model import Stack
from hdictl.stack.place import Azure


def azure_of(stack: Stack) -> Azure:
    if stack.azure is None:
        raise UsageError(
            f"stack `{stack.stack}` does not say where on Azure it lives",
            where="azure",
            fix="add `azure:` with subscription, resource_group and location",
        )
    return stack.azure


def place_of(stack: Stack) -> Place:
    azure = azure_of(stack)
    return Place(azure.subscription, azure.resource_group, azure.location)
