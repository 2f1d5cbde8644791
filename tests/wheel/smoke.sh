#!/usr/bin/env bash
# Build the wheel, install it and nothing else of this tree in a clean environment, and run it away from the tree.
set -euo pipefail
python=$1
tree=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cd "$tree"
"$python" -m build --quiet --wheel --no-isolation --outdir "$work/dist"
"$python" -m venv "$work/venv"
"$work/venv/bin/python" -m pip --disable-pip-version-check install --quiet --require-hashes -r requirements/run.lock
"$work/venv/bin/python" -m pip --disable-pip-version-check install --quiet --no-deps --no-index "$work"/dist/*.whl

cd "$work"
unset PYTHONPATH
cp "$tree/tests/invariants/stacks/minimal.yaml" stack.yaml
"$work/venv/bin/hdictl" --version
"$work/venv/bin/hdictl" check
"$work/venv/bin/hdictl" schema > schema.json
AZURE_SUBSCRIPTION_ID=0b1f6471-1bf0-4dda-aec3-cb9272f09590 \
    "$work/venv/bin/hdictl" render --stack "$tree/tests/invariants/stacks/clickstream.yaml" --out rendered > render.txt
"$work/venv/bin/hdictl" check --template rendered/group.template.json --parameters rendered/group.parameters.json
"$work/venv/bin/python" - <<'CODE'
from hdictl import assets
for part in (assets.template("jars"), assets.template("docker"), assets.template("arm"), assets.pipeline("page_activity"), assets.jobs()):
    assert part.is_dir(), f"{part} is not in the wheel"
    assert "_assets" in part.parts, f"{part} does not come from the wheel"
print("wheel: templates, pipelines and jobs are inside")
CODE
