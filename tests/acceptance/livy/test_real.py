"""What only a real Livy with a real Spark behind it can show."""

from __future__ import annotations

import psutil
import pytest

from hdictl.drivers.livy.batch import BatchRequest
from hdictl.drivers.livy.connect import connect
from hdictl.drivers.local.processes import end, is_alive
from tests.acceptance.livy.site import request
from tests.waiting import until

_COUNTS = """\
import sys
from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
print("master", spark.sparkContext.master)
print("rows", spark.range(1000).count())
print("arguments", sys.argv[1:])
print("grüße", "Ω")
spark.stop()
"""
_WAITS = """\
from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
print("line 0", flush=True)
spark._jvm.java.lang.Thread.sleep(120_000)
"""
# Each of them has broken some shell on its way.
_ARGUMENTS = ("two words", 'a "quoted" one', "it's", "$HOME", "`date`", "a,b", "--flag=1", "größer", "", 7, True)


@pytest.fixture
def client(livy):
    with connect(livy.root, None, None, "Livy") as client:
        yield client


def test_pyspark_runs_and_gets_its_arguments_as_they_are(client, livy):
    file = livy.jobs / "counts.py"
    file.write_text(_COUNTS, encoding="utf-8")
    asked = request(str(file), "counts", args=_ARGUMENTS, driver_memory="512m")
    quiet = {"spark.driver.host": "127.0.0.1", "spark.master": "local[1]", "spark.log.level": "ERROR"}
    batch = client.submit(BatchRequest(**{**vars(asked), "conf": {**asked.conf, **quiet}}))
    until(lambda: client.batch(batch.id).is_over, 90)
    said = client.log(batch.id)
    assert client.batch(batch.id).has_succeeded, said
    assert "rows 1000" in said
    assert f"arguments {[str(each) for each in _ARGUMENTS[:-1]] + ['true']}" in said
    assert "grüße Ω" in said
    assert "master local[2]" in said  # the server's own: a master in `conf` is passed over in silence
    client.delete(batch.id)


def test_a_batch_that_is_deleted_leaves_no_process_behind(client, livy):
    """Livy kills the JVM. Its Python ends when it talks to it, as a streaming query does all the time.

    One that does something else at that moment goes on alone, until it wants something of Spark: measured. On YARN the
    container ends with all that is in it.
    """
    file = livy.jobs / "sleeps.py"
    file.write_text(_WAITS, encoding="utf-8")
    batch = client.submit(request(str(file), "sleeps"))
    until(lambda: "line 0" in client.log(batch.id), 60)
    family = [process for process in psutil.process_iter() if _runs(process, str(file))]
    assert len(family) == 2  # Java and Python
    client.delete(batch.id)
    try:
        until(lambda: not any(is_alive(process) for process in family), 10)
    finally:
        end(family, grace=0)  # nobody, unless the test has failed


def _runs(process: psutil.Process, file: str) -> bool:
    try:
        return any(argument.endswith(file) for argument in process.cmdline())
    except psutil.Error:
        return False
