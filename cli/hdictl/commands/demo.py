"""demo: the whole platform on this machine, once, with real parts."""

from __future__ import annotations

from hdictl.commands.options import Json, Target, TargetName


def demo(target: Target = TargetName.local, as_json: Json = False) -> None:
    """Bring up Kafka, make topics, stream events through PySpark, and prove that the counts agree.

    Leaves nothing running. Exit 4 when a count differs.

    Example: hdictl demo
    """
    from hdictl import assets
    from hdictl.commands.session import open_stack
    from hdictl.errors import CountsDiffer
    from hdictl.show.demo import show_demo
    from hdictl.show.progress import TerminalProgress
    from hdictl.workflow.demo.whole import run_whole

    session = open_stack(assets.template("demo", "stack.yaml"), None, target.value)
    with session.target.lock("the demo"), session.target.runner() as runner:
        report = run_whole(session.stack, session.target, runner, TerminalProgress())
    show_demo(report, as_json=as_json)
    if not report.agrees:
        wrong = ", ".join(row.what.strip() for row in report.rows if not row.agrees)
        raise CountsDiffer(f"the counts differ: {wrong}", where="demo", fix="run it again; if it stays so, it is a bug")
