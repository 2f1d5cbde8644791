"""What loading finds: the shape of the file, overlays, variables."""

from __future__ import annotations

import pytest

from hdictl.errors import UsageError
from hdictl.stack.load import load
from tests.unit.stack.stacks import checked, loaded

SHAPES = {
    "tab": ("stack: d\nclusters:\n\tk: {}\n", "S001", 3, "not valid YAML"),
    "empty": ("", "S001", 1, "the file is empty"),
    "list": ("- a\n", "S001", 1, "must be a mapping"),
    "twice": ("stack: d\nstack: e\n", "S001", 2, "`stack` is given twice (first on line 1)"),
    "two documents": ("stack: d\n---\nstack: e\n", "S001", 2, "second document"),
    "merge key": ("stack: d\nazure: &a {}\nmonitor: {<<: *a}\n", "S001", 3, "merge keys"),
    "tag": ("stack: !!python/object:os.system d\n", "S001", 1, "is not supported"),
    "unknown key": ("stack: d\ncluster: {}\n", "S002", 2, "unknown key `cluster` (did you mean `clusters`?)"),
    "unknown inner key": (
        "stack: d\nclusters:\n  k:\n    kind: kafka\n    workers: {cout: 3}\n",
        "S002",
        5,
        "unknown key `cout` (did you mean `count`?)",
    ),
    "missing": ("clusters: {}\n", "S003", 1, "`stack` is missing"),
    "no kind": ("stack: d\nclusters:\n  k: {}\n", "S003", 3, "`kind` is missing"),
    "wrong kind": ("stack: d\nclusters:\n  k: {kind: flink}\n", "S003", 3, "`kind` cannot be `flink`"),
    "text for a number": (
        "stack: d\ntopics:\n  t: {partitions: many}\n",
        "S003",
        3,
        "must be a whole number, not `many`",
    ),
    "zero": ("stack: d\ntopics:\n  t: {partitions: 0}\n", "S003", 3, "must be greater than 0, not `0`"),
    "mapping for text": ("stack: {a: b}\n", "S003", 1, "`stack` must be text, not a mapping"),
    "text for a mapping": ("stack: d\ntopics: many\n", "S003", 2, "`topics` must be a mapping, not text"),
    "bare number": (
        "stack: d\njobs:\n  j: {pipeline: p, cluster: s, trigger: 10}\n",
        "S003",
        3,
        "`10` has no unit",
    ),
    "long text": ("stack: d\ntopics:\n  t: {partitions: " + "x" * 3000 + "}\n", "S003", 3, "must be a whole number"),
    "unset variable": ("stack: ${NAME}\n", "S004", 1, "the environment variable NAME is not set"),
    "malformed variable": ("stack: ${na me}\n", "S005", 1, "`${na me}` is not a variable"),
}


@pytest.mark.parametrize(("text", "rule", "line", "says"), SHAPES.values(), ids=SHAPES.keys())
def test_shape(tmp_path, text, rule, line, says):
    found = {finding.rule: finding for finding in checked(tmp_path, text)}
    assert rule in found, found
    assert found[rule].mark.line == line
    assert says in found[rule].message
    assert len(found[rule].message) < 200


def test_everything_is_found_at_once(tmp_path):
    text = (
        "stack: d\nclusters:\n  good: {kind: kafka, workers: {count: 2}}\n  bad: {kind: kafka, wrokers: {}}\n"
        "topics:\n  defaults: {cluster: good}\n  a: {partitions: none}\n  b: {partitions: 1}\n  c: {cluster: bad}\n"
    )
    found = [(finding.rule, finding.mark.line) for finding in checked(tmp_path, text)]
    # `c` names a cluster that was left out: nothing is said of that. `b` needs 3 replicas, and `good` has 2 brokers.
    assert found == [("C001", 3), ("S002", 4), ("S003", 7), ("T002", 8), ("T005", 8)]


def test_what_was_cut_does_not_dangle(tmp_path):
    text = (
        "stack: d\nclusters:\n  k: {kind: kafka}\n  s: {kind: sparkk}\ntopics:\n  t: {partition: 3}\n"
        "jobs:\n  j: {pipeline: p, cluster: s, reads: {i: t}}\nmirrors:\n  m: {from: k, to: s, topics: [t]}\n"
        "waivers:\n  w: {rule: T002, on: ['topic:t'], reason: r}\n"
    )
    assert [(finding.rule, finding.mark.line) for finding in checked(tmp_path, text)] == [("S003", 4), ("S002", 6)]


def test_overlay_merges_by_name_and_keeps_lines(tmp_path):
    (tmp_path / "stack.prod.yaml").write_text(
        "clusters: {k: {workers: {count: 2}}}\ntopics:\n  t:\n    partitions: 1\n  gone: ~\n", encoding="utf-8"
    )
    text = "stack: d\nclusters: {k: {kind: kafka}}\ntopics:\n  t: {partitions: 6}\n  gone: {partitions: 1}\n"
    prod = loaded(tmp_path, text, env="prod")
    assert [key for key, _ in prod.stack.topics.items()] == ["t"]
    found = [(finding.rule, str(finding.mark).rpartition("/")[2]) for finding in checked(tmp_path, text, env="prod")]
    assert ("T002", "stack.prod.yaml:4") in found
    assert ("C001", "stack.prod.yaml:1") in found
    assert [finding.rule for finding in checked(tmp_path, text)] == ["T002"]


def test_an_overlay_that_is_not_there(tmp_path):
    (tmp_path / "stack.prod.yaml").write_text("stack: e\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"did you mean `prod`\?"):
        loaded(tmp_path, "stack: d\n", env="prd")


def test_no_file(tmp_path):
    with pytest.raises(UsageError, match="there is no stack file"):
        load(tmp_path / "stack.yaml", environ={})


def test_a_file_that_is_not_text(tmp_path):
    (tmp_path / "stack.yaml").write_bytes(b"stack: d\n\xff\xfe\n")
    with pytest.raises(UsageError, match="line 2 is not UTF-8"):
        load(tmp_path / "stack.yaml", environ={})


def test_a_folder_is_not_a_file(tmp_path):
    with pytest.raises(UsageError, match="cannot be read"):
        load(tmp_path, environ={})


def test_variables(tmp_path):
    text = "stack: ${NAME}-${SUFFIX:-one}\nclusters: {k: {kind: kafka, workers: {count: '${N}'}}}\n"
    stack = loaded(tmp_path, text, environ={"NAME": "demo", "N": "5"}).stack
    assert (stack.stack, stack.clusters["k"].workers.count) == ("demo-one", 5)


def test_variables_of_azure_are_needed_on_azure_only(tmp_path):
    text = (
        "stack: d\nazure: {subscription: '${SUBSCRIPTION}', resource_group: '${GROUP}', location: '${REGION}'}\n"
        "clusters: {k: {kind: kafka}}\nmonitor: {workspace: '${WORKSPACE}', notify: ['${MAIL}']}\n"
    )
    assert checked(tmp_path, text) == ()
    azure = [finding.rule for finding in checked(tmp_path, text, target="azure")]
    assert azure.count("S004") == 5


def test_a_value_cannot_change_the_shape(tmp_path):
    text = "stack: ${NAME}\n"
    found = checked(tmp_path, text, environ={"NAME": "a\nclusters: {}"})
    assert [finding.rule for finding in found] == ["N001"]


def test_variables_that_only_azure_asks_of_a_cluster_are_needed_on_azure_only(tmp_path):
    text = (
        "stack: d\nclusters:\n  k:\n    kind: kafka\n    tags: {owner: '${OWNER}'}\n"
        "    encryption: {key: {keyvault: '${VAULT}', name: k}}\n"
        "network: {westeurope: {address_space: 10.0.0.0/16, admins: ['${MY_ADDRESS}/32']}}\n"
    )
    assert checked(tmp_path, text) == ()
    azure = [finding.rule for finding in checked(tmp_path, text, target="azure")]
    assert azure.count("S004") == 3


def test_a_zone_may_be_written_as_a_number(tmp_path):
    text = "stack: d\nclusters: {k: {kind: kafka, zone: [[ZONE]]}}\n"
    for written in ("2", "'2'"):
        stack = loaded(tmp_path, text.replace("[[ZONE]]", written)).stack
        assert stack is not None and stack.clusters["k"].zone == "2"


@pytest.mark.parametrize("empty", ["groups: []", "groups: ['']", "user: ''", "ldaps: []"])
def test_nothing_of_a_security_profile_is_empty(tmp_path, empty):
    profile = {
        "domain": "domain: d.example",
        "directory": "directory: d",
        "identity": "identity: i",
        "ldaps": "ldaps: ['ldaps://d.example:636']",
        "user": "user: join",
        "password": "password: {env: P}",
        "groups": "groups: [analysts]",
        empty.partition(":")[0]: empty,
    }
    text = "stack: d\nclusters: {s: {kind: spark, security: {" + ", ".join(profile.values()) + "}}}\n"
    found = checked(tmp_path, text)
    assert [finding.rule for finding in found] == ["S003"]
    assert "is empty" in found[0].message
