"""Did you mean …?"""

from __future__ import annotations

import difflib
import heapq
from collections.abc import Iterable
from functools import lru_cache

_LONGEST = 80  # nobody misspells more than that; comparing it would take long
_COMPARED = 30  # of thousands of topics, those with the most pairs of letters in common


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """` (did you mean `x`?)`, or nothing when no known word is near."""
    near = _nearest(word, tuple(known)) if len(word) <= _LONGEST else None
    return f" (did you mean `{near}`?)" if near else ""


def one_of(names: Iterable[str], kind: str) -> str:
    """`one of a, b, c`, or that there is none yet."""
    listed = list(names)
    more = f" and {len(listed) - 8} more" if len(listed) > 8 else ""
    return f"one of {', '.join(listed[:8])}{more}" if listed else f"a {kind}: there is none yet"


@lru_cache(maxsize=256)
def _nearest(word: str, known: tuple[str, ...]) -> str | None:
    """The same slip is often made many times, so answers are kept."""
    wanted = _folded(word)
    candidates = _by_spelling(known)
    spellings: Iterable[str] = candidates
    if len(candidates) > _COMPARED:
        pairs = _pairs(wanted)
        spellings = heapq.nlargest(_COMPARED, candidates, key=lambda spelling: len(pairs & candidates[spelling][1]))
    near = difflib.get_close_matches(wanted, list(spellings), n=1, cutoff=0.6)
    return candidates[near[0]][0] if near else None


@lru_cache(maxsize=16)
def _by_spelling(known: tuple[str, ...]) -> dict[str, tuple[str, frozenset[str]]]:
    """Spelling without case → the name, and its pairs of letters."""
    return {_folded(name): (name, _pairs(_folded(name))) for name in known}


def _folded(name: str) -> str:
    return name.lower().replace("_", "-")


def _pairs(spelling: str) -> frozenset[str]:
    return frozenset(spelling[at : at + 2] for at in range(len(spelling) - 1))
