"""Failures for people and for machines."""

from __future__ import annotations

from typing import cast

from rich.markup import escape

from hdictl.errors import HdictlError, StackInvalid, TemplateInvalid
from hdictl.show.findings import findings_json, print_findings
from hdictl.show.terminal import err, print_json
from hdictl.stack.finding import Finding


def show_error(error: HdictlError, *, as_json: bool) -> None:
    findings: tuple[Finding, ...] = ()
    if isinstance(error, (StackInvalid, TemplateInvalid)):
        findings = cast("tuple[Finding, ...]", error.findings)
    if as_json:
        print_json("error", {"error": error_json(error), "findings": findings_json(findings)})
        return
    if findings:
        print_findings(findings, console=err)
    where = f"{escape(error.where)}: " if error.where else ""
    err.print(f"[bold red]error[/bold red] [dim]{error.id}[/dim] {where}{escape(error.what)}")
    if error.fix:
        err.print(f"  → {escape(error.fix)}")


def error_json(error: HdictlError) -> dict[str, str | None]:
    return {"id": error.id, "what": error.what, "where": error.where, "fix": error.fix}
