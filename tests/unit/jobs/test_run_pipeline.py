"""The entry point: what it says when a job may not start, before there is a Spark."""

from __future__ import annotations

import json

import pytest
from run_pipeline import FAILED, REFUSED, main, text_of, told
from streamkit.errors import JobError

from hdictl.drivers.livy.argument import packed
from tests.fakes.livy.yarn import as_yarn_passes_it_on


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("{}", "not a job document of version 2"),
        ("no/such/file.json", "No such file"),
        ("{", "not JSON"),
        ("z:", "damaged on its way"),
        ("z:{nonsense}", "damaged on its way"),
        (packed({"a": {"b": 1}})[:-8], "damaged on its way"),
        (packed({"a": {"b": 1}}).replace("e", "f", 1), "damaged on its way"),
        (packed({}), "not a job document of version 2"),
    ],
)
def test_a_document_that_cannot_be_used_is_refused_in_one_line(spec, said, capsys):
    assert main(["--spec", spec]) == REFUSED
    error = capsys.readouterr().err
    assert error.startswith("JobError: ")
    assert said in error
    assert error.count("\n") == 1


def test_the_document_is_a_file_or_the_argument_itself(tmp_path):
    file = tmp_path / "spec.json"
    file.write_text('{"in": "a file"}')
    assert text_of(str(file)) == '{"in": "a file"}'
    assert text_of(' {"in": "place"}') == ' {"in": "place"}'


@pytest.mark.parametrize("document", [{}, {"a": {"b": {"c": "}} {{ <CPS> <LOG_DIR> ' \" $HOME é"}}}])
def test_packed_it_comes_through_what_yarn_does_to_arguments(document):
    argument = packed(document)
    assert as_yarn_passes_it_on(argument) == argument
    assert json.loads(text_of(argument)) == document
    assert as_yarn_passes_it_on(json.dumps({"a": {"b": 1}})) == '{"a": {"b": 1'


def test_the_next_step_is_in_the_first_line_and_details_follow(capsys):
    assert told(JobError("it differs\n- a\n+ b", "mend it"), FAILED) == FAILED
    assert capsys.readouterr().err == "JobError: it differs → mend it\n- a\n+ b\n"
