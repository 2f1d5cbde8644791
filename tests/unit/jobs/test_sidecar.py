"""What a change means for a checkpoint: a table of changes and verdicts."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from streamkit.sidecar import (
    FORBIDDEN,
    IN_PLACE,
    NEW_CHECKPOINT,
    Sidecar,
    compare,
    parse,
    to_document,
    to_text,
    verdict,
)

PARTITIONS = "spark.sql.shuffle.partitions"
COUNT, DEDUP = "aggregate [page, count(1)] by [page]", "deduplicate [event_id]"
BEFORE = Sidecar(
    pipeline="page_activity",
    query="counts",
    spark="3.3.1",
    operators=[COUNT, DEDUP],
    topics={"views": "id-1"},
    cluster="cluster-1",
    sink="kafka counts",
    fingerprint="f1",
    configuration={PARTITIONS: "8"},
)
TO_FILES = replace(BEFORE, sink="parquet file:///t")


@pytest.mark.parametrize(
    ("changes", "expected", "said"),
    [
        ({}, IN_PLACE, None),
        ({"fingerprint": "f2"}, IN_PLACE, None),
        ({"pipeline": "sales"}, FORBIDDEN, "belongs to page_activity/counts, and this is sales/counts"),
        ({"query": "sessions"}, FORBIDDEN, "belongs to page_activity/counts, and this is page_activity/sessions"),
        ({"cluster": "cluster-2"}, NEW_CHECKPOINT, "the Kafka cluster was cluster-1 and is cluster-2"),
        ({"cluster": None}, IN_PLACE, None),  # nobody has asked Kafka
        ({"topics": {"clicks": "id-1"}}, NEW_CHECKPOINT, "it read views and reads clicks"),
        ({"topics": {"views": "id-1", "more": "id-3"}}, NEW_CHECKPOINT, "it read views and reads more, views"),
        ({"topics": {"views": "id-2"}}, NEW_CHECKPOINT, "topic `views` was deleted and made anew (its id was id-1"),
        ({"topics": {"views": None}}, IN_PLACE, None),
        (
            {"operators": ["aggregate [u] by [u]", DEDUP]},
            NEW_CHECKPOINT,
            "stateful operators differ:\n- aggregate",
        ),
        ({"operators": [COUNT]}, NEW_CHECKPOINT, "- deduplicate [event_id]"),
        ({"operators": []}, NEW_CHECKPOINT, "stateful operators differ"),
        ({"operators": [DEDUP, COUNT]}, NEW_CHECKPOINT, "stateful operators moved"),
        ({"sink": "kafka other"}, IN_PLACE, "the sink was kafka counts and is kafka other"),
        ({"sink": "parquet file:///t"}, NEW_CHECKPOINT, "the sink was kafka counts and is parquet file:///t"),
        ({"sink": "console"}, NEW_CHECKPOINT, "the sink was kafka counts and is console"),
        ({"configuration": {PARTITIONS: "2"}}, IN_PLACE, f"{PARTITIONS} was 8 and is 2"),
        ({"spark": "3.5.7"}, IN_PLACE, "Spark was 3.3.1 and is 3.5.7"),
        ({"spark": "3.3.1.5.1.2.7"}, IN_PLACE, "Spark was 3.3.1 and is 3.3.1.5.1.2.7"),
        ({"spark": "3.2.4"}, NEW_CHECKPOINT, "Spark was 3.3.1 and is 3.2.4"),
        ({"spark": "2.10.0"}, NEW_CHECKPOINT, "Spark was 3.3.1 and is 2.10.0"),
    ],
)
def test_what_a_change_means(changes, expected, said):
    differences = compare(BEFORE, replace(BEFORE, **changes))
    assert verdict(differences) == expected
    assert [each.what for each in differences if said and said in each.what] or said is None
    assert bool(differences) == (said is not None)
    assert all(each.why for each in differences)


JOINED = replace(BEFORE, state=["join [id string] with [id string, city string]"])


def test_other_columns_in_the_state_need_a_new_checkpoint():
    [found] = compare(JOINED, replace(JOINED, state=["join [id string] with [id string, street string]"]))
    assert found.verdict == NEW_CHECKPOINT
    assert found.what.split("\n") == [
        "columns that are kept in state differ:",
        "- join [id string] with [id string, city string]",
        "+ join [id string] with [id string, street string]",
    ]


def test_a_note_that_does_not_say_what_is_kept_is_compared_by_its_operators():
    older = {key: value for key, value in json.loads(to_text(BEFORE)).items() if key != "state"}
    assert compare(parse(json.dumps(older)), JOINED) == []


def test_other_operators_are_told_once():
    [found] = compare(JOINED, replace(JOINED, operators=[COUNT], state=["aggregate"]))
    assert found.what.startswith("stateful operators differ:")


def test_a_newer_spark_and_a_patch_are_told_apart():
    [newer] = compare(BEFORE, replace(BEFORE, spark="3.5.7"))
    [patch] = compare(replace(BEFORE, spark="3.3.4"), BEFORE)
    assert (newer.why, patch.why) == ("newer reads older", "the same line of Spark")


def test_a_pinned_setting_is_told_to_have_no_effect():
    [found] = compare(BEFORE, replace(BEFORE, configuration={PARTITIONS: "2"}))
    assert found.why == "without effect: the checkpoint keeps 8"


def test_without_state_no_setting_is_pinned():
    stateless = replace(BEFORE, operators=[])
    assert compare(stateless, replace(stateless, configuration={PARTITIONS: "2"})) == []


@pytest.mark.parametrize("changes", [{"operators": [COUNT]}, {"topics": {"views": "id-2"}}, {"cluster": "cluster-2"}])
def test_parquet_cannot_begin_anew_in_the_same_folder(changes):
    differences = compare(TO_FILES, replace(TO_FILES, **changes))
    assert [each.verdict for each in differences] == [FORBIDDEN, NEW_CHECKPOINT]
    assert "would skip those of a new checkpoint" in differences[0].why


def test_parquet_begins_anew_in_another_folder():
    differences = compare(TO_FILES, replace(TO_FILES, operators=[COUNT], sink="parquet file:///u"))
    assert {each.verdict for each in differences} == {NEW_CHECKPOINT}


def test_delta_begins_anew_in_the_same_folder():
    before = replace(BEFORE, sink="delta file:///t")
    assert verdict(compare(before, replace(before, operators=[COUNT]))) == NEW_CHECKPOINT


def test_the_worst_comes_first_and_all_is_said():
    after = replace(BEFORE, pipeline="p", operators=[COUNT], sink="kafka other", spark="3.5.7")
    verdicts = [each.verdict for each in compare(BEFORE, after)]
    assert verdicts == [FORBIDDEN, NEW_CHECKPOINT, IN_PLACE, IN_PLACE]


def test_what_is_written_is_what_is_read():
    assert parse(to_text(BEFORE)) == BEFORE
    assert to_document(compare(BEFORE, replace(BEFORE, sink="kafka o")))[0]["verdict"] == IN_PLACE


@pytest.mark.parametrize(
    "text", ["", "rubbish", "[]", "{}", json.dumps({"version": 2}), json.dumps({"version": 1, "pipeline": "p"})]
)
def test_what_is_no_sidecar_is_no_sidecar(text):
    with pytest.raises(ValueError, match=r".+"):
        parse(text)
