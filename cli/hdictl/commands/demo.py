"""demo: the whole platform on this machine, once, with real parts."""

from __future__ import annotations

from hdictl.commands.options import Json, Target, TargetName


def demo(target: Target = TargetName.local, as_json: Json = False) -> None:
    """Bring up Kafka, make topics, stream events through PySpark, and prove that the counts agree.

    Leaves nothing running. Exit 4 when a count differs.

    Example: hdictl demo
    """
    raise NotImplementedError
