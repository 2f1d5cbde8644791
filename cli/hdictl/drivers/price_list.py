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
        return Prices.model_validate(found)
    except FileNotFoundError:
        raise UsageError("there is no such price list", where=str(file), fix=fix) from None
    except (UnicodeDecodeError, yaml.YAMLError) as error:
        raise UsageError(f"is no YAML: {str(error).splitlines()[0]}", where=str(file), fix=fix) from None
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "the file"
        raise UsageError(f"{place}: {first['msg']}", where=str(file), fix=fix) from None
