"""What Livy is asked for, and what is made of what it says."""

from __future__ import annotations

import base64
import json
import random
import shutil
import zlib
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hdictl.drivers.job_folder import LocalFolder
from hdictl.drivers.livy.batch import Batch, BatchRequest
from hdictl.drivers.livy.client import LivyClient
from hdictl.drivers.livy.jobs import LivyJobs
from hdictl.drivers.livy.staging import SparkCluster
from hdictl.drivers.spark.command import SAFE
from hdictl.errors import JobExists, JobRefused
from hdictl.ports.job_driver import FAILED, OVER, RUNNING, STARTING, LivingJob
from hdictl.ports.progress import Silent
from hdictl.streaming.state import SUBMITTED
from hdictl.workflow.jobs.bound import BoundJob
from hdictl.workflow.jobs.package import to_package
from hdictl.workflow.jobs.status import stray_status
from tests.fakes.jobs import bound_job
from tests.fakes.livy.yarn import as_yarn_passes_it_on
from tests.fakes.small_pipeline import BINDING


class Client(LivyClient):
    """Writes down what it is asked. `found` is what it has under the name, look by look."""

    def __init__(self, *found: Batch | None) -> None:
        super().__init__(None, "Livy", pause=lambda _: None)
        self._found = list(found)
        self.requests: list[BatchRequest] = []
        self.deleted: list[int] = []
        self.logs: list[list[str]] = []
        self.said_by_yarn: tuple[str, ...] = ()
        self.all: tuple[Batch, ...] = ()

    def batches(self) -> tuple[Batch, ...]:
        return self.all

    def batch(self, name_or_id: str | int) -> Batch | None:
        return self._found.pop(0) if len(self._found) > 1 else (self._found or [None])[0]

    def submit(self, request: BatchRequest) -> Batch:
        self.requests.append(request)
        return Batch(9, "starting", request.name)

    def delete(self, id: int) -> None:
        self.deleted.append(id)
        self._found = []

    def log(self, id: int) -> tuple[str, ...]:
        return tuple(self.logs.pop(0) if len(self.logs) > 1 else self.logs[0])

    def diagnostics(self, id: int) -> tuple[str, ...]:
        return self.said_by_yarn


PHANTOM = Batch(7, "starting", "clicks-orders", is_logged=False)


def driver_of(folder: Path, client: Client, **configuration: str) -> LivyJobs:
    cluster = SparkCluster("3.3.1", "clicks", "Livy of `jobs`", configuration)
    return LivyJobs(client, lambda job: nullcontext(LocalFolder(folder / job)), cluster, pause=lambda _: None)


def launch(driver: LivyJobs, bound: BoundJob) -> LivingJob:
    return driver.stage(to_package(driver, bound), Silent()).start(Silent())


def requested(folder: Path, pipeline: str = "orders", job: dict[str, Any] | None = None, **conf: str) -> BatchRequest:
    """By coordinates, so that no jar is needed."""
    client = Client()
    driver = driver_of(folder, client, **conf)
    bound = bound_job(pipeline, folder, **{**BINDING, "packages": True, **(job or {})})
    launch(driver, bound)
    return client.requests[0]


def unpacked(asked: BatchRequest) -> Any:
    """As the job gets it: YARN stands between."""
    argument = as_yarn_passes_it_on(str(asked.args[1]))
    return json.loads(zlib.decompress(base64.urlsafe_b64decode(argument.removeprefix("z:"))))


def test_no_argument_has_what_yarn_would_rewrite(folder):
    body = requested(folder).to_body()
    assert not [each for each in body["args"] if "{{" in each or "}}" in each or "<" in each]


def test_entry_point_library_document_and_name(folder):
    asked = requested(folder)
    root = (folder / "orders").as_uri()
    package = asked.file.removesuffix("/run_pipeline.py")
    assert package.startswith(f"{root}/package/")
    assert asked.py_files == (f"{package}/streamkit.zip",)
    assert asked.name == "clicks-orders"
    assert asked.args[0] == "--spec"
    document = unpacked(asked)
    assert (document["job"], document["storage"]) == ("orders", root)
    assert document["fingerprint"]
    staged = {file.name for file in Path(package.removeprefix("file://")).iterdir()}
    assert staged == {"run_pipeline.py", "streamkit.zip"}


def test_resources_are_those_of_the_job(folder):
    resources = {"driver_memory": "2g", "driver_cores": 1, "executors": 3, "executor_memory": "4g", "executor_cores": 2}
    body = requested(folder, job={"resources": resources}).to_body()
    wanted = {"driverMemory": "2g", "driverCores": 1, "numExecutors": 3, "executorMemory": "4g", "executorCores": 2}
    assert {key: body[key] for key in wanted} == wanted
    assert not set(wanted) & set(requested(folder).to_body())  # the cluster gives what it gives


def test_settings_of_the_cluster_are_above_those_of_the_job(folder):
    asked = requested(folder, job={"configuration": {"spark.a": True, "spark.b": 1}}, **{"spark.b": "2"})
    assert (asked.conf["spark.a"], asked.conf["spark.b"]) == ("true", "2")
    for side in ("driver", "executor"):
        assert asked.conf[f"spark.{side}.extraJavaOptions"] == " ".join(SAFE)


@pytest.mark.parametrize("side", ["driver", "executor"])
def test_a_jobs_own_java_options_stand_behind_ours(folder, side):
    key = f"spark.{side}.extraJavaOptions"
    asked = requested(folder, job={"configuration": {key: "-Dmine=1 -Xss8m", "spark.a": 1}})
    assert asked.conf[key] == " ".join([*SAFE, "-Dmine=1 -Xss8m"])
    # Set again by the session they would come to executors without ours.
    assert unpacked(asked)["configuration"] == {"spark.a": "1"}
    assert requested(folder, **{key: "-Dof=cluster"}).conf[key] == " ".join([*SAFE, "-Dof=cluster"])


@pytest.mark.parametrize(
    ("job", "artifacts"),
    [
        ({}, {"spark-sql-kafka-0-10_2.12:3.3.1", "spark-avro_2.12:3.3.1"}),
        ({"delta": True}, {"spark-sql-kafka-0-10_2.12:3.3.1", "spark-avro_2.12:3.3.1", "delta-core_2.12:2.3.0"}),
    ],
)
def test_by_coordinates_the_cluster_fetches_what_the_lock_names(folder, job, artifacts):
    asked = requested(folder, job=job)
    assert asked.jars == ()
    assert {each.partition(":")[2] for each in asked.conf["spark.jars.packages"].split(",")} == artifacts


def test_tables_of_the_pipelines_folder_go_along(folder):
    job = {"reads": {"sales": "orders"}, "writes": {"revenue": "out", "dead_letters": "dead"}}
    asked = requested(folder, "sales_enrich", job)
    table = unpacked(asked)["tables"]["products"]["path"]
    assert table == asked.file.replace("run_pipeline.py", "tables/products.csv")
    assert Path(table.removeprefix("file://")).read_text().startswith("product_id,")


def test_a_table_may_be_a_folder(folder):
    place = folder / "pipelines" / "orders"
    (place / "tables" / "day=1").mkdir(parents=True)
    (place / "tables" / "day=1" / "part.csv").write_text("id\n1\n")
    text = (place / "pipeline.yaml").read_text()
    (place / "pipeline.yaml").write_text(f"{text}tables: {{days: {{path: tables}}}}\n")
    (place / "passed.sql").write_text("SELECT orders.id, orders.amount FROM orders JOIN days USING (id)")
    package = Path(requested(folder).file.removeprefix("file://")).parent
    assert (package / "tables" / "day=1" / "part.csv").read_text() == "id\n1\n"


def test_what_goes_along_is_not_written_over_while_a_run_reads_it(folder):
    """And is gone when the next one has taken its place."""
    job = {"reads": {"sales": "orders"}, "writes": {"revenue": "out", "dead_letters": "dead"}, "packages": True}
    place = folder / "pipelines" / "sales"
    shutil.copytree(bound_job("sales_enrich", folder, **job).pipeline.folder, place)
    client = Client()
    driver = driver_of(folder, client)
    launch(driver, bound_job("sales", folder, **job))
    table = place / "tables" / "products.csv"
    table.write_text(table.read_text() + "\n")
    staged = driver.stage(to_package(driver, bound_job("sales", folder, **job)), Silent())
    before, packages = Path(client.requests[0].file.removeprefix("file://")).parent, folder / "orders" / "package"
    assert before.joinpath("tables/products.csv").read_text() == table.read_text()[:-1]
    assert len(list(packages.iterdir())) == 2
    staged.start(Silent())
    after = Path(client.requests[1].file.removeprefix("file://")).parent
    assert list(packages.iterdir()) == [after] != [before]


def test_what_is_too_long_for_a_command_line_is_refused_before_anything_is_done(folder):
    noise = random.Random(1).randbytes(80_000).hex()  # of which zlib takes half away, and base64 adds a third
    (folder / "pipelines" / "orders" / "passed.sql").write_text(f"SELECT id, amount FROM orders -- {noise}")
    client = Client()
    driver = driver_of(folder, client)
    package = to_package(driver, bound_job("orders", folder, **BINDING))
    with pytest.raises(JobRefused, match=r"has 1\d\d,\d{3} bytes when it is packed, and Livy can pass on 100,000"):
        driver.stage(package, Silent())
    assert (client.requests, (folder / "orders").exists()) == ([], False)


@pytest.mark.parametrize(
    ("batch", "expected"),
    [
        (Batch(7, "starting"), STARTING),
        (Batch(7, "running"), RUNNING),
        (Batch(7, "shutting_down"), RUNNING),
        (Batch(7, "success"), OVER),
        (Batch(7, "dead"), FAILED),
        (Batch(7, "killed"), FAILED),
        (Batch(7, "error"), FAILED),
        (Batch(7, "never heard of"), RUNNING),
    ],
)
def test_a_batch_as_a_job(folder, batch, expected):
    assert driver_of(folder, Client(batch)).find("orders").state == expected


def test_a_batch_has_its_application_beside_its_number(folder):
    batch = Batch(7, "running", app_id="application_1_2")
    assert driver_of(folder, Client(batch)).find("orders").id == "7, application_1_2"


def test_a_phantom_is_no_job_and_one_that_is_being_started_is(folder):
    assert driver_of(folder, Client(PHANTOM)).find("orders") is None
    assert driver_of(folder, Client(PHANTOM, Batch(7, "running"))).find("orders").state == RUNNING
    assert driver_of(folder, Client(PHANTOM, None)).find("orders") is None
    assert driver_of(folder, Client()).find("orders") is None


@pytest.mark.parametrize("batch", [PHANTOM, Batch(7, "dead"), Batch(7, "success")])
def test_what_holds_the_name_and_does_not_run_is_taken_away(folder, batch):
    client = Client(batch)
    driver = driver_of(folder, client)
    launch(driver, bound_job("orders", folder, **BINDING, packages=True))
    assert (client.deleted, len(client.requests)) == ([7], 1)


def test_one_that_is_being_started_by_somebody_else_is_not_taken_away(folder):
    client = Client(PHANTOM, Batch(7, "starting"))
    with pytest.raises(JobExists, match="batch 7 is starting"):
        launch(driver_of(folder, client), bound_job("orders", folder, **BINDING, packages=True))
    assert (client.deleted, client.requests) == ([], [])


@pytest.mark.parametrize("state", ["starting", "running", "busy", "never heard of"])
def test_one_that_runs_is_not_started_again(folder, state):
    client = Client(Batch(7, state))
    driver = driver_of(folder, client)
    with pytest.raises(JobExists, match=f"batch 7 is {state}"):
        launch(driver, bound_job("orders", folder, **BINDING, packages=True))
    assert (client.deleted, client.requests) == ([], [])


def test_jobs_are_known_by_their_batches_and_their_folders(folder):
    """Whoever may submit to a Livy may call a batch what they like; what this stack submitted has a note."""
    client = Client()
    driver = driver_of(folder, client)
    for job in ("old", "eu-orders", "over"):
        with driver.storage(job) as storage:
            storage.write(SUBMITTED, b"{}")
    client.all = (
        Batch(1, "running", "clicks-old"),
        Batch(2, "starting", "clicks-eu-orders"),
        Batch(3, "success", "clicks-over"),
        Batch(4, "running", "clicks-eu-views"),  # job `views` of a stack `clicks-eu`, which has another storage
        Batch(5, "running", "old"),
        Batch(6, "running", "clicksold"),
        Batch(7, "running", None),
        *(Batch(10 + n, "running", f"clicks-{odd}") for n, odd in enumerate(("", "..", "../old", "old/", "o\\ld"))),
    )
    assert driver.names() == ["eu-orders", "old"]


def test_a_phantom_of_a_job_that_was_submitted_once_is_no_stray(folder):
    client = Client(PHANTOM)
    client.all = (PHANTOM,)
    driver = driver_of(folder, client)
    with driver.storage("orders") as storage:
        storage.write(SUBMITTED, b"{}")
    assert driver.names() == ["orders"]
    assert stray_status(driver, "orders") is None


@pytest.mark.parametrize(
    ("batch", "is_killed"),
    [
        (Batch(7, "running", "clicks-orders"), True),
        (Batch(7, "running", None, is_nameable=False), True),
        (Batch(7, "running", "somebody-elses"), False),  # Livy was set up anew, and counts from 0 again
        (Batch(7, "success", "clicks-orders"), False),
        (None, False),
    ],
)
def test_a_run_is_ended_by_its_number(folder, batch, is_killed):
    client = Client(batch)
    assert driver_of(folder, client).kill("orders", "7") is is_killed
    assert client.deleted == ([7] if is_killed else [])


def test_a_log_is_followed_by_its_windows_until_the_batch_is_over(folder):
    client = Client(*[Batch(7, "running")] * 3, Batch(7, "success"))
    client.logs = [list("abc"), list("bcd"), list("xyz"), list("yz!")]
    found = list(driver_of(folder, client).log("orders", lines=2, follow=True))
    assert found == ["b", "c", "d", "… lines are lost here: Livy keeps the last 200 only", "x", "y", "z", "!"]


@pytest.mark.parametrize("follow", [False, True])
def test_what_yarn_says_stands_at_the_end_of_the_log(folder, follow):
    client = Client(Batch(7, "dead"))
    client.logs, client.said_by_yarn = [["a", "b"]], ("Container killed on request. Exit code is 137", "")
    driver = driver_of(folder, client)
    said = "YARN: Container killed on request. Exit code is 137"
    assert list(driver.log("orders", lines=1, follow=follow)) == ["b", said]
    assert list(driver.log("orders", lines=0, follow=False)) == []


def test_the_log_of_nobody_is_empty(folder):
    assert list(driver_of(folder, Client()).log("orders", lines=9, follow=True)) == []


def test_a_cluster_of_another_spark_has_other_jars(folder):
    driver = driver_of(folder, Client())
    other = driver_of(folder, Client())
    other.spark = "3.5.7"
    digests = {each.package_digest(has_delta=delta) for each in (driver, other) for delta in (False, True)}
    assert len(digests) == 4
    bound = bound_job("orders", folder, **BINDING)
    assert replace(to_package(driver, bound), document={}) != replace(to_package(other, bound), document={})
