"""How a trial went: what came beside what should have."""

from __future__ import annotations

import base64

from hdictl.streaming.fixtures import Expected
from hdictl.streaming.trial import FlowTrial, Trial, judged, to_letters, to_line


def output(*rows: dict, **totals: int) -> dict:
    return {"role": "output", "rows": list(rows), "totals": totals}


def letters(*values: tuple[bytes, str]) -> dict:
    found = [{"value": base64.b64encode(value).decode(), "error": error, "offset": 0} for value, error in values]
    return {"role": "dead_letters", "letters": found, "totals": {}}


def expected(rows: dict | None = None, letters: list | None = None, counts: dict | None = None) -> Expected:
    return Expected(rows or {}, letters, counts or {})


def test_rows_in_any_order_with_keys_in_any_order_are_green():
    [flow] = judged({"f": output({"a": 1, "b": 2}, {"a": 2})}, expected({"f": [{"a": 2}, {"b": 2, "a": 1}]}))
    assert flow == FlowTrial("f", 2, (), (), (), is_checked=True)
    assert flow.is_green


def test_what_is_missing_and_what_is_too_much():
    [flow] = judged({"f": output({"a": 1}, {"a": 1}, {"b": 1})}, expected({"f": [{"a": 1}, {"c": "ü"}]}))
    assert (flow.missing, flow.surplus) == (('{"c": "ü"}',), ('{"a": 1}', '{"b": 1}'))
    assert not flow.is_green


def test_amounts_that_differ_are_named_and_those_that_nobody_names_do_not_matter():
    [flow] = judged({"f": output(valid=3, late_rows=1)}, expected({"f": []}, counts={"f": {"valid": 2, "dead": 1}}))
    assert flow.counts == (("valid", 2, 3), ("dead", 1, 0))
    assert not flow.is_green


def test_a_flow_of_which_nothing_is_expected_is_green_and_not_checked():
    [flow] = judged({"f": output({"a": 1})}, expected())
    assert (flow.rows, flow.is_green, flow.is_checked) == (1, True, False)


def test_a_flow_whose_amounts_alone_are_expected_is_checked():
    [right] = judged({"f": output({"a": 1}, valid=1)}, expected(counts={"f": {"valid": 1}}))
    [wrong] = judged({"f": output({"a": 1}, valid=1)}, expected(counts={"f": {"valid": 2}}))
    assert (right.is_checked, right.is_green) == (True, True)
    assert (wrong.is_checked, wrong.is_green) == (True, False)


def test_dead_letters_are_shown_as_text_where_they_are():
    found = {"a_dead_letters": letters((b"x", "malformed"), (b"\xff", "empty"))}
    assert to_letters(found) == [{"value": "x", "error": "malformed"}, {"base64": "/w==", "error": "empty"}]


def test_dead_letters_of_several_sources_name_theirs():
    found = {"a_dead_letters": letters((b"x", "e")), "b_dead_letters": letters((b"y", "e"))}
    assert [each["source"] for each in to_letters(found)] == ["a", "b"]


def test_dead_letters_that_nobody_expects_are_shown_and_those_that_do_not_come_are_missed():
    found = {"f": output(), "a_dead_letters": letters((b"x", "e"))}
    assert [flow.name for flow in judged(found, expected({"f": []}))] == ["f", "dead_letters"]
    assert [flow.name for flow in judged({"f": output()}, expected({"f": []}))] == ["f"]
    [_flow, dead] = judged({"f": output()}, expected({"f": []}, letters=[{"value": "x", "error": "e"}]))
    assert dead.missing == ('{"error": "e", "value": "x"}',)


def test_a_trial_is_as_green_as_all_its_flows():
    green = FlowTrial("f", 0, (), (), (), is_checked=True)
    red = FlowTrial("g", 0, ("x",), (), (), is_checked=True)
    assert Trial("p", "3.3.1", 1, 1, (green,), 1.0).is_green
    assert not Trial("p", "3.3.1", 1, 1, (green, red), 1.0).is_green


def test_a_row_is_one_line_whatever_is_in_it():
    assert to_line({"b": "ü\n", "a": None}) == '{"a": null, "b": "ü\\n"}'
