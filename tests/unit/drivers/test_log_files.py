from __future__ import annotations

from itertools import islice

import pytest

from hdictl.drivers.local.log_files import follow, last_lines, last_words, telling_lines


@pytest.fixture
def log(tmp_path):
    return tmp_path / "node.log"


def test_the_end_of_a_log_and_of_no_log(log):
    assert last_lines(log, 2) == []
    log.write_text("a\nb\nc\n")
    assert last_lines(log, 2) == ["b", "c"]


def test_troubles_tell_more_than_the_last_lines(log, tmp_path):
    log.write_text(
        "INFO begin\nERROR Exiting due to fatal exception\n"
        "org.apache.kafka.common.config.ConfigException: Invalid value\n\tat kafka.Kafka$.main\nINFO bye\n"
    )
    assert telling_lines(log, tmp_path / "none", 5) == (
        "ERROR Exiting due to fatal exception",
        "org.apache.kafka.common.config.ConfigException: Invalid value",
    )


def test_the_last_words_are_the_end_and_not_a_trouble_of_long_ago(log, tmp_path):
    log.write_text("java.net.ConnectException: Connection refused\nINFO started\nINFO working\n")
    assert last_words(log, tmp_path / "none", 2) == ("INFO started", "INFO working")


def test_what_the_jvm_said_comes_last(log, tmp_path):
    console = tmp_path / "console.log"
    log.write_text("INFO quiet\n")
    console.write_text("skip writing class x\n\nTerminating due to java.lang.OutOfMemoryError: Java heap space\n")
    assert telling_lines(log, console, 5) == (
        "INFO quiet",
        "Terminating due to java.lang.OutOfMemoryError: Java heap space",
    )


def test_following_goes_through_half_lines_and_rotation(log):
    log.write_text("old\nlast\n")
    written = iter(
        [
            lambda: _append(log, "half"),
            lambda: _append(log, " done\n"),
            lambda: (log.rename(log.with_suffix(".1")), log.write_text("new file\n")),
        ]
    )
    lines = follow(log, 1, sleep=lambda _seconds: next(written)())
    assert list(islice(lines, 3)) == ["last", "half done", "new file"]
    lines.close()


def _append(log, text):
    with log.open("a") as stream:
        stream.write(text)
