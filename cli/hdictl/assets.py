"""Where the files that ship with hdictl are: templates/, pipelines/ and jobs/.

In a wheel they lie inside the package; in a checkout they lie at the top of the tree.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_SHIPPED = _PACKAGE / "_assets"
_ROOT = _SHIPPED if _SHIPPED.is_dir() else _PACKAGE.parents[1]


def template(*parts: str) -> Path:
    return _ROOT.joinpath("templates", *parts)


def pipeline(name: str) -> Path:
    return _ROOT.joinpath("pipelines", name)


def jobs() -> Path:
    return _ROOT / "jobs"
