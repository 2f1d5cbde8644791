"""Where pipelines are: beside the stack, or among those that ship with hdictl."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from hdictl import assets
from hdictl.errors import PipelineInvalid, UsageError
from hdictl.stack.suggest import did_you_mean
from hdictl.streaming.pipeline import FILE
from hdictl.streaming.trial import to_line

FOLDER = "pipelines"


def find_pipeline(name: str, beside: Path) -> Path:
    """`name` is a path to a folder, or the name of one: of the stack's own first, then of those that ship."""
    path = Path(name)
    if (path / FILE).is_file() and (os.sep in name or name == os.curdir):
        return path.resolve()
    for folder in (beside / FOLDER / name, assets.pipeline(name)):
        if (folder / FILE).is_file():
            return folder
    known = [each.name for each in own_pipelines(beside)] + [each.name for each in shipped_pipelines()]
    raise PipelineInvalid(
        f"there is no pipeline `{name}`{did_you_mean(name, known)}",
        where=str(beside / FOLDER),
        fix=f"there are: {', '.join(dict.fromkeys(known))}; make one: hdictl pipeline new {name}",
    )


def own_pipelines(beside: Path) -> list[Path]:
    return sorted(file.parent for file in (beside / FOLDER).glob(f"*/{FILE}"))


def shipped_pipelines() -> list[Path]:
    return sorted(file.parent for file in assets.pipeline(".").glob(f"*/{FILE}"))


def new_pipeline(name: str, beside: Path) -> Path:
    """A small pipeline that is green, to be changed step by step."""
    folder = beside / FOLDER / name
    if folder.exists():
        raise UsageError(f"{folder} is there already", where="pipeline new", fix="choose another name, or delete it")
    template = assets.template("pipeline")
    draft = folder.with_name(f".{name}.draft")
    shutil.rmtree(draft, ignore_errors=True)
    shutil.copytree(template, draft)
    document = draft / FILE
    document.write_text(document.read_text(encoding="utf-8").replace("${name}", name), encoding="utf-8")
    draft.rename(folder)
    return folder


def write_expected(folder: Path, rows: Mapping[str, Sequence[Mapping[str, object]]], counts: str) -> list[Path]:
    """What came of the fixtures becomes what must come: for whoever has looked at it."""
    place = folder / "fixtures" / "expected"
    place.mkdir(parents=True, exist_ok=True)
    written = []
    for name, each in rows.items():
        file = place / f"{name}.jsonl"
        lines = sorted(to_line(row) for row in each) if name != "dead_letters" else [to_line(row) for row in each]
        file.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        written.append(file)
    file = place / "counts.json"
    file.write_text(counts, encoding="utf-8")
    return [*written, file]
