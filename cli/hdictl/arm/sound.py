"""No template leaves that Azure could not deploy."""

from __future__ import annotations

from hdictl.arm.deployment import Rendered
from hdictl.arm.evaluate import Place
from hdictl.arm.lint import lint
from hdictl.errors import TemplateInvalid
from hdictl.stack.finding import blocking
from hdictl.stack.model import Stack


def refuse_unsound(rendered: Rendered, stack: Stack) -> None:
    """Raise TemplateInvalid with everything that the lint has to say against the templates of a stack."""
    azure = stack.azure
    place = Place(azure.subscription, azure.resource_group, azure.location) if azure else None
    findings = tuple(
        finding
        for each in (rendered.subscription, rendered.group)
        for finding in lint(each.template, each.parameters, place=place, source=f"{each.scope.value}.template.json")
    )
    if errors := blocking(findings):
        raise TemplateInvalid(
            f"Azure could not deploy what this stack becomes: {len(errors)} error{'' if len(errors) == 1 else 's'}",
            findings=errors,
            fix="mend the stack where the findings point; when it says nothing wrong, this is a bug in hdictl",
        )
