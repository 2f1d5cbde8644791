"""check, schema, explain: what the stack file says, offline."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hdictl.commands.options import DEFAULT_STACK, Env, Json, StackFile, Target, TargetName
from hdictl.errors import EXIT_DIFFERENT, UsageError


def check(
    stack: StackFile = DEFAULT_STACK,
    env: Env = None,
    target: Target = TargetName.local,
    template: Annotated[
        Path | None,
        typer.Option("--template", help="Check an ARM template, anybody's, instead of the stack.", metavar="FILE"),
    ] = None,
    parameters: Annotated[
        Path | None, typer.Option("--parameters", help="The template's parameter file.", metavar="FILE")
    ] = None,
    as_json: Json = False,
) -> None:
    """Check the stack file against every HDInsight and Kafka rule. Offline; exit 4 when an error is found.

    For the target azure, what the stack becomes is rendered and checked as well.

    Example: hdictl check --env prod
    """
    from hdictl.commands.session import checked, checked_template, unsound
    from hdictl.show.findings import show_findings
    from hdictl.stack.finding import blocking

    if parameters is not None and template is None:
        raise UsageError("--parameters goes with --template", fix="name the template as well: --template FILE")
    if template is not None:
        subject, findings = template, checked_template(template, parameters)
    else:
        loaded, findings = checked(stack, env, target.value)
        subject = stack
        if target is TargetName.azure and loaded.stack is not None and not blocking(findings):
            findings = (*findings, *unsound(loaded.stack, stack))
    show_findings(findings, subject=str(subject), as_json=as_json)
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
    """Say what a key of the stack file, or a rule of `check` over stacks (T004) or templates (X070), means.

    Example: hdictl explain topics.*.partitions
    """
    from dataclasses import asdict

    from hdictl.arm.lint.explain import explain_rule
    from hdictl.show.explanation import print_explanation
    from hdictl.show.terminal import print_json
    from hdictl.stack.explain import explain as explained

    explanation = explain_rule(key) or explained(key)
    if as_json:
        print_json("explain", asdict(explanation))
    else:
        print_explanation(explanation)
