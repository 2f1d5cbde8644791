"""Whatever a stack file holds, load and check answer with findings that have a place, and never with a traceback."""

from __future__ import annotations

import datetime
import random
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hdictl.errors import HdictlError
from hdictl.stack.check import RULES, check
from hdictl.stack.load import load
from hdictl.stack.topics import deleted_topics, resolved_topics

STACKS = sorted(Path(__file__).parent.joinpath("stacks").glob("*.yaml"))
TEXTS = [file.read_text(encoding="utf-8") for file in STACKS]
TODAY = datetime.date(2026, 6, 1)
ENVIRON = {"AZURE_SUBSCRIPTION_ID": "nonsense", "G": "weak"}

_quick = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
_targets = st.sampled_from(["local", "docker", "azure"])
_scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**30), 10**30),
    st.floats(),
    st.text(max_size=40),
    st.sampled_from(
        ["", "x" * 3000, "9" * 3000, "9" * 3000 + "d", "${G}", "${", "$${a}", "../..", "\x00", "2026-02-31", "*", "(",
         "3d", "0.0.0.0/0", "::/0", "10.0.0.0/33", "kafka", "default", "a.b_c", "é", "-1", "1e999", "1001",
         "~nobody/id.pub", "~", "/dev/null", "https://", "ldaps://:636", "/subscriptions//", "westus", "true", "08:00"]
    ),
)  # fmt: skip
_junk = st.recursive(
    _scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.one_of(st.text(max_size=12), st.just("kind")), inner, max_size=4),
    ),
    max_leaves=8,
)
_tokens = st.sampled_from(
    ["stack", "clusters", "topics", "defaults", "jobs", "mirrors", "waivers", "deleted", "kind", "kafka", "config",
     ": ", ":", "- ", "\n", "\n  ", "\n    ", "{", "}", "[", "]", ", ", "&a ", "*a", "!!str ", "'", '"', "|", ">", "#",
     "---\n", "${X}", "~", "1", "no", "<<", "? ", "\t", "%YAML 1.1\n", "\ufeff", "\x85", "\u2028"]
)  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("malformed")


def _answers(folder: Path, text: str, target: str) -> None:
    """Load and check hold their promises for this text."""
    file = folder / "stack.yaml"
    file.write_bytes(text.encode("utf-8", "surrogatepass"))
    try:
        loaded = load(file, target=target, environ=ENVIRON)
    except HdictlError as error:
        assert error.what and error.fix
        return
    found = check(loaded, today=TODAY, environ=ENVIRON, target=target)
    lines = max(1, len(text.splitlines()))
    for finding in found:
        assert finding.rule in RULES
        assert 1 <= finding.mark.line <= lines, finding
        assert finding.message and finding.fix and len(finding.message) < 1000
    assert [(finding.mark.file, finding.mark.line) for finding in found] == sorted(
        (finding.mark.file, finding.mark.line) for finding in found
    )
    if loaded.stack is not None and not found:
        resolved_topics(loaded.stack)
        deleted_topics(loaded.stack)


@given(text=st.text(max_size=200), target=_targets)
@_quick
def test_any_text(folder, text, target):
    _answers(folder, text, target)


@given(tokens=st.lists(_tokens, max_size=40), target=_targets)
@_quick
def test_text_that_looks_like_yaml(folder, tokens, target):
    _answers(folder, "stack: d\n" + "".join(tokens), target)


@given(text=st.sampled_from(TEXTS), seed=st.randoms(use_true_random=False), target=_targets)
@_quick
def test_stacks_with_slips_of_the_hand(folder, text, seed, target):
    _answers(folder, _slipped(text, seed), target)


@given(text=st.sampled_from(TEXTS), junk=st.lists(_junk, min_size=1, max_size=4), seed=st.randoms(), target=_targets)
@_quick
def test_stacks_with_wrong_values(folder, text, junk, seed, target):
    data = yaml.safe_load(text)
    for value in junk:
        _put_somewhere(data, value, seed)
    _answers(folder, yaml.safe_dump(data, allow_unicode=True), target)


def _slipped(text: str, seed: random.Random) -> str:
    lines = text.splitlines()
    for _ in range(seed.randint(1, 4)):
        at = seed.randrange(len(lines))
        line = lines[at]
        slip = seed.choice(["drop", "twice", "indent", "character", "cut", "swap"])
        if slip == "drop" and len(lines) > 1:
            del lines[at]
        elif slip == "twice":
            lines.insert(at, line)
        elif slip == "indent":
            lines[at] = " " * seed.randint(0, 6) + line.lstrip()
        elif slip == "character" and line:
            position = seed.randrange(len(line))
            lines[at] = line[:position] + seed.choice(":{}[],#&*!|>'\"%@`-? 0x\t$") + line[position + 1 :]
        elif slip == "cut":
            lines[at] = line[: seed.randrange(len(line) + 1)]
        else:
            other = seed.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
    return "\n".join(lines) + "\n"


def _put_somewhere(data: dict, value: object, seed: random.Random) -> None:
    """Replace, or add, one value anywhere in the data."""
    here = data
    while True:
        key = seed.choice(list(here))
        inner = here[key]
        if isinstance(inner, dict) and inner and seed.random() < 0.8:
            here = inner
        elif seed.random() < 0.8:
            here[key] = value
            return
        else:
            here[seed.choice(["name", "cluster", "config", "x", "defaults", "1003"])] = value
            return
