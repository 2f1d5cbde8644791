"""`hdictl render`."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from hdictl.main import run

GOLDEN = Path(__file__).parent / "golden"
FILES = ["group.parameters.json", "group.template.json", "subscription.parameters.json", "subscription.template.json"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name in ("stack.yaml", "key.pub"):
        shutil.copy(GOLDEN / name, tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_it_writes_templates_and_says_how_to_deploy_them(folder, capsys):
    assert run(["render"]) == 0
    assert sorted(file.name for file in (folder / "rendered").iterdir()) == FILES
    for name in FILES:
        assert (folder / "rendered" / name).read_bytes() == (GOLDEN / name).read_bytes()
    said = capsys.readouterr().out
    assert "az deployment sub create" in said
    assert "az deployment group create" in said
    assert "note: the vault kv-shop must allow deployments" in said


def test_json(folder, capsys):
    assert run(["render", "--out", "elsewhere", "--json"]) == 0
    body = json.loads(capsys.readouterr().out)
    assert (body["command"], body["version"], body["resources"], body["secrets"]) == ("render", 1, 12, [])
    assert [Path(file).name for file in body["files"]] == sorted(FILES, reverse=True)
    assert all(Path(file).is_file() for file in body["files"])
    assert len(body["commands"]) == 2


def test_an_overlay_is_another_template(folder):
    (folder / "stack.prod.yaml").write_text("clusters: {ingest: {workers: {count: 12}}}\n")
    assert run(["render", "--env", "prod"]) == 0
    assert '"targetInstanceCount": 12' in (folder / "rendered" / "group.template.json").read_text()


def test_a_stack_that_does_not_hold_writes_nothing(folder, capsys):
    (folder / "key.pub").unlink()
    assert run(["render"]) == 4
    assert "key.pub" in capsys.readouterr().err
    assert not (folder / "rendered").exists()


def test_a_stack_that_lives_nowhere_on_azure(folder, capsys):
    (folder / "stack.yaml").write_text("stack: s\nclusters: {a: {kind: kafka, bootstrap: ['b:9092']}}\n")
    assert run(["render"]) == 2
    assert "stack `s` does not say where on Azure it lives" in capsys.readouterr().err


def test_no_secret_is_written_or_said(folder, capsys, monkeypatch):
    canary = "Canary-9-Pa55word"
    monkeypatch.setenv("GATEWAY_PASSWORD", canary)
    text = (folder / "stack.yaml").read_text().replace("{keyvault: kv-shop, name: gateway}", "{env: GATEWAY_PASSWORD}")
    (folder / "stack.yaml").write_text(text)
    assert run(["render"]) == 0
    said = capsys.readouterr()
    assert canary not in said.out + said.err
    assert "gatewayPassword comes from the environment" in said.out
    for file in folder.rglob("*"):
        assert file.is_dir() or canary not in file.read_text()


def test_a_folder_that_cannot_be_made(folder, capsys):
    (folder / "rendered").write_text("a file is in the way")
    assert run(["render"]) == 1
    assert "rendered" in capsys.readouterr().err
