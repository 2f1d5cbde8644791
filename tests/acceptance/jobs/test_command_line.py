"""Jobs as a person meets them: the shipped pipeline on this machine, from `up` to `down`, and what goes wrong."""

from __future__ import annotations

import json
import shutil
import time
from typing import Any

import psutil
import pytest

from hdictl import assets
from tests.waiting import until
from tests.workspace import Outcome, Workspace, kafka_stack

SINKS = {"activity": "activity", "top_pages": "top-pages", "sessions": "sessions", "dead_letters": "dead"}
QUERIES = {"page_activity", "top_pages", "sessions", "page_views_dead_letters"}
JOB = {
    "pipeline": "page_activity",
    "cluster": "spark",
    "reads": {"page_views": "views"},
    "writes": SINKS,
    "trigger": "500ms",
    "configuration": {"spark.sql.shuffle.partitions": 2},
}


def stack(**jobs: dict[str, Any]) -> dict[str, Any]:
    described = kafka_stack({"views": {}, **{topic: {} for topic in SINKS.values()}}, jobs=jobs)
    described["clusters"]["spark"] = {"kind": "spark", "workers": {"count": 3}}
    return described


def views(count: int) -> str:
    now = time.time_ns() // 10**6
    events = [
        {"event_id": f"e{n}", "event_type": "page_view", "event_time": now, "page": f"/p{n % 3}", "user_id": f"u{n}"}
        for n in range(count)
    ]
    bad: list[Any] = ["nonsense", {"event_id": "x"}]
    return "".join(json.dumps({"key": "k", "value": each}) + "\n" for each in [*events, *bad])


def living(folder: Any) -> list[list[str]]:
    """Command lines of processes that have something to do with a folder."""
    found = []
    for process in psutil.process_iter():
        try:
            command = process.cmdline()
        except psutil.Error:
            continue
        if any(str(folder) in part for part in command) and process.status() != psutil.STATUS_ZOMBIE:
            found.append(command)
    return found


def asked(workspace: Workspace, *arguments: str, code: int = 0) -> Any:
    told: Outcome = workspace.run("jobs", *arguments, "--json")
    assert told.code == code, told.out + told.err
    assert "Traceback" not in told.err
    return told.json


@pytest.mark.slow
def test_a_day_of_a_job(running):
    workspace: Workspace = running()
    shutil.copytree(assets.pipeline("page_activity"), workspace.folder / "pipelines" / "page_activity")
    workspace.write(stack(activity=JOB))
    workspace.run("up").ok()
    workspace.run("apply", "--yes").ok()
    workspace.run("topics", "produce", "views", stdin=views(40)).ok()

    assert [job["state"] for job in asked(workspace, "list")["jobs"]] == ["absent"]
    (made,) = asked(workspace, "submit")["jobs"]
    assert (made["job"], made["action"], made["state"]) == ("activity", "started", "running")
    assert "runs as it is" in workspace.run("jobs", "submit", "activity").ok().out
    until(lambda: _behind(workspace) == dict.fromkeys(QUERIES, 0))

    _look(workspace, made["id"])
    _plan_a_change(workspace)

    # In the foreground, with a checkpoint of its own beside the one in the background.
    told = workspace.run("pipeline", "run", "page_activity", "--available-now", "--json").ok()
    lines = [json.loads(line) for line in told.out.splitlines()]
    assert (lines[-1]["event"], lines[-1]["exit_code"], lines[-1]["is_settled"]) == ("end", 0, True)
    assert sum(line["input_rows"] for line in lines[:-1] if line["query"] == "sessions") == 42

    # Taken out of the stack while it runs, it is seen, and stopped by its name.
    workspace.write(stack())
    (stray,) = asked(workspace, "list")["jobs"]
    assert (stray["name"], stray["state"], stray["is_in_stack"]) == ("activity", "running", False)
    (stopped,) = asked(workspace, "stop", "activity", "--timeout", "60s")["jobs"]
    assert (stopped["was_running"], stopped["was_killed"]) == (True, False)
    assert asked(workspace, "list")["jobs"] == []
    workspace.write(stack(activity=JOB))
    assert {each["state"] for each in asked(workspace, "lag")["queries"]} == {"stopped"}
    assert "was not running" in workspace.run("jobs", "stop").ok().out
    reset = asked(workspace, "checkpoint", "reset", "activity", "--to", "latest", "--query", "sessions", "--yes")
    assert (reset["queries"], reset["skipped"], reset["again"]) == (["sessions"], {}, {})
    (lost,) = reset["lost"]
    assert (lost["query"], len(lost["operators"]), lost["watermark_ms"] > 0) == ("sessions", 2, True)

    # `down` ends what runs, and leaves nothing.
    asked(workspace, "restart")
    assert any("run_pipeline.py" in " ".join(command) for command in living(workspace.folder))
    workspace.run("down").ok()
    until(lambda: living(workspace.folder) == [], 20)
    assert [job["state"] for job in asked(workspace, "list")["jobs"]] == ["absent"]


def _look(workspace: Workspace, id: str) -> None:
    """Everything that only looks, while the job runs."""
    found = asked(workspace, "status")
    assert (found["is_well"], found["jobs"][0]["id"], found["jobs"][0]["error"]) == (True, id, None)
    until(lambda: {query["name"] for query in asked(workspace, "list")["jobs"][0]["queries"]} == QUERIES)
    assert "page_activity" in workspace.run("jobs", "status").ok().out
    assert "acceptance.activity.sessions" in workspace.run("jobs", "lag").ok().out

    shown = {each["query"]: each for each in asked(workspace, "checkpoint", "show", "activity")["queries"]}
    assert set(shown) == QUERIES
    assert sum(shown["sessions"]["offsets"]["views"].values()) == 42
    assert shown["sessions"]["pinned"]["spark.sql.shuffle.partitions"] == "2"
    assert shown["sessions"]["belongs_to"]["topics"]["views"]
    assert (
        "pinned: spark.sql.shuffle.partitions = 2" in workspace.run("jobs", "checkpoint", "show", "activity").ok().out
    )
    workspace.run("jobs", "checkpoint", "reset", "activity", "--to", "latest").failed(1, "E412", "it is running")

    until(lambda: asked(workspace, "dlq", "show", "activity")["total"] == 2)
    dead = asked(workspace, "dlq", "show", "activity", "--limit", "1")
    assert (len(dead["letters"]), len(dead["errors"])) == (1, 2)
    assert "missing" in workspace.run("jobs", "dlq", "show", "activity", "--error", "missing").ok().out
    workspace.run("jobs", "dlq", "replay", "activity").failed(1, "2 records go to views again", "give --yes")
    assert '"event": "batch"' in workspace.run("jobs", "logs", "activity", "-n", "500").ok().out


def _plan_a_change(workspace: Workspace) -> None:
    """What it means is said before it is made, and when it is made."""
    workspace.run("pipeline", "plan", "page_activity").ok()
    query = workspace.folder / "pipelines" / "page_activity" / "page_activity.sql"
    text = query.read_text()
    query.write_text(text.replace("'1 minute'", "'5 minutes'"))
    planned = workspace.run("pipeline", "plan", "page_activity", "--json")
    assert (planned.code, planned.json["jobs"][0]["verdict"]) == (4, "new_checkpoint")
    assert {each["query"]: each["verdict"] for each in planned.json["jobs"][0]["queries"]} == {
        **dict.fromkeys(QUERIES, "in_place"),
        "page_activity": "new_checkpoint",
    }
    # Submitted all the same, it is refused, the reason told, and what runs goes on.
    running = asked(workspace, "list")["jobs"][0]
    refused = workspace.run("jobs", "submit")
    refused.failed(1, "E412", "stateful operators differ", "the run at work was left alone", "pipeline plan")
    assert "comparing with its checkpoints" in refused.err
    now = asked(workspace, "status")["jobs"][0]
    assert (now["id"], now["state"], now["fingerprint"]) == (running["id"], "running", running["fingerprint"])
    query.write_text(text)
    assert asked(workspace, "submit")["jobs"][0]["action"] == "unchanged"
    # Over, it is for the new run itself to say.
    asked(workspace, "stop")
    query.write_text(text.replace("'1 minute'", "'5 minutes'"))
    workspace.run("jobs", "submit").failed(1, "E412", "stateful operators differ", "pipeline plan")
    workspace.run("jobs", "status").failed(4, "failed", "stateful operators differ")
    query.write_text(text)
    assert asked(workspace, "submit")["jobs"][0]["action"] == "started"


def _behind(workspace: Workspace) -> dict[str, int]:
    return {each["query"]: each["records"] for each in asked(workspace, "lag")["queries"]}


@pytest.fixture
def described(workspace: Workspace) -> Workspace:
    """Nothing runs."""
    workspace.write(stack(activity=JOB, idle={"pipeline": "page_activity", "cluster": "spark"}))
    return workspace


@pytest.mark.parametrize(
    ("command", "code", "said"),
    [
        ("jobs submit activty", 2, ("E413", "there is no job `activty`", "did you mean `activity`", "activity, idle")),
        ("jobs status nobody", 2, ("E413", "there is no job `nobody`")),
        ("jobs logs nobody -f", 2, ("E413",)),
        ("jobs checkpoint show nobody", 2, ("E413",)),
        ("jobs dlq show nobody", 2, ("E413",)),
        ("jobs submit idle", 1, ("E412", "job `idle`", "it names no topic", "`reads`")),
        ("jobs submit activity", 1, ("E251", "cluster `ingest` is not running", "hdictl up")),
        ("jobs submit", 1, ("E251", "hdictl up", "job `activity`", "E412", "job `idle`", "it names no topic")),
        ("jobs lag", 1, ("E251", "hdictl up", "E412", "job `idle`", "it names no topic")),
        ("jobs lag activity", 1, ("E251", "hdictl up")),
        ("jobs dlq show activity", 1, ("E251", "hdictl up")),
        ("jobs dlq replay activity --yes", 1, ("E251", "hdictl up")),
        ("jobs checkpoint reset activity --to earliest", 1, ("E251", "hdictl up")),
        ("jobs submit activity --timeout soon", 2, ("--timeout", "soon", "30s")),
        ("jobs restart activity --timeout soon", 2, ("--timeout", "soon")),
        ("jobs stop activity --timeout soon", 2, ("--timeout", "soon")),
        ("jobs stop --timeout=-1s", 2, ("--timeout",)),
        ("jobs logs activity -n -1", 2, ()),
        (
            "pipeline plan page_activty",
            4,
            ("E405", "there is no pipeline `page_activty`", "did you mean `page_activity`"),
        ),
        ("pipeline run page_activty", 2, ("E413", "no job runs the pipeline `page_activty`")),
        ("pipeline run page_activity", 2, ("E413", "several jobs run", "--job activity or --job idle")),
        ("pipeline run page_activity --job activity", 1, ("E251", "hdictl up")),
    ],
)
def test_what_goes_wrong_is_said_in_a_sentence(described: Workspace, command, code, said):
    described.run(*command.split()).failed(code, *said)


def test_who_looks_before_anything_runs_sees_that_nothing_does(described: Workspace):
    assert [job["state"] for job in asked(described, "list")["jobs"]] == ["absent", "absent"]
    assert asked(described, "status")["is_well"]
    assert "was not running" in described.run("jobs", "stop").ok().out
    told = described.run("jobs", "logs", "activity", "-f").ok()
    assert (told.out, "activity has no log: it has never run" in told.err) == ("", True)
    assert "has no checkpoint" in described.run("jobs", "checkpoint", "show", "activity").ok().out


@pytest.mark.parametrize(
    ("job", "code", "said"),
    [
        ({"pipeline": "page_activty"}, 4, ("E405", "there is no pipeline `page_activty`", "did you mean")),
        ({"reads": {"page_view": "views"}}, 4, ("E405", "page_view", "did you mean `page_views`")),
        ({"writes": {"activity": "activity"}}, 4, ("E405", "no topic is named for the sink")),
        ({"parameters": {"tops": 3}}, 4, ("E405", "tops", "did you mean `top`")),
        ({"reads": {"page_views": "viws"}}, 4, ("T014", "did you mean `views`")),
    ],
)
def test_a_job_that_does_not_fit_its_pipeline(running_kafka: Workspace, job, code, said):
    running_kafka.write(stack(activity={**JOB, **job}))
    running_kafka.run("jobs", "submit").failed(code, *said)


@pytest.fixture(scope="module")
def running_kafka(tmp_path_factory: pytest.TempPathFactory):
    workspace = Workspace(tmp_path_factory.mktemp("workspace"))
    workspace.write(stack())
    workspace.run("up").ok()
    yield workspace
    workspace.write(stack())
    workspace.run("down").ok()
