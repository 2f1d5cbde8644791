"""Jobs on Azure: staged in the cluster's data lake, and run by its Livy behind the gateway."""

from __future__ import annotations

import json
import zipfile
from io import BytesIO
from typing import Any

import pytest

from hdictl.drivers.java.jar_lock import read_lock
from hdictl.drivers.spark.command import spark_version
from tests.acceptance.azure.stacks import settled, stack
from tests.fakes.azure import FakeCloud
from tests.fakes.azure.ambari import attach as attach_ambari
from tests.fakes.azure.livy import LivyPlane, attach, document_of
from tests.fakes.livy.job import Act, Job
from tests.workspace import Workspace

TOPICS = {"defaults": {"cluster": "ingest"}, "sales": {}, "revenue": {}, "dead": {}}
FOLDER = "hdictl/jobs/sales"


def with_job(**more: Any) -> dict[str, Any]:
    job = {
        "pipeline": "sales_enrich",
        "cluster": "jobs",
        "reads": {"sales": "sales"},
        "writes": {"revenue": "revenue", "dead_letters": "dead"},
        "resources": {"driver_memory": "2g", "executors": 3},
        "configuration": {"spark.sql.shuffle.partitions": 12},
        **more,
    }
    return {**stack(), "topics": TOPICS, "jobs": {"sales": job}}


@pytest.fixture
def livy(cloud: FakeCloud) -> LivyPlane:
    attach_ambari(cloud)
    return attach(cloud)


@pytest.fixture
def made(azure_workspace: Workspace, cloud: FakeCloud, livy: LivyPlane) -> Workspace:
    workspace = settled(azure_workspace, cloud, with_job())
    workspace.run("apply", "--yes", "--skip=topics").ok()
    return workspace


def lake(cloud: FakeCloud) -> dict[str, bytes]:
    """What lies in the job's folder."""
    ((account, file_system),) = [key for key in cloud.lakes._files if key[1] == "jobs-clicks"]
    found = cloud.lakes.contents(account, file_system)
    return {path.removeprefix(f"{FOLDER}/"): each for path, each in found.items() if path.startswith(FOLDER)}


def writes(cloud: FakeCloud) -> list[str]:
    """Files that something was appended to."""
    patched = [each.path for each in cloud.requests if each.method == "PATCH" and each.query["action"] == "append"]
    return [path.rpartition("/")[2] for path in patched]


def test_a_job_from_its_submission_to_its_end(made: Workspace, cloud: FakeCloud, livy: LivyPlane):
    listed = made.run("jobs", "list", "--json").ok().json["jobs"]
    assert [(job["name"], job["state"], job["id"]) for job in listed] == [("sales", "absent", None)]

    told = made.run("jobs", "submit", "--json").ok().json["jobs"][0]
    assert (told["action"], told["state"], told["id"]) == ("started", "running", "0, application_1_0000")

    # All that Spark needs lies in the lake, and the request names it there.
    files, (asked,) = lake(cloud), livy.posted
    jars = sorted(f"{jar.artifact}-{jar.version}.jar" for jar in read_lock("spark-3.3.1"))
    root, _, entry_point = asked["file"].partition("/package/")
    package = f"package/{entry_point.removesuffix('/run_pipeline.py')}"
    assert sorted(path for path in files if path.startswith("package/")) == sorted(
        [f"{package}/run_pipeline.py", f"{package}/streamkit.zip", f"{package}/tables/products.csv"]
        + [f"package/jars/{jar}" for jar in jars]
    )
    assert "streamkit/run.py" in zipfile.ZipFile(BytesIO(files[f"{package}/streamkit.zip"])).namelist()
    assert root.startswith("abfs://jobs-clicks@")
    assert root.endswith(f".dfs.core.windows.net/{FOLDER}")
    assert asked["pyFiles"] == [f"{root}/{package}/streamkit.zip"]
    assert sorted(asked["jars"]) == [f"{root}/package/jars/{jar}" for jar in jars]
    assert (asked["name"], asked["driverMemory"], asked["numExecutors"]) == ("clicks-sales", "2g", 3)
    assert asked["conf"]["spark.sql.shuffle.partitions"] == "12"
    assert not [each for each in asked["args"] if "{{" in each or "}}" in each]  # YARN would rewrite them
    assert {each.path for each in cloud.requests if each.method == "POST" and "batches" in each.path} == {
        "/livy/batches"
    }
    document = document_of(asked)
    assert document["storage"] == root
    assert document["tables"]["products"]["path"] == f"{root}/{package}/tables/products.csv"
    assert document["sources"]["sales"]["kafka"]["bootstrap"].count(":9092") == 3
    assert json.loads(files["_control/submitted.json"])["fingerprint"] == document["fingerprint"] == told["fingerprint"]

    # Again: looked at, and nothing sent.
    before = len(writes(cloud))
    again = made.run("jobs", "submit", "--json").ok().json["jobs"][0]
    assert (again["action"], again["id"], len(livy.posted)) == ("unchanged", told["id"], 1)
    assert len(writes(cloud)) == before
    made.run("jobs", "status").ok()
    assert '"event": "started"' in made.run("jobs", "logs", "sales").ok().out

    # Changed: stopped between two micro-batches, and started anew; of its files only what is new is sent.
    made.write(with_job(trigger="5s"))
    moved = made.run("jobs", "submit", "--json").ok().json["jobs"][0]
    assert (moved["action"], moved["was_killed"], len(livy.posted)) == ("restarted", False, 2)
    assert not [path for path in writes(cloud)[before:] if ".jar." in path]
    assert sum(".jar." in path for path in writes(cloud)) >= len(jars)

    stopped = made.run("jobs", "stop", "--json").ok().json["jobs"][0]
    assert (stopped["was_running"], stopped["was_killed"]) == (True, False)
    assert [job["state"] for job in made.run("jobs", "status", "--json").ok().json["jobs"]] == ["stopped"]
    # Livy forgets it after minutes; its folder still tells.
    livy.worlds["jobs-clicks"].pass_time(601)
    assert [job["state"] for job in made.run("jobs", "list", "--json").ok().json["jobs"]] == ["stopped"]
    made.run("jobs", "checkpoint", "show", "sales").ok()
    assert "has no checkpoint" in made.run("jobs", "checkpoint", "show", "sales").ok().out


def test_a_change_that_does_not_fit_leaves_the_run_at_work_alone(made: Workspace, cloud: FakeCloud, livy: LivyPlane):
    first = made.run("jobs", "submit", "--json").ok().json["jobs"][0]
    note = {"version": 1, "pipeline": "sales_enrich", "query": "revenue", "spark": "3.3.1", "sink": "kafka revenue"}
    note |= {"operators": ["another"], "topics": {"sales": None}, "cluster": None}
    ((account, file_system),) = [key for key in cloud.lakes._files if key[1] == "jobs-clicks"]
    files = cloud.lakes.make(account, file_system)
    for name, content in (("hdictl.json", json.dumps(note)), ("offsets/0", "v1")):
        place = f"{FOLDER}/checkpoints/revenue/{name}"
        files.create(place, is_folder=False, metadata={}, only_new=True).content = content.encode()
    made.write(with_job(trigger="5s"))
    if spark_version().startswith("3.3."):
        made.run("jobs", "submit").failed(1, "E412", "job `sales`", "query `revenue`: stateful operators differ")
        now = made.run("jobs", "status", "--json").ok().json["jobs"][0]
        assert (now["id"], now["state"], now["fingerprint"]) == (first["id"], "running", first["fingerprint"])
        assert len(livy.posted) == 1
    else:
        # What another line of Spark says about state is no reason.
        assert "not compared with its checkpoints" in made.run("jobs", "submit").ok().err
        assert len(livy.posted) == 2


def test_one_that_may_not_start_says_why(made: Workspace, livy: LivyPlane):
    livy.refusal = ("topic `sales` was deleted and made anew", "hdictl jobs checkpoint reset sales")
    made.run("jobs", "submit").failed(1, "E412", "job `sales`", "was deleted and made anew", "checkpoint reset sales")
    made.run("jobs", "status").failed(4, "failed", "was deleted and made anew")


def test_one_that_was_taken_out_of_the_stack_is_listed_and_stopped_by_its_name(
    made: Workspace, cloud: FakeCloud, livy: LivyPlane
):
    made.run("jobs", "submit").ok()
    world = livy.worlds["jobs-clicks"]
    theirs = world.create({"file": "abfs://a@elsewhere.dfs.core.windows.net/job.py", "name": "clicks-theirs"})
    theirs.act = Act(Job(code=None))
    with pytest.raises(Exception, match="File is required"):
        world.create({"name": "clicks-phantom"})
    made.write({**with_job(), "jobs": {}})
    (stray,) = made.run("jobs", "list", "--json").ok().json["jobs"]
    assert (stray["name"], stray["pipeline"], stray["state"], stray["is_in_stack"]) == (
        "sales", "sales_enrich", "running", False,
    )  # fmt: skip
    assert "hdictl jobs stop sales" in made.run("jobs", "list").ok().err
    (stopped,) = made.run("jobs", "stop", "sales", "--json").ok().json["jobs"]
    assert (stopped["was_running"], stopped["was_killed"]) == (True, False)
    assert made.run("jobs", "list", "--json").ok().json["jobs"] == []
    made.run("jobs", "stop", "theirs").failed(2, "E413", "there is no job `theirs`")


def test_what_stands_in_the_way_is_told(made: Workspace, cloud: FakeCloud, livy: LivyPlane):
    # Somebody else runs a batch of the name: it is not ended, and nothing is sent.
    livy.worlds["jobs-clicks"].create(
        {"file": "abfs://jobs@elsewhere.dfs.core.windows.net/job.py", "name": "clicks-sales"}
    )
    theirs = livy.worlds["jobs-clicks"].batches[0]
    theirs.act.job = theirs.act.job.__class__(code=None)
    made.run("jobs", "submit").failed(1, "E421", "was not submitted from here", "hdictl jobs stop sales")
    assert livy.worlds["jobs-clicks"].batches == {0: theirs}
    assert livy.posted == []
    livy.worlds["jobs-clicks"].delete(theirs)

    # A phantom of the name is nobody.
    with pytest.raises(Exception, match="File is required"):
        livy.worlds["jobs-clicks"].create({"name": "clicks-sales"})
    assert [job["state"] for job in made.run("jobs", "list", "--json").ok().json["jobs"]] == ["absent"]

    livy.is_down = True
    made.run("jobs", "list", timeout=120).failed(1, "E420", "jobs-clicks", "502")
    livy.is_down = False

    cloud.secret("kv-clicks", "gateway", "Another-Pa55word!", group="rg-clicks")
    made.run("jobs", "status").failed(1, "E420", "the gateway user or password is wrong", "secrets.gateway")


def test_who_has_no_role_on_the_storage_is_told_which(made: Workspace, cloud: FakeCloud, livy: LivyPlane):
    account = next(each.id.name for each in cloud.world.of_type("Microsoft.Storage/storageAccounts"))
    cloud.lakes.denied.add(account)
    made.run("jobs", "submit").failed(1, "Storage Blob Data Contributor")
    assert livy.posted == []


def test_what_runs_elsewhere_is_not_run_here(made: Workspace):
    made.run("pipeline", "run", "sales_enrich").failed(2, "hdictl jobs submit")
