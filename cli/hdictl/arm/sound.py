"""No template leaves that Azure could not deploy."""

from __future__ import annotations

from hdictl.arm.deployment import Rendered
from hdictl.arm.evaluate import Place
from hdictl.arm.lint import lint
from hdictl.errors import TemplateInvalid
from hdictl.stack.finding import Finding, blocking
from hdictl.stack.model import Stack


def template_findings(rendered: Rendered, stack: Stack) -> tuple[Finding, ...]:
    """Everything that the lint has to say against the templates of a stack."""
    azure = stack.azure
    place = Place(azure.subscription, azure.resource_group, azure.location) if azure else None
    return tuple(
        finding
        for each in (rendered.subscription, rendered.group)
        for finding in lint(each.template, each.parameters, place=place, source=f"{each.scope.value}.template.json")
    )


def refuse_unsound(rendered: Rendered, stack: Stack) -> None:
    """Raise TemplateInvalid when Azure could not deploy it."""
    if errors := blocking(template_findings(rendered, stack)):
        raise TemplateInvalid(
            f"Azure could not deploy what this stack becomes: {len(errors)} error{'' if len(errors) == 1 else 's'}",
            findings=errors,
            fix="mend the stack where the findings point; when it says nothing wrong, this is a bug in hdictl",
        )
