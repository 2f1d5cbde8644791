"""No query starts on a checkpoint that belongs to something else."""

from __future__ import annotations

from dataclasses import replace

import pytest
from streamkit import sidecar
from streamkit.errors import Refused
from streamkit.guard import admit, to_place
from streamkit.sidecar import Sidecar
from streamkit.spec import Sink, Topic

PARTITIONS = "spark.sql.shuffle.partitions"
PLACE = "checkpoints/counts/hdictl.json"
WANTED = Sidecar("p", "counts", "3.3.1", ["aggregate"], {"in": "id-1"}, "c", "kafka out", "f1", {PARTITIONS: "8"})


class Files:
    """A job's folder, in memory."""

    def __init__(self, files: dict[str, str] | None = None) -> None:
        self.files = dict(files or {})

    def read(self, name: str) -> str | None:
        return self.files.get(name)

    def write(self, name: str, text: str) -> None:
        self.files[name] = text

    def latest(self, folder: str) -> int:
        return max((int(name.rpartition("/")[2]) for name in self.files if name.startswith(folder + "/")), default=-1)


def admit_one(storage: Files, wanted: Sidecar) -> list[sidecar.Difference]:
    [differences] = admit(storage, [wanted])
    return differences


def started(wanted: Sidecar = WANTED) -> Files:
    """A folder in which the query has begun a micro-batch."""
    storage = Files()
    admit(storage, [wanted])
    storage.files[f"checkpoints/{wanted.query}/offsets/0"] = "v1"
    return storage


def refusal(storage: Files, wanted: Sidecar) -> str:
    before = dict(storage.files)
    with pytest.raises(Refused) as refused:
        admit(storage, [wanted])
    assert storage.files == before
    assert "hdictl pipeline plan" in refused.value.fix
    assert "hdictl jobs checkpoint reset" in refused.value.fix
    return refused.value.what


def test_the_first_start_leaves_a_note():
    storage = Files()
    assert admit_one(storage, WANTED) == []
    assert sidecar.parse(storage.files[PLACE]) == WANTED


def test_the_same_query_goes_on():
    storage = started()
    assert admit_one(storage, WANTED) == []


def test_a_checkpoint_without_a_note_is_refused():
    said = refusal(Files({"checkpoints/counts/offsets/0": "v1"}), WANTED)
    assert said == "query `counts`: checkpoints/counts has a checkpoint that nobody wrote a note beside"


@pytest.mark.parametrize("text", ["", "{", "{}"])
def test_a_note_that_cannot_be_read_is_refused(text):
    storage = Files({PLACE: text, "checkpoints/counts/offsets/0": "v1"})
    assert refusal(storage, WANTED).startswith(f"query `counts`: {PLACE} cannot be read: ")


def test_another_topic_of_the_same_name_is_refused():
    storage = started()
    said = refusal(storage, replace(WANTED, topics={"in": "id-2"}))
    assert "topic `in` was deleted and made anew" in said
    assert "reading on would skip records without a word" in said


def test_the_first_line_of_a_refusal_has_the_reason_and_details_follow():
    storage = started()
    said = refusal(storage, replace(WANTED, operators=["deduplicate"]))
    assert said.split("\n") == [
        "query `counts`: stateful operators differ: "
        "state is kept by operator and key; the old state does not fit the new query",
        "- aggregate",
        "+ deduplicate",
    ]


def test_only_what_stands_in_the_way_is_said():
    storage = started()
    said = refusal(storage, replace(WANTED, pipeline="q", sink="kafka elsewhere"))
    assert "belongs to p/counts" in said
    assert "elsewhere" not in said


def test_what_does_no_harm_is_told_and_noted():
    storage = started()
    [difference] = admit_one(storage, replace(WANTED, sink="kafka elsewhere", fingerprint="f2"))
    assert difference.what == "the sink was kafka out and is kafka elsewhere"
    assert sidecar.parse(storage.files[PLACE]).fingerprint == "f2"
    assert admit_one(storage, replace(WANTED, sink="kafka elsewhere", fingerprint="f2")) == []


def test_a_pinned_setting_is_remembered_as_the_checkpoint_has_it_over_all_restarts():
    storage = started()
    changed = replace(WANTED, configuration={PARTITIONS: "2"})
    for _restart in range(2):
        [difference] = admit_one(storage, changed)
        assert difference.why == "without effect: the checkpoint keeps 8"
    assert admit_one(storage, WANTED) == []


def test_a_query_that_never_ran_may_be_edited():
    storage = Files()
    admit_one(storage, WANTED)
    other = replace(WANTED, operators=["deduplicate"], topics={"more": "id-3"})
    assert admit_one(storage, other) == []
    assert sidecar.parse(storage.files[PLACE]) == other


def test_all_are_refused_together_and_no_note_is_written():
    """A note that was written for the first would say that its checkpoint was made by what never ran."""
    storage = started()
    sessions = replace(WANTED, query="sessions")
    storage.files.update(started(sessions).files)
    before = dict(storage.files)
    wanted = [
        replace(WANTED, sink="kafka elsewhere", query="harmless"),
        replace(WANTED, operators=["deduplicate"]),
        replace(sessions, topics={"in": "id-2"}),
    ]
    with pytest.raises(Refused) as refused:
        admit(storage, wanted)
    assert "query `counts`: stateful operators differ" in refused.value.what
    assert "query `sessions`: topic `in` was deleted and made anew" in refused.value.what
    assert storage.files == before


@pytest.mark.parametrize(
    ("sink", "place"),
    [
        (Sink(kafka=Topic("b:9092", "out")), "kafka out"),
        (Sink("parquet", path="file:///t"), "parquet file:///t"),
        (Sink("console"), "console"),
    ],
)
def test_a_sink_as_format_and_place(sink, place):
    assert to_place(sink) == place
