"""docs/stack-file.md: the stack that it shows holds, and so does every piece laid over it."""

from __future__ import annotations

import datetime
import json
import re
from pathlib import Path

import pytest

from hdictl.stack.check import check
from hdictl.stack.explain import known_keys
from hdictl.stack.finding import Severity
from hdictl.stack.load import load
from hdictl.stack.source import read
from tests.unit.stack.public_keys import RSA

PAGE = (Path(__file__).parents[3] / "docs" / "stack-file.md").read_text(encoding="utf-8")
WHOLE, *PIECES = re.findall(r"^```yaml\n(.*?)^```", PAGE, re.S | re.M)
ENVIRON = {"AZURE_SUBSCRIPTION_ID": "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0"}
SCHEMA = {"type": "record", "name": "PageView", "fields": [{"name": "page", "type": "string"}]}


def _file(path: Path) -> str:
    """What the page names and nobody has here."""
    return RSA if path.suffix == ".pub" else json.dumps(SCHEMA)


def _found(folder, target, piece=None):
    (folder / "stack.yaml").write_text(WHOLE, encoding="utf-8")
    (folder / "stack.piece.yaml").write_text(piece or "{}\n", encoding="utf-8")
    loaded = load(folder / "stack.yaml", env="piece" if piece else None, target=target, environ=ENVIRON)
    return check(loaded, today=datetime.date(2026, 1, 1), environ=ENVIRON, target=target, read_text=_file)


@pytest.mark.parametrize("target", ["local", "docker", "azure"])
def test_the_whole_stack_holds(tmp_path, target):
    assert _found(tmp_path, target) == ()


@pytest.mark.parametrize("target", ["local", "docker", "azure"])
@pytest.mark.parametrize("piece", PIECES, ids=lambda piece: f"line-{PAGE[: PAGE.index(piece)].count(chr(10)) + 1}")
def test_every_piece_holds(tmp_path, target, piece):
    found = [finding for finding in _found(tmp_path, target, piece) if not finding.waived]
    assert [str(finding) for finding in found if finding.severity is Severity.ERROR] == []
    unsaid = [str(finding) for finding in found if f"({finding.rule})" not in PAGE]
    assert unsaid == [], "the page does not say that this warns"


def test_every_section_and_every_key_of_a_cluster_is_shown():
    shown = {"stack"}
    for block in (WHOLE, *PIECES):
        shown |= set(_keys(read(block, "page").data))
    wanted = {key for key in known_keys() if key.count(".") < 3 and not key.endswith("*") and ".config." not in key}
    # Said in words.
    in_words = {"secrets.ssh.password", "secrets.gateway.env"}
    assert wanted - shown - in_words == set()


def _keys(data, prefix=""):
    """Keys as `explain` names them: `*` for what a person names."""
    for key, value in data.items():
        is_named = prefix in (
            "clusters.",
            "topics.",
            "deleted.",
            "jobs.",
            "mirrors.",
            "network.",
            "storage.",
            "waivers.",
        )
        path = f"{prefix}{'*' if is_named and key != 'defaults' else key}"
        yield path
        if isinstance(value, dict):
            yield from _keys(value, f"{path}.")
