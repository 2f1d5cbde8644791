"""cost: what a stack takes on Azure."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hdictl.commands.options import DEFAULT_STACK, Env, Json, StackFile, TargetName


def cost(
    stack: StackFile = DEFAULT_STACK,
    env: Env = None,
    prices: Annotated[
        Path | None, typer.Option("--prices", help="A price list (YAML or JSON); see docs/cost.md.", metavar="FILE")
    ] = None,
    as_json: Json = False,
) -> None:
    """Count nodes, cores and disks by role, and what they cost a month when a price list is given. Offline.

    Example: hdictl cost --prices prices.yaml
    """
    from hdictl.commands.session import open_stack
    from hdictl.drivers.price_list import read_prices
    from hdictl.plan.cost import cost_of
    from hdictl.show.cost import show_cost

    # Nothing is asked of Azure: neither sign-in nor secrets nor keys have to be there to count.
    session = open_stack(stack, env, TargetName.local.value)
    show_cost(cost_of(session.stack, read_prices(prices) if prices is not None else None), as_json=as_json)
