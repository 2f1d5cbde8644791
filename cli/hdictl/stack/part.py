"""What every part of the stack file is, and how people write its values."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainValidator

from hdictl.stack.shown import shown
from hdictl.stack.units import milliseconds


def _duration(value: Any) -> Any:
    if isinstance(value, str):
        return milliseconds(value)
    raise ValueError(f"`{shown(value)}` has no unit: write 10s, 5m, 2h or 3d")


def nothing_is_empty(value: Any) -> Any:
    """`page-views:` with nothing behind it is a topic with defaults, not an error."""
    return {} if value is None else value


def _setting(value: Any) -> Any:
    if isinstance(value, (bool, int, float, str)):
        return value
    raise ValueError("must be a word, a number, true or false")


def _topic_setting(value: Any) -> Any:
    if value is None:
        return None
    if isinstance(value, list) and value and all(isinstance(part, str) for part in value):
        return ",".join(value)
    return _setting(value)


Scalar = bool | int | float | str
Word = Annotated[str, Field(min_length=1)]
Setting = Annotated[Scalar, PlainValidator(_setting, json_schema_input_type=Scalar)]
TopicSetting = Annotated[
    Scalar | None, PlainValidator(_topic_setting, json_schema_input_type=Scalar | list[str] | None)
]
Duration = Annotated[int, BeforeValidator(_duration, json_schema_input_type=str)]


class Part(BaseModel):
    """A part of the stack file."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)
