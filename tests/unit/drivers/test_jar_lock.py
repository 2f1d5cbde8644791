from __future__ import annotations

from pathlib import Path

import pytest

from hdictl import assets
from hdictl.drivers.java.jar_lock import LockedJar, parse_lock, read_lock, to_lock
from hdictl.errors import JarsUnavailable, TargetUnsupported

SUM = "0f" * 32


@pytest.mark.parametrize("name", sorted(file.stem for file in assets.template("jars").glob("*.lock")))
def test_every_lock_that_ships_is_whole_sorted_and_without_addresses(name):
    jars = read_lock(name)
    assert jars
    assert len({jar.path for jar in jars}) == len(jars)
    text = assets.template("jars", f"{name}.lock").read_text()
    assert "//" not in text
    assert text.endswith(to_lock(jars))


def test_a_line_is_read_and_written():
    (jar,) = parse_lock(f"# why\n\norg.lz4:lz4-java:1.8.0 sha256={SUM} size=7  # a word\n", where="x")
    assert jar == LockedJar("org.lz4", "lz4-java", "1.8.0", SUM, 7)
    assert jar.path == Path("org.lz4/lz4-java-1.8.0.jar")
    assert to_lock([jar]) == f"org.lz4:lz4-java:1.8.0 sha256={SUM} size=7\n"


@pytest.mark.parametrize(
    "line",
    [
        "org.lz4:lz4-java",
        "org.lz4:lz4-java:1.8.0 sha256=xyz size=7",
        f"org.lz4:lz4-java:1.8.0 sha256={SUM}",
        f"../..:lz4/../..:1 sha256={SUM} size=7",
    ],
)
def test_a_line_that_means_nothing_is_named(line):
    with pytest.raises(JarsUnavailable) as failure:
        parse_lock(f"\n{line}\n", where="x.lock")
    assert failure.value.where == "x.lock:2"


def test_an_unknown_lock_says_which_there_are():
    with pytest.raises(TargetUnsupported) as failure:
        read_lock("kafka-0.8")
    assert "kafka-3.2.0" in failure.value.fix
