"""check, schema, explain: what the stack file says, offline."""

from __future__ import annotations

from typing import Annotated

import typer

from hdictl.commands.options import DEFAULT_STACK, Env, Json, StackFile, Target, TargetName
from hdictl.errors import EXIT_DIFFERENT


def check(
    stack: StackFile = DEFAULT_STACK, env: Env = None, target: Target = TargetName.local, as_json: Json = False
) -> None:
    """Check the stack file against every HDInsight and Kafka rule. Offline; exit 4 when an error is found.

    Example: hdictl check --env prod
    """
    from hdictl.commands.session import checked
    from hdictl.show.findings import findings_json, print_findings, print_summary
    from hdictl.show.terminal import print_json
    from hdictl.stack.finding import blocking

    _, findings = checked(stack, env, target.value)
    if as_json:
        print_json("check", {"stack": str(stack), "ok": not blocking(findings), "findings": findings_json(findings)})
    else:
        print_findings(findings)
        print_summary(findings, subject=str(stack))
    if blocking(findings):
        raise typer.Exit(EXIT_DIFFERENT)


def schema() -> None:
    """Print the JSON Schema of the stack file, for editors.

    Example: hdictl schema > stack.schema.json
    """
    import json

    from hdictl.show.terminal import print_text
    from hdictl.stack.schema import json_schema

    print_text(json.dumps(json_schema(), indent=2))


def explain(
    key: Annotated[str, typer.Argument(help="A key such as clusters.*.workers.count, or a rule such as T004.")],
    as_json: Json = False,
) -> None:
    """Say what a key of the stack file, or a rule of `check`, means.

    Example: hdictl explain topics.*.partitions
    """
    from dataclasses import asdict

    from hdictl.show.explanation import print_explanation
    from hdictl.show.terminal import print_json
    from hdictl.stack.explain import explain as explained

    explanation = explained(key)
    if as_json:
        print_json("explain", asdict(explanation))
    else:
        print_explanation(explanation)
