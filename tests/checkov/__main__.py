"""Run checkov over every example stack, rendered and resolved: `python -m tests.checkov path/to/checkov`.

checkov works out neither `resourceId` nor most functions, so it gets templates with values. It asks nothing of the
network. It passes over files that it cannot read, and skips for nothing, without a word: both fail here.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from hdictl import assets
from tests.unit.arm_schema.examples import EXAMPLES, resolved_templates

_OFFLINE = {"CKV_SKIP_PACKAGE_UPDATE_CHECK": "true", "LOG_LEVEL": "ERROR"}


def skipped() -> list[str]:
    """What templates/checkov.yaml says, which users give to their own checkov."""
    found: list[str] = yaml.safe_load(assets.template("checkov.yaml").read_text(encoding="utf-8"))["skip-check"]
    return found


def _report(checkov: str, folder: Path) -> Mapping[str, Any]:
    arguments = ["--directory", str(folder), "--framework", "arm", "--output", "json", "--compact", "--skip-download"]
    ran = subprocess.run(
        [checkov, *arguments], capture_output=True, text=True, check=False, env={**os.environ, **_OFFLINE}
    )
    try:
        found: Mapping[str, Any] = json.loads(ran.stdout)
    except json.JSONDecodeError:
        sys.exit(f"checkov gave no report (exit {ran.returncode}):\n{ran.stderr[-2000:]}")
    return found


def _complaints(report: Mapping[str, Any], resources: int) -> list[str]:
    failed = report["results"]["failed_checks"]
    excused = set(skipped())
    found = [
        f"{one['check_id']} {one['resource']}: {one['check_name']}" for one in failed if one["check_id"] not in excused
    ]
    found += [f"{one}: skipped for nothing" for one in sorted(excused - {one["check_id"] for one in failed})]
    found += [f"{one}: could not be read" for one in report["results"].get("parsing_errors", [])]
    if report["summary"]["resource_count"] != resources:
        found.append(f"{report['summary']['resource_count']} of {resources} resources were seen")
    return found


def main(checkov: str) -> int:
    with tempfile.TemporaryDirectory() as made:
        folder, resources = Path(made), 0
        for name in EXAMPLES:
            for scope, template in resolved_templates(name).items():
                (folder / f"{name.replace('/', '-')}.{scope}.json").write_text(json.dumps(template), encoding="utf-8")
                resources += len(template["resources"])
        report = _report(checkov, folder)
    complaints = _complaints(report, resources)
    counts = Counter(one["check_id"] for one in report["results"]["failed_checks"])
    summary = report["summary"]
    print(
        f"checkov {summary['checkov_version']}: {len(EXAMPLES)} stacks, {summary['resource_count']} resources, "
        f"{summary['passed']} passed, {sum(counts.values())} skipped with a reason ({', '.join(sorted(counts))})"
    )
    for one in complaints:
        print(one)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
