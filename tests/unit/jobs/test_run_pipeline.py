"""The entry point: what it says when a job may not start, before there is a Spark."""

from __future__ import annotations

import pytest
from run_pipeline import FAILED, REFUSED, main, text_of, told
from streamkit.errors import JobError


@pytest.mark.parametrize(
    ("spec", "said"),
    [("{}", "not a job document of version 2"), ("no/such/file.json", "No such file"), ("{", "not JSON")],
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


def test_the_next_step_is_in_the_first_line_and_details_follow(capsys):
    assert told(JobError("it differs\n- a\n+ b", "mend it"), FAILED) == FAILED
    assert capsys.readouterr().err == "JobError: it differs → mend it\n- a\n+ b\n"
