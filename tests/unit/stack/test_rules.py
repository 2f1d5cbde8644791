"""Every rule: a stack that breaks it, and the same stack mended."""

from __future__ import annotations

import pytest

from hdictl.stack.check import RULES
from tests.unit.stack.cases import CASES, FILES, Case
from tests.unit.stack.stacks import checked


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("rules")
    for name, text in FILES.items():
        (made / name).write_text(text, encoding="utf-8")
    return made


def _id(case: Case) -> str:
    return f"{case.rule}-{CASES.index(case)}"


@pytest.mark.parametrize("case", CASES, ids=_id)
def test_broken(case, folder):
    found = checked(folder, case.broken, target=case.target, environ=case.environ)
    ours = [finding for finding in found if finding.rule == case.rule]
    assert ours, f"{case.rule} is silent; found: {[str(finding) for finding in found]}"
    assert case.line in [finding.mark.line for finding in ours]
    assert {finding.severity for finding in ours} == {RULES[case.rule].severity}
    assert any(case.says in finding.message for finding in ours), [finding.message for finding in ours]
    assert all(finding.fix and len(finding.message) < 400 for finding in ours)


@pytest.mark.parametrize("case", CASES, ids=_id)
def test_mended(case, folder):
    found = checked(folder, case.mended, target=case.target, environ=case.environ)
    assert [str(finding) for finding in found if finding.rule not in case.waived] == []


def test_every_rule_has_a_case():
    looked = {id for id, rule in RULES.items() if not id.startswith("S")}
    assert looked - {case.rule for case in CASES} == set()


def test_defaults_are_blamed_once(folder):
    text = "topics:\n  defaults: {partitions: 1}\n  a: {}\n  b: {}\n  c: {partitions: 2}\n"
    text = f"stack: d\nclusters: {{kk: {{kind: kafka}}}}\n{text}"
    found = [finding for finding in checked(folder, text) if finding.rule == "T002"]
    assert [(finding.address, finding.mark.line) for finding in found] == [("topic:defaults", 4), ("topic:c", 7)]


def test_identity_circle_of_three(folder):
    clusters = ", ".join(f"{name}: {{kind: kafka}}" for name in ("aa", "bb", "cc"))
    mirrors = "".join(
        f"  {source}-{target}: {{from: {source}, to: {target}, policy: identity}}\n"
        for source, target in (("aa", "bb"), ("bb", "cc"), ("cc", "aa"))
    )
    found = checked(folder, f"stack: d\nclusters: {{{clusters}}}\nmirrors:\n{mirrors}")
    assert [finding.rule for finding in found] == ["M005"] * 3


def test_a_password_is_never_shown(folder):
    secret = "hunter2-is-weak"
    text = "stack: d\nclusters: {kk: {kind: kafka}}\nsecrets: {gateway: {env: G}}\n"
    found = checked(folder, text, environ={"G": secret})
    assert [finding.rule for finding in found] == ["U005"]
    assert secret not in repr(found)


def test_names_on_azure_do_not_matter_to_a_stack_that_never_goes_there(folder):
    text = "stack: d\nclusters: {ingest: {kind: kafka}, ingest-north: {kind: kafka}}\n"
    assert checked(folder, text) == ()
    assert "N004" in [finding.rule for finding in checked(folder, text, target="azure")]


def test_defaults_for_compacted_topics_do_not_bother_the_others(folder):
    text = (
        "stack: d\nclusters: {kk: {kind: kafka}}\ntopics:\n  defaults: {config: {min.compaction.lag.ms: 1h}}\n  a: {}\n"
    )
    assert checked(folder, text) == ()
