"""Expressions: text to a tree, and back."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hdictl.arm.evaluate import Scope, resolve
from hdictl.arm.expression import (
    Access,
    BadExpression,
    Call,
    Literal,
    escaped,
    is_expression,
    parse,
    to_text,
    unescaped,
)

NAMES = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,8}", fullmatch=True)
LITERALS = st.one_of(st.text(max_size=12), st.integers(-10_000, 10_000)).map(Literal)
EXPRESSIONS = st.recursive(
    LITERALS,
    lambda inner: st.one_of(
        st.builds(Call, NAMES, st.lists(inner, max_size=4).map(tuple)),
        st.builds(Access, st.builds(Call, NAMES, st.lists(inner, max_size=2).map(tuple)), inner),
        st.builds(Access, st.builds(Call, NAMES), NAMES.map(Literal)),
    ),
    max_leaves=20,
)


@given(EXPRESSIONS)
def test_what_is_written_is_read_again(expression):
    assert parse(to_text(expression)) == expression


@given(st.text(max_size=30))
def test_any_text_survives_a_template(text):
    assert not is_expression(escaped(text))
    assert unescaped(escaped(text)) == text
    assert resolve(escaped(text), Scope()) == escaped(text)


@given(st.text(alphabet="[]()'.,a1 ", max_size=15))
def test_any_brackets_are_read_or_refused(text):
    try:
        found = parse(f"[{text}]")
    except BadExpression as error:
        assert text in str(error) or f"[{text}]" in str(error)
    else:
        assert parse(to_text(found)) == found


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[concat('a', 'b'", "is not in brackets"),
        ("[concat('a', 'b']", "a `)` is missing"),
        ("[concat('a' 'b')]", "`,` was expected"),
        ("[concat('a'))]", "is one too many"),
        ("[]", "ends too early"),
        ("[parameters('a').]", "the name of a property was expected"),
        ("[concat('a]", "cannot be read"),
    ],
)
def test_faults_are_named(text, said):
    with pytest.raises(BadExpression, match=re.escape(said)):
        parse(text)
