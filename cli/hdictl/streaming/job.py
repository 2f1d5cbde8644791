"""A job: a pipeline bound to topics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class JobSpec:
    """A pipeline bound to the topics of one cluster."""

    name: str
    pipeline: Path  # its folder
    bootstrap: str
    reads: Mapping[str, str]  # source of the pipeline → topic
    writes: Mapping[str, str]  # sink of the pipeline → topic, or the folder of a file sink
    flows: tuple[str, ...] = ()  # of the pipeline's flows these; none named: all
    trigger_ms: int | None = None  # None: as the pipeline says
    is_available_now: bool = False  # what is there now, and then the end
    max_offsets_per_trigger: int | None = None
    starting_offsets: Mapping[str, str] = field(default_factory=dict)  # source → where a new job begins
    parameters: Mapping[str, bool | int | float | str] = field(default_factory=dict)
    configuration: Mapping[str, str] = field(default_factory=dict)
    group: str | None = None  # its consumer groups begin with it; None: it commits no offsets
