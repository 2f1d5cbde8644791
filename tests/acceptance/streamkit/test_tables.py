"""Tables that stand still: what was read when the job started holds, whatever becomes of the file."""

from __future__ import annotations

import pytest

from tests.acceptance.streamkit.streams import a_job, event, events

SQL = "SELECT id, name FROM events JOIN names USING (id)"


@pytest.fixture
def names(tmp_path):
    file = tmp_path / "names.csv"
    file.write_text("id,name\na,Anna\n")
    return file


def job(names):
    from streamkit.spec import Table

    table = Table(names.as_uri(), columns={"id": "STRING", "name": "STRING"}, options={"header": "true"})
    return a_job({"events": events()}, SQL, tables={"names": table})


def test_a_file_that_is_edited_under_a_running_job_changes_nothing(stream, names):
    running = stream(job(names))
    running.send(event("a", 1))
    names.write_text("id,name\na,Berta\n")
    running.send(event("a", 2))
    assert running.rows() == [{"id": "a", "name": "Anna"}] * 2


def test_it_is_read_before_the_first_record_comes(spark, stream, names):
    from streamkit.tables import read_now

    spec = job(names)
    running = stream(spec)
    read_now(spark, spec.tables)
    names.write_text("id,name\na,Berta\n")
    running.send(event("a", 1))
    assert running.rows() == [{"id": "a", "name": "Anna"}]
