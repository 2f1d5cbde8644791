"""What `check` found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.markup import escape

from hdictl.show.terminal import out, print_json
from hdictl.stack.finding import Finding, Severity, blocking

_COLOUR = {Severity.ERROR: "red", Severity.WARNING: "yellow"}


def show_findings(findings: Sequence[Finding], *, subject: str, as_json: bool) -> None:
    if as_json:
        body = {"stack": subject, "ok": not blocking(findings), "findings": findings_json(findings)}
        print_json("check", body)
        return
    print_findings(findings)
    print_summary(findings, subject=subject)


def print_findings(findings: Sequence[Finding], *, console: Console = out) -> None:
    """One finding, two lines: file:line in front, so that editors and terminals can jump there."""
    for finding in findings:
        if finding.waived is not None:
            console.print(f"{escape(str(finding.mark))}: [dim]waived {finding.rule} {escape(finding.message)}[/dim]")
            console.print(f"  [dim]({escape(finding.waived)})[/dim]")
            continue
        colour = _COLOUR[finding.severity]
        console.print(
            f"{escape(str(finding.mark))}: [{colour}]{finding.severity.value}[/{colour}] "
            f"[bold]{finding.rule}[/bold] {escape(finding.address)}: {escape(finding.message)}"
        )
        console.print(f"  → {escape(finding.fix)}")


def print_summary(findings: Sequence[Finding], *, subject: str) -> None:
    errors, warnings, waived = counts(findings)
    if not (errors or warnings):
        extra = f" ({waived} waived)" if waived else ""
        out.print(f"[green]✓[/green] {escape(subject)} holds{extra}")
        return
    out.print(f"\n{errors} error{'' if errors == 1 else 's'}, {warnings} warning{'' if warnings == 1 else 's'}", end="")
    out.print(f", {waived} waived" if waived else "")


def counts(findings: Sequence[Finding]) -> tuple[int, int, int]:
    live = [finding for finding in findings if finding.waived is None]
    errors = sum(1 for finding in live if finding.severity is Severity.ERROR)
    return errors, len(live) - errors, len(findings) - len(live)


def findings_json(findings: Sequence[Finding]) -> list[dict[str, Any]]:
    return [
        {
            "rule": finding.rule,
            "severity": finding.severity.value,
            "address": finding.address,
            "message": finding.message,
            "fix": finding.fix,
            "file": finding.mark.file,
            "line": finding.mark.line,
            "waived": finding.waived,
        }
        for finding in findings
    ]
