"""A page of the docs, followed as a reader would: files written, commands run, what they print compared.

```yaml       a file: the one that its first line names (`# prices.yaml`), or stack.yaml; `# in stack.yaml` is
              laid over what is there
```console    `$ command`, its exit code behind it (`# exit 3`), and lines of what it prints; others may stand between
```sh, text   for the reader's eyes: another program, or another machine
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import yaml

from tests.workspace import Outcome, Workspace

ROOT = Path(__file__).parents[3]
_BLOCK = re.compile(r"^```(yaml|console)\n(.*?)^```", re.S | re.M)
_FILE = re.compile(r"# (in )?(\S+\.yaml)\b")
# What differs from run to run: seconds, addresses, process ids, Kafka's ids, records' times; of a rebalance its name,
# its bytes, and, of plans that cost the same, which one it is. Its moves and their minimum do not.
_VOLATILE = re.compile(
    r"127\.0\.0\.1:\d+|\d+\.\d+s|\b\d+s\b|id \S{22}|\"timestamp\": \d+|^(?:zookeeper|10\d\d) .*"
    r"|localhost:\d+|\S+\.azurehdinsight\.net:443"
    r"|[\d.]+ [KM]?B\b|in (?:less than )?\d+ s\b|\d{8}-\d{6}-\w{4}|\d+ of \d+ partitions"
)


def blocks(page: str) -> list[tuple[str, str]]:
    """What a reader types, as (language, text)."""
    return _BLOCK.findall((ROOT / page).read_text(encoding="utf-8"))


def follow(page: str, workspace: Workspace, after: Callable[[str], None] = lambda text: None) -> None:
    """`after` is called with each console block that was followed."""
    for language, text in blocks(page):
        if language == "yaml":
            _write(workspace, text)
            continue
        for command, code, shown in _commands(text):
            _obey(workspace, command, code, shown)
        after(text)


def _write(workspace: Workspace, text: str) -> None:
    named = _FILE.match(text)
    name = named[2] if named else "stack.yaml"
    if named and named[1]:
        stated = yaml.safe_load((workspace.folder / name).read_text())
        workspace.write(_laid_over(stated, yaml.safe_load(text)), name)
    else:
        workspace.write(text, name)


def _laid_over(stated: Any, change: Any) -> Any:
    if not isinstance(stated, dict) or not isinstance(change, dict):
        return change
    return {**stated, **{key: _laid_over(stated.get(key), value) for key, value in change.items()}}


def _obey(workspace: Workspace, command: str, code: int, shown: list[str]) -> None:
    if command.startswith("export "):
        name, _, value = command.removeprefix("export ").partition("=")
        workspace.environ[name] = value
        return
    outcome = _run(workspace, command)
    assert outcome.code == code, f"{command}\n{outcome}"
    said = [_steady(line) for line in (outcome.out + outcome.err).splitlines()]
    for line in shown:
        assert _steady(line) in said, f"{command} does not print `{line}`:\n{outcome.out}\n{outcome.err}"


def _steady(line: str) -> str:
    """What is the same in every run; columns may be narrower or wider."""
    return " ".join(_VOLATILE.sub("", line).split())


def _commands(text: str) -> Iterator[tuple[str, int, list[str]]]:
    for part in re.split(r"^\$ ", text, flags=re.M)[1:]:
        first, *shown = part.strip("\n").split("\n")
        command, _, remark = first.partition("    # ")
        code = re.search(r"exit (\d)", remark)
        # The README does not comment each exit code: a plan that shows changes exits with 3.
        expected = int(code[1]) if code else 3 if any(line.startswith("plan: ") for line in shown) else 0
        yield command.strip(), expected, [line for line in shown if line.strip() and line.strip() != "…"]


def _run(workspace: Workspace, command: str) -> Outcome:
    script = f'hdictl() {{ "{sys.executable}" -m hdictl "$@"; }}\nset -o pipefail\n{command}'
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=workspace.folder,
        env=workspace.environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )
    return Outcome(done.returncode, done.stdout, done.stderr)
