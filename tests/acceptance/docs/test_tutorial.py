"""The tutorial and the README's tour, followed start to end on this machine."""

from __future__ import annotations

from tests.acceptance.docs.followed import blocks, follow


def test_the_tutorial(running):
    follow("docs/tutorial.md", running())


def test_the_tour_of_the_readme(running):
    workspace = running()

    def change(text: str) -> None:
        """The README says in words how the file changes; the tutorial has the file."""
        if "topics tail" in text:
            (changed,) = [
                yaml for language, yaml in blocks("docs/tutorial.md") if "clicks:" in yaml and language == "yaml"
            ]
            workspace.write(changed)

    follow("README.md", workspace, after=change)
