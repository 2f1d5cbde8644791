"""A price list from a file."""

from __future__ import annotations

from pathlib import Path

import yaml
from pydantic import ValidationError

from hdictl.errors import UsageError
from hdictl.plan.cost import Prices


def read_prices(file: Path) -> Prices:
    """YAML, of which JSON is a part."""
    fix = "see docs/cost.md for what it may hold"
    try:
        found = yaml.safe_load(file.read_text(encoding="utf-8"))
        if not isinstance(found, dict):
            raise UsageError("it is not a map, `key: value`", where=str(file), fix=fix)
        return Prices.model_validate(found)
    except FileNotFoundError:
        raise UsageError("there is no such price list", where=str(file), fix=fix) from None
    except yaml.MarkedYAMLError as error:
        line = f":{error.problem_mark.line + 1}" if error.problem_mark else ""
        raise UsageError(f"it is not YAML: {error.problem}", where=f"{file}{line}", fix=fix) from None
    except (UnicodeDecodeError, yaml.YAMLError):
        raise UsageError("it is not YAML", where=str(file), fix=fix) from None
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "the file"
        raise UsageError(f"{place}: {first['msg']}", where=str(file), fix=fix) from None
