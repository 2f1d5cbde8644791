"""From the shared options to a checked stack and its target."""

from __future__ import annotations

import datetime
import os
from dataclasses import dataclass
from pathlib import Path

from hdictl import targets
from hdictl.errors import NotConfirmed, StackInvalid, TargetUnsupported, UsageError
from hdictl.plan.wishes import PlanPart, Wishes
from hdictl.ports.target import Infrastructure, Target
from hdictl.stack.check import check
from hdictl.stack.check.context import is_known
from hdictl.stack.clusters import AnyCluster
from hdictl.stack.finding import Finding, blocking
from hdictl.stack.load import Loaded, load
from hdictl.stack.model import Stack
from hdictl.stack.suggest import did_you_mean


@dataclass(frozen=True)
class Session:
    stack: Stack
    target: Target
    file: Path
    env: str | None


def open_stack(file: Path, env: str | None, target: str) -> Session:
    """Load and check; an error in the stack stops every command in the same way."""
    loaded, findings = checked(file, env, target)
    errors = blocking(findings)
    if errors or loaded.stack is None:
        raise _invalid(errors)
    return Session(loaded.stack, targets.choose(target, loaded.stack, file, env), file, env)


def open_named(file: Path, env: str | None, target: str) -> Session:
    """For commands that look at what runs, or end it: which file it is says enough, whatever is wrong inside."""
    stack = load(file, env=env, target=target, environ=os.environ).stack or Stack(stack="unreadable")
    return Session(stack, targets.choose(target, stack, file, env), file, env)


def open_placed(file: Path, env: str | None) -> Session:
    """The same for what is on Azure: it is found by the stack's name and place, whatever else is wrong inside."""
    loaded, findings = checked(file, env, "azure")
    errors, stack = blocking(findings), loaded.stack
    if stack is None or (errors and not _is_placed(stack)):
        raise _invalid(errors)
    if errors:
        from hdictl.show.terminal import say

        say(f"the stack does not hold ({len(errors)} found by `hdictl check`): only what can be read of it counts")
    return Session(stack, targets.choose("azure", stack, file, env), file, env)


def _is_placed(stack: Stack) -> bool:
    azure = stack.azure
    return azure is not None and all(map(is_known, (stack.stack, azure.subscription, azure.resource_group)))


def _invalid(errors: tuple[Finding, ...]) -> StackInvalid:
    count = len(errors)
    return StackInvalid(
        f"the stack does not hold: {count} error{'' if count == 1 else 's'}",
        findings=errors,
        fix="mend them; `hdictl check` shows all, with warnings",
    )


def checked(file: Path, env: str | None, target: str) -> tuple[Loaded, tuple[Finding, ...]]:
    loaded = load(file, env=env, target=target, environ=os.environ)
    today = datetime.datetime.now(tz=datetime.timezone.utc).date()
    return loaded, check(loaded, today=today, environ=os.environ, target=target)


def checked_template(template: Path, parameters: Path | None) -> tuple[Finding, ...]:
    """What is wrong with an ARM template, whoever wrote it."""
    from hdictl.arm.lint import lint_file_text

    text = template.read_text(encoding="utf-8", errors="replace")
    stated = parameters.read_text(encoding="utf-8", errors="replace") if parameters is not None else None
    return lint_file_text(text, stated, str(template))


def unsound(stack: Stack, file: Path) -> tuple[Finding, ...]:
    """What is wrong with the templates that a stack becomes."""
    from hdictl.arm.render import render
    from hdictl.arm.sound import template_findings
    from hdictl.drivers.ssh_key import public_key

    if stack.azure is None:
        return ()
    return template_findings(render(stack, public_key=public_key(stack, file.resolve().parent)), stack)


def infrastructure_of(session: Session) -> Infrastructure:
    """What makes the stack's clusters, for commands that are about nothing else."""
    found = session.target.infrastructure()
    if found is None:
        raise TargetUnsupported(
            f"nothing of this stack is made on target {session.target.name}",
            fix="add an `azure` section and use --target azure; on this machine: hdictl up, hdictl down",
        )
    return found


def wished(
    stack: Stack, *, delete_topics: bool = False, replace: list[str] | None = None, skip: list[PlanPart] | None = None
) -> Wishes:
    """What the options allow; a cluster that does not exist is noticed here."""
    for key in replace or ():
        named_cluster(stack, key)
    return Wishes(delete_topics=delete_topics, replace=frozenset(replace or ()), skip=frozenset(skip or ()))


def named_cluster(stack: Stack, key: str, *, kafka: bool = False) -> AnyCluster:
    """The cluster that somebody means; with `kafka`, one of another kind is none."""
    known = stack.kafka_clusters if kafka else stack.clusters
    if key not in known:
        raise UsageError(
            f"there is no {'Kafka ' if kafka else ''}cluster `{key}`{did_you_mean(key, known)}",
            where=f"stack `{stack.stack}`",
            fix=f"it is one of {', '.join(known)}" if known else "add one under `clusters`",
        )
    return stack.clusters[key]


def confirm(question: str, *, yes: bool) -> None:
    """Ask on a terminal; elsewhere say which flag is missing."""
    from hdictl.show.terminal import is_interactive

    if yes:
        return
    if not is_interactive():
        raise NotConfirmed(question, fix="there is no terminal to ask on: give --yes")
    import typer

    if not typer.confirm(f"{question}\nGo on?", default=False, err=True):
        raise NotConfirmed("not confirmed; nothing was touched")
