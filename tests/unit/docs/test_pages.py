"""What the docs say and what the program says are the same."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

from hdictl import errors
from tests.unit.docs.pages import DOCS, PAGES, commands_page

ROOT = DOCS.parent


@pytest.mark.parametrize("name", PAGES)
def test_generated_pages_are_in_step(name):
    assert (DOCS / name).read_text(encoding="utf-8") == PAGES[name](), "run `make docs`"


def test_every_error_class_stands_in_the_tree_with_its_id_and_exit_code():
    tree = errors.__doc__ or ""
    for name, kind in vars(errors).items():
        if inspect.isclass(kind) and issubclass(kind, errors.HdictlError) and kind is not errors.HdictlError:
            (line,) = [line for line in tree.splitlines() if re.search(rf"── {name}\s", line)]
            assert kind.id in line
            assert (f"exit {kind.exit_code}" in line) == (kind.exit_code != errors.EXIT_FAILED), line


def test_error_ids_are_unique():
    kinds = [kind for kind in vars(errors).values() if inspect.isclass(kind) and issubclass(kind, errors.HdictlError)]
    assert len({kind.id for kind in kinds}) == len(kinds)


def test_every_command_has_an_example():
    for part in commands_page().split("\n## ")[1:]:
        title = part.splitlines()[0]
        assert "Example: " in part or "Commands:" in part, f"{title} has no example"


def test_links_lead_somewhere():
    for page in [ROOT / "README.md", *DOCS.rglob("*.md")]:
        for target, anchor in re.findall(r"\]\(([^)#]*?)(?:#([^)]*))?\)", page.read_text(encoding="utf-8")):
            if "://" in target:
                continue
            there = page.parent / target if target else page
            assert there.exists(), f"{page.name} links to {target}, which is not there"
            assert not anchor or anchor in headings(there), f"{page.name} links to #{anchor} of {there.name}"


def headings(page: Path) -> set[str]:
    """As links name them: lower case, without signs, hyphens for blanks."""
    titles = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_commands_in_readme_and_docs_exist():
    """Each `hdictl word …` in a shell block is a command of this program."""
    known = {line.split("hdictl ", 1)[1] for line in commands_page().splitlines() if line.startswith("## hdictl ")}
    for page in [ROOT / "README.md", *DOCS.rglob("*.md")]:
        for block in re.findall(r"```(?:sh|bash|console)\n(.*?)```", page.read_text(encoding="utf-8"), re.S):
            for words in re.findall(r"^(?:\$ )?(?:.*\| )?hdictl ((?:[a-z][a-z-]*)(?: [a-z][a-z-]*)?)", block, re.M):
                assert words in known or words.split()[0] in known, f"{page.name}: hdictl {words}"
