"""Pages that are generated from the program. `make docs` writes them; a test keeps them in step."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from typer.main import get_command
from typer.testing import CliRunner

from hdictl import errors
from hdictl.arm.lint.page import lint_page
from hdictl.main import app
from hdictl.plan.page import changes_page
from hdictl.stack.check.page import rules_page

DOCS = Path(__file__).resolve().parents[3] / "docs"


@cache
def commands_page() -> str:
    parts = ["# Commands", "", "Made from `--help`; every command has `--help`.", ""]
    for words in _commands(get_command(app), ()):
        shown = CliRunner().invoke(app, [*words, "--help"], env={"COLUMNS": "100"}, prog_name="hdictl").output
        parts += [f"## {' '.join(('hdictl', *words))}", "", "```text", shown.rstrip(), "```", ""]
    return "\n".join(parts)


def _commands(command: object, words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    yield words
    for name, inner in getattr(command, "commands", {}).items():
        yield from _commands(inner, (*words, name))


def errors_page() -> str:
    tree = inspect.cleandoc(errors.__doc__ or "")
    return f"# Errors and exit codes\n\nMade from `errors.py`.\n\n```text\n{tree}\n```\n"


PAGES = {
    "changes.md": changes_page,
    "commands.md": commands_page,
    "errors.md": errors_page,
    "rules.md": rules_page,
    "template-lint.md": lint_page,
}

if __name__ == "__main__":
    for name, page in PAGES.items():
        (DOCS / name).write_text(page(), encoding="utf-8")
