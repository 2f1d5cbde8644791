"""What a person allows, or leaves out, when a plan is made."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class PlanPart(str, Enum):
    """Parts of a plan that can be left out. All but the last are dry runs by Azure itself."""

    WHAT_IF = "what-if"
    VALIDATE = "validate"
    CREATE_REQUEST = "create-request"
    NAMES = "names"
    QUOTA = "quota"
    CAPABILITIES = "capabilities"
    TOPICS = "topics"


DRY_RUNS = frozenset(PlanPart) - {PlanPart.TOPICS}


@dataclass(frozen=True)
class Wishes:
    """What a person allows, or does not want to wait for, when a plan is made."""

    delete_topics: bool = False
    replace: frozenset[str] = frozenset()  # clusters that may be deleted and made anew
    skip: frozenset[PlanPart] = frozenset()
