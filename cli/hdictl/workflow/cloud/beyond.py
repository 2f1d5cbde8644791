"""What is on Azure beside the stack, and in its way: nothing of it is ever taken away without a word."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hdictl.arm.place import azure_of
from hdictl.errors import PermissionMissing
from hdictl.plan.change import Comparison, Refusal
from hdictl.plan.cloud import CloudResource, is_cluster
from hdictl.plan.resources import resource_address, taken_away
from hdictl.ports.cloud import CloudReader
from hdictl.stack.model import Stack

Pair = tuple[Mapping[str, Any], CloudResource | None]  # a rendered resource, and the living one


def in_the_way(pairs: Sequence[Pair], *, deploys: bool) -> Comparison:
    """A deployment puts networks and security groups as a whole. A subnet may have anything in it, and is not put at
    risk; a rule that somebody added by hand is what a deployment is there to mend."""
    whole = Comparison()
    for rendered, living in pairs:
        address = resource_address(rendered)
        for name in taken_away(rendered, living):
            if str(rendered["type"]).lower().endswith("/networksecuritygroups"):
                when = "this deployment takes it away" if deploys else "the next deployment takes it away"
                whole += Comparison(notes=(f"{address}: rule `{name}` is not in the stack; {when}",))
            elif deploys:
                what = f"a deployment would take away the subnet `{name}`, which is not in the stack"
                fix = f"name it under network.{rendered['location']}.subnets, or delete it and what is in it first"
                whole += Comparison(refusals=(Refusal(address=address, what=what, fix=fix),))
            else:
                whole += Comparison(notes=(f"{address}: subnet `{name}` is not in the stack",))
    return whole


def left_behind(stack: Stack, cloud: CloudReader) -> Comparison:
    """Clusters that the stack does not name any more go on, and cost."""
    return Comparison(notes=tuple(_left_behind(stack, cloud)))


def _left_behind(stack: Stack, cloud: CloudReader) -> Iterator[str]:
    known = {stack.azure_name(key).lower() for key in stack.clusters}
    try:
        found = [resource for resource in cloud.tagged() if is_cluster(resource.type)]
    except PermissionMissing as error:
        yield f"clusters that the stack does not name were not looked for: {error.what}"
        return
    for resource in found:
        if resource.name.lower() not in known:
            end = f"az hdinsight delete --name {resource.name} --resource-group {azure_of(stack).resource_group}"
            yield f"cluster {resource.name} carries the stack's tag and is not in the stack; it stays. To end it: {end}"
