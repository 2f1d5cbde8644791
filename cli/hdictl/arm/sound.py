"""No template leaves that Azure could not deploy."""

from __future__ import annotations

from hdictl.arm.deployment import Rendered
from hdictl.arm.files import file_texts
from hdictl.arm.lint import lint_text
from hdictl.arm.place import place_of
from hdictl.errors import TemplateInvalid
from hdictl.stack.finding import Finding, blocking
from hdictl.stack.model import Stack


def template_findings(rendered: Rendered, stack: Stack) -> tuple[Finding, ...]:
    """Everything that the lint has to say against the files that a stack is rendered to, each with its line."""
    place, texts = place_of(stack), file_texts(rendered)
    return tuple(
        finding
        for each in (rendered.subscription, rendered.group)
        for finding in lint_text(texts[each.template_file], each.parameters, place=place, source=each.template_file)
    )


def refuse_unsound(rendered: Rendered, stack: Stack) -> None:
    """Raise TemplateInvalid when Azure could not deploy it."""
    if errors := blocking(template_findings(rendered, stack)):
        raise TemplateInvalid(
            f"Azure could not deploy what this stack becomes: {len(errors)} error{'' if len(errors) == 1 else 's'}",
            findings=errors,
            fix="mend the stack where the findings point; when it says nothing wrong, this is a bug in hdictl",
        )
