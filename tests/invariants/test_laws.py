"""Laws that hold for every example stack, on real clusters: apply leaves an empty plan, a second apply changes nothing,
an interrupted apply resumes, and an imported cluster is the stack it came from."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
import yaml

from hdictl.stack.check import check
from hdictl.stack.load import load
from hdictl.stack.topics import resolved_topics
from tests.workspace import Workspace

STACKS = sorted((Path(__file__).parent / "stacks").glob("*.yaml"))
DEMO = Path(__file__).parents[2] / "templates" / "demo" / "stack.yaml"


@pytest.mark.parametrize("file", [*STACKS, DEMO], ids=lambda file: file.stem)
def test_the_laws(file: Path, running, tmp_path):
    workspace: Workspace = running()
    for part in file.parent.iterdir():
        target = workspace.folder / part.name
        shutil.copytree(part, target) if part.is_dir() else shutil.copy(part, target)
    shutil.copy(file, workspace.folder / "stack.yaml")
    loaded = load(workspace.folder / "stack.yaml", environ=os.environ)
    assert loaded.stack is not None
    assert check(loaded, today=_day(), environ={}) == ()
    topics = resolved_topics(loaded.stack)

    workspace.run("up", "--no-topics").ok()
    if topics:
        # An apply that is ended in its midst leaves nothing that the next one cannot finish.
        journal = workspace.folder / "state" / "locks"
        cut = workspace.interrupted("apply", when=lambda: any(journal.glob("*.holder")))
        assert cut.code in (0, 130), cut  # a small stack may be done before anybody can interrupt it
        assert "Traceback" not in cut.err
        workspace.run("apply").ok()
    workspace.run("plan").ok()
    again = workspace.run("apply", "--json").ok().json
    assert again["changed"] == 0

    for cluster in sorted({topic.cluster for topic in topics}):
        section = yaml.safe_load(workspace.run("topics", "import", "--cluster", cluster).ok().out)["topics"]
        assert set(section) - {"defaults"} == {topic.name for topic in topics if topic.cluster == cluster}
    workspace.run("down").ok()
    assert workspace.run("status", "--json").ok().json["clusters"] == []


def _day():
    import datetime

    return datetime.date(2027, 1, 1)
