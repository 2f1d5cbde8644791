"""Queries before they run: what they are, what is wrong with them, and what a change of them means."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.acceptance.streamkit.streams import SHIPPED, a_job, a_source, events, shipped, transform

COUNT = "SELECT id, window(at, '1 minute') AS w, count(*) AS c FROM events GROUP BY id, window(at, '1 minute')"

PARSERS = {"json": "from_json(", "avro": "from_avro(", "text": "regexp_replace("}


def assembled(spark, spec) -> list:
    from streamkit.flow import assemble
    from streamkit.sources import read_nothing

    return assemble(spark, spec, read_nothing)


def read_something(spark, _name, _source, *, with_headers):
    """As `read_nothing`, with values that the optimiser cannot know."""
    headers = ["CAST(NULL AS ARRAY<STRUCT<key STRING, value BINARY>>) AS headers"] if with_headers else []
    return spark.readStream.format("rate").load().selectExpr(
        "CAST(NULL AS BINARY) AS key", "CAST(CAST(value AS STRING) AS BINARY) AS value", "'t' AS topic",
        "0 AS partition", "value AS offset", "timestamp", *headers,
    )  # fmt: skip


def optimised(spark, rows) -> str:
    optimiser = spark._jsparkSession.sessionState().optimizer()
    return str(optimiser.execute(rows._jdf.queryExecution().analyzed()).toString())


@pytest.mark.parametrize("pipeline", SHIPPED)
def test_each_record_is_parsed_once_in_every_query_of_every_pipeline_that_ships(spark, pipeline):
    from streamkit.flow import assemble
    from streamkit.guard import read_by
    from streamkit.sinks import written

    spec = shipped(pipeline)
    queries = assemble(spark, spec, read_something)
    assert len(queries) > 1
    for query in queries:
        topics = read_by(spec, query)
        read = [source for source in spec.sources.values() if set(source.kafka.topics) & topics]
        assert read
        plan = optimised(spark, written(query, spec))
        for format_name, parser in PARSERS.items():
            # Of a record's writers one is chosen: a branch each, of which one is taken.
            times = [len(each.writers.schemas) if each.writers else 1 for each in read if each.format == format_name]
            assert plan.count(parser) == sum(times), query.name


@pytest.mark.parametrize("pipeline", SHIPPED)
def test_every_pipeline_that_ships_can_be_analysed_without_data_or_kafka(spark, pipeline):
    from streamkit.analyse import analyse

    spec = shipped(pipeline)
    found = analyse(spark, spec, {}, {})
    assert [each["query"] for each in found["queries"] if each["role"] == "output"] == list(spec.flows)
    assert {each["verdict"] for each in found["queries"]} == {"new"}
    assert all(each["columns"] for each in found["queries"] if each["role"] == "output")
    assert found["gone"] == []
    assert [each["warnings"] for each in found["queries"]] == [[]] * len(found["queries"])


def test_a_query_is_described_in_words_that_stay_the_same(spark):
    from streamkit.signature import stateful_operators

    spec = shipped("page_activity")
    first, again = ([stateful_operators(each.rows) for each in assembled(spark, spec)] for _ in range(2))
    assert first == again
    counted, _top, sessions, dead = first
    assert [operator.split()[0] for operator in counted] == ["aggregate", counted[1].split()[0]]
    assert counted[1].startswith("deduplicate")
    assert "by [page, window" in counted[0]
    assert "session_window" in sessions[0]
    assert dead == []


def operators(spark, spec) -> list[str]:
    from streamkit.signature import stateful_operators

    return stateful_operators(assembled(spark, spec)[0].rows)


SESSIONS = "SELECT id, count(*) AS c FROM events GROUP BY id, session_window(at, '5 minutes')"


@pytest.mark.parametrize(
    ("sql", "old", "new"),
    [
        (COUNT, "id,", "n,"),
        (COUNT, "count(*)", "sum(n)"),
        (COUNT, "count(*) AS c", "count(*) AS c, max(n) AS m"),
        (COUNT, "'1 minute'", "'2 minutes'"),
        (COUNT, "'1 minute'", "'1 minute', '30 seconds'"),
        (SESSIONS, "'5 minutes'", "'6 minutes'"),
    ],
)
def test_other_keys_windows_or_aggregates_make_another_query(spark, sql, old, new):
    before = operators(spark, a_job({"events": events()}, sql))
    assert len(before) == 1
    assert operators(spark, a_job({"events": events()}, sql.replace(old, new))) != before


@pytest.mark.parametrize(
    ("old", "new"),
    [("AS c", "AS other"), ("events GROUP", "events WHERE n > 1 GROUP"), ("count(*) AS c", "count(*) + 1 AS c")],
)
def test_what_is_in_no_state_may_change(spark, old, new):
    before = operators(spark, a_job({"events": events()}, COUNT))
    assert operators(spark, a_job({"events": events()}, COUNT.replace(old, new))) == before


def test_another_watermark_is_no_other_query_and_deduplication_is(spark):
    before = operators(spark, a_job({"events": events()}, COUNT))
    assert operators(spark, a_job({"events": events("3 minutes")}, COUNT)) == before
    by_id = operators(spark, a_job({"events": events(deduplicate=["id"])}, COUNT))
    by_both = operators(spark, a_job({"events": events(deduplicate=["id", "n"])}, COUNT))
    assert len({str(each) for each in (before, by_id, by_both)}) == 3


def test_a_join_of_two_streams_is_state_and_one_with_a_table_is_not(spark):
    joined = operators(spark, shipped("ad_click_attribution"))
    assert [operator.split()[0].replace("withinwatermark", "") for operator in joined] == [
        "deduplicate",  # pairs
        "join",
        "deduplicate",  # clicks
    ]
    assert joined[1].startswith("join INNER on ")
    enriched = operators(spark, shipped("sales_enrich"))
    assert [operator.split()[0].replace("withinwatermark", "") for operator in enriched] == ["deduplicate"]


def kept(spark, spec, read=None) -> list[str]:
    from streamkit.flow import assemble
    from streamkit.signature import kept_state
    from streamkit.sources import read_nothing

    return kept_state(assemble(spark, spec, read or read_nothing)[0].rows)


PAIRS = """SELECT views.id, clicks.city FROM views JOIN clicks
           ON views.id = clicks.id AND clicks.at BETWEEN views.at AND views.at + INTERVAL 5 MINUTES"""


def pairs(sql: str = PAIRS, **columns: str):
    more = {"city": "STRING", "street": "STRING", "n": "BIGINT", **columns}
    sources = {}
    for name in ("views", "clicks"):
        plain = events()
        sources[name] = replace(plain, columns={**plain.columns, **more}, kafka=replace(plain.kafka, topic=name))
    return a_job(sources, sql)


def test_a_join_keeps_the_columns_of_both_sides_that_are_used(spark):
    [state] = kept(spark, pairs())
    assert state == "join [id string, at timestamp] with [id string, at timestamp, city string]"
    assert kept(spark, pairs()) == [state]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("clicks.city", "clicks.city, clicks.street"),  # Spark would fail
        ("clicks.city", "clicks.street"),  # Spark would take the one for the other
        ("clicks.city", "clicks.city, views.n"),
    ],
)
def test_other_columns_in_the_state_of_a_join_need_a_new_checkpoint(spark, old, new):
    from streamkit import sidecar
    from streamkit.analyse import analyse
    from streamkit.guard import describe

    before, topics = pairs(), {"views": None, "clicks": None}
    note = sidecar.to_text(describe(spark, before, assembled(spark, before)[0], topics, None))
    [changed] = analyse(spark, pairs(PAIRS.replace(old, new)), {"out": note}, {})["queries"]
    assert changed["verdict"] == "new_checkpoint"
    assert "columns that are kept in state differ" in changed["differences"][0]["what"]


@pytest.mark.parametrize(("old", "new"), [("clicks.city", "upper(clicks.city)"), ("clicks.city", "clicks.city AS c")])
def test_what_is_done_with_joined_rows_may_change(spark, old, new):
    assert kept(spark, pairs(PAIRS.replace(old, new))) == kept(spark, pairs())


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT n, count(*) AS c FROM views GROUP BY n, window(at, '1 minute')",
        "SELECT id, max(n) AS m FROM views GROUP BY id, window(at, '1 minute')",
        "SELECT id, max_by(id, n) AS m FROM views GROUP BY id, window(at, '1 minute')",
        "SELECT id, collect_list(n) AS m FROM views GROUP BY id, window(at, '1 minute')",
    ],
)
def test_keys_and_aggregates_of_another_type_are_another_state(spark, sql):
    as_number, as_text = pairs(sql), pairs(sql, n="STRING")
    assert operators(spark, as_number) == operators(spark, as_text)
    assert kept(spark, as_number) != kept(spark, as_text)


def test_an_aggregate_that_spark_writes_as_another_has_a_state_too(spark):
    [state] = kept(spark, pairs("SELECT id, count_if(n > 1) AS c FROM views GROUP BY id, window(at, '1 minute')"))
    assert state.startswith("aggregate [count_if(")


def test_variables_of_lambdas_are_described_alike_from_run_to_run(spark):
    """Spark numbers them as they come."""
    total = "F.max(F.aggregate(F.array('n'), F.lit(0).cast('bigint'), lambda sum, each: sum + each))"
    spec = a_job(
        pairs().sources, python=transform(f"return tumbling(inputs['views'], 'at', '1 minute', ['id'], {total})")
    )
    assert len({str((operators(spark, spec), kept(spark, spec))) for _time in range(3)}) == 1


def test_deduplication_by_a_key_of_another_type_is_another_state(spark):
    def by_number(kind: str):
        return a_job({"events": replace(a_source({"id": kind, "at": "BIGINT"}), **parts)}, "SELECT id FROM events")

    parts = {"event_time": events().event_time, "required": ["id", "at"], "deduplicate": ["id"]}
    assert operators(spark, by_number("BIGINT")) == operators(spark, by_number("STRING"))
    assert kept(spark, by_number("BIGINT")) != kept(spark, by_number("STRING"))


@pytest.mark.parametrize("pipeline", SHIPPED)
def test_state_is_described_alike_whether_there_is_data_or_not(spark, pipeline):
    """A job describes itself over Kafka, and the plan over nothing: the optimiser must not make use of that."""
    from streamkit.flow import assemble
    from streamkit.signature import kept_state, stateful_operators
    from streamkit.sources import read_nothing

    nothing, something = (assemble(spark, shipped(pipeline), read) for read in (read_nothing, read_something))
    for planned, running in zip(nothing, something):
        assert kept_state(planned.rows) == kept_state(running.rows)
        assert len(kept_state(planned.rows)) == len(stateful_operators(planned.rows))


def test_what_a_change_means_is_told_query_by_query(spark):
    from streamkit import sidecar
    from streamkit.analyse import analyse
    from streamkit.guard import describe

    spec = a_job({"events": events()}, COUNT)
    [query] = assembled(spark, spec)
    topics = {"in": "id-1"}
    note = sidecar.to_text(describe(spark, spec, query, topics, "cluster"))
    [same] = analyse(spark, spec, {"out": note}, topics)["queries"]
    assert (same["verdict"], same["differences"]) == ("in_place", [])
    other = a_job({"events": events()}, COUNT.replace("BY id,", "BY n,").replace("T id,", "T n,"))
    [changed] = analyse(spark, other, {"out": note}, topics)["queries"]
    assert changed["verdict"] == "new_checkpoint"
    assert "stateful operators differ" in changed["differences"][0]["what"]
    [recreated] = analyse(spark, spec, {"out": note}, {"in": "id-2"})["queries"]
    assert "made anew" in recreated["differences"][0]["what"]
    assert analyse(spark, spec, {"out": note, "old": note}, topics)["gone"] == ["old"]


@pytest.mark.parametrize(
    ("source", "sql", "is_warned"),
    [
        ({}, COUNT, True),
        ({"max_offsets_per_trigger": 1000}, COUNT, False),
        ({}, "SELECT id, n FROM events", False),  # no state: a large micro-batch takes its time, and no more
        ({"deduplicate": ["id"]}, "SELECT id, n FROM events", True),
        ({}, "SELECT a.id, b.n FROM events a JOIN events b ON a.id = b.id AND a.at = b.at", True),
    ],
)
def test_state_over_a_source_without_a_limit_is_warned_of(spark, source, sql, is_warned):
    from streamkit.analyse import analyse

    unread = events()  # what the query does not read does not matter
    spec = a_job({"events": events(**source), "unread": unread}, sql)
    [found] = analyse(spark, spec, {}, {})["queries"]
    assert [each.partition(":")[0] for each in found["warnings"]] == (
        ["`events` is read without max_offsets_per_trigger"] if is_warned else []
    )


def test_a_checkpoint_without_a_note_is_no_new_query(spark):
    from streamkit.analyse import analyse

    [found] = analyse(spark, a_job({"events": events()}, COUNT), {"out": ""}, {})["queries"]
    assert found["verdict"] == "new_checkpoint"
    assert "checkpoints/out has a checkpoint that nobody wrote a note beside" in found["differences"][0]["what"]


def test_a_note_that_cannot_be_read_is_told_and_not_thrown(spark):
    from streamkit.analyse import analyse
    from streamkit.errors import Refused

    with pytest.raises(Refused, match=r"checkpoints/out/hdictl\.json cannot be read"):
        analyse(spark, a_job({"events": events()}, COUNT), {"out": "{"}, {})


def failure(spark, spec) -> str:
    from streamkit.analyse import analyse
    from streamkit.errors import JobError

    with pytest.raises(JobError) as failed:
        analyse(spark, spec, {}, {})
    assert failed.value.fix
    assert "\n" not in failed.value.what
    return failed.value.what


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("SELECT idd FROM events", "idd"),
        ("SELECT id FROM evnts", "evnts"),
        ("SELEC id FROM events", "SELEC"),
        ("SELECT nosuch(id) FROM events", "nosuch"),
        ("SELECT id + ${top} FROM events", "there is no parameter `top`"),
    ],
)
def test_a_query_that_cannot_be_is_told_in_one_line_with_its_file(spark, sql, said):
    what = failure(spark, a_job({"events": events()}, sql))
    assert what.startswith("p/out.sql: ")
    assert said in what


@pytest.mark.parametrize(
    ("python", "said"),
    [
        (transform("return inputs['evnts']"), "KeyError: 'evnts'"),
        (transform("return 1 / 0"), "ZeroDivisionError"),
        (transform("return inputs['events'].select('idd')"), "idd"),
        (transform("return inputs['events'].count"), "`transform` gave no data frame"),
        (transform("return None"), "`transform` gave no data frame"),
        ("def transform(", "SyntaxError"),
        ("x = 1", "KeyError: 'transform'"),
        ("import no_such_module", "ModuleNotFoundError"),
    ],
)
def test_a_transform_in_python_that_fails_is_told_in_one_line_with_its_file(spark, python, said):
    what = failure(spark, a_job({"events": events()}, python=python))
    assert what.startswith("p/out.py: ")
    assert said in what


def test_an_aggregation_without_a_watermark_is_refused_before_it_starts(spark):
    source = a_source({"id": "STRING"})
    what = failure(spark, a_job({"events": source}, "SELECT id, count(*) AS c FROM events GROUP BY id"))
    assert what.startswith("flow `out`: ")
    assert "watermark" in what


@pytest.mark.parametrize("condition", ["idd IS NOT NULL", "n >", "nosuch(n)"])
def test_an_expectation_that_cannot_be_is_told_with_its_source(spark, condition):
    assert failure(spark, a_job({"events": events(expectations={"x": condition})}, COUNT)).startswith(
        "source `events`: "
    )


def test_a_sink_whose_columns_the_flow_does_not_give_is_told(spark):
    from streamkit.spec import Sink, Topic

    keyed = Sink(kafka=Topic("b:9092", "t"), key=["id", "minute"])
    what = failure(spark, a_job({"events": events()}, COUNT, sink=keyed))
    assert what == "flow `out`: its sink names the column `minute`, and the flow gives id, w, c"
    split = Sink("parquet", path="file:///t", partition_by=["day"])
    assert "the column `day`" in failure(spark, a_job({"events": events()}, COUNT, sink=split))


@pytest.mark.parametrize("sql", ["SELECT *, id FROM events", "SELECT id, n AS ID FROM events"])
def test_two_columns_of_one_name_are_told(spark, sql):
    from streamkit.spec import Sink, Topic

    keyed = Sink(kafka=Topic("b:9092", "t"), key=["n"])
    what = failure(spark, a_job({"events": events()}, sql.replace("n AS", "n, n AS"), sink=keyed))
    assert what == "flow `out`: it gives more than one column `id`"


def test_a_table_that_is_not_there_is_told(spark, tmp_path):
    from streamkit.spec import Table

    table = Table((tmp_path / "none.csv").as_uri())
    what = failure(spark, a_job({"events": events()}, COUNT, tables={"names": table}))
    assert what.startswith(f"table `names` cannot be read from file://{tmp_path}/none.csv")


def test_delta_without_its_jar_is_told(spark):
    from streamkit.spec import Sink

    what = failure(spark, a_job({"events": events()}, COUNT, sink=Sink("delta", path="file:///t")))
    assert "the Delta jar is not on the class path" in what


def test_parameters_reach_sql_and_python(spark):
    sql = "SELECT id, ${text} AS text, ${number} AS number, ${truth} AS truth FROM events"
    values = {"text": 'it\'s \\ "so" ${x}', "number": 2, "truth": True}
    [query] = assembled(spark, a_job({"events": events()}, sql, parameters=values))
    assert [(name, kind) for name, kind in query.rows.dtypes] == [
        ("id", "string"), ("text", "string"), ("number", "int"), ("truth", "boolean"),
    ]  # fmt: skip
    from streamkit.transform import with_parameters

    [row] = spark.sql(with_parameters("SELECT ${text} AS text", values, "f")).collect()
    assert row.text == values["text"]
    python = transform("return inputs['events'].withColumn('x', F.lit(parameters['number']))")
    [called] = assembled(spark, a_job({"events": events()}, python=python, parameters=values))
    assert "x" in called.rows.columns


def test_a_query_reads_the_topics_of_its_own_sources_alone(spark):
    from streamkit.guard import read_by

    spec = shipped("ad_click_attribution")
    found = {query.name: read_by(spec, query) for query in assembled(spark, spec)}
    assert found == {
        "attributed": {"impressions", "clicks"},
        "campaigns": {"attributed"},
        "impressions_dead_letters": {"impressions"},
        "clicks_dead_letters": {"clicks"},
    }


def test_dead_letters_alone_may_be_left_out(spark):
    spec = shipped("page_activity")
    quiet = {name: replace(source, dead_letters=None) for name, source in spec.sources.items()}
    assert [query.role for query in assembled(spark, replace(spec, sources=quiet))] == ["output"] * 3


def test_dead_letters_take_their_time(spark):
    from streamkit.flow import assemble
    from streamkit.sinks import trigger_of

    spec = replace(shipped("page_activity"), trigger="300 milliseconds", dead_letters_trigger="5 seconds")
    triggers = {query.role: trigger_of(query, spec) for query in assemble(spark, spec, read_something)}
    assert triggers == {"output": "300 milliseconds", "dead_letters": "5 seconds"}
    assert (
        trigger_of(assemble(spark, spec, read_something)[-1], replace(spec, dead_letters_trigger=None)) == spec.trigger
    )


def test_dead_letters_read_as_much_as_flows_in_the_same_time(spark):
    from streamkit.flow import assemble

    limits = []

    def read(spark, name, source, *, with_headers):
        limits.append((name, with_headers, source.max_offsets_per_trigger))
        return read_something(spark, name, source, with_headers=with_headers)

    assemble(spark, replace(shipped("page_activity"), dead_letters_pace=10), read)
    assert limits == [("page_views", False, 50_000), ("page_views", True, 500_000), ("minutes", False, 50_000)]
