"""Did you mean …?"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

_LONGEST = 80  # nobody misspells more than that; comparing it would take long


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """` (did you mean `x`?)`, or nothing when no known word is near."""
    if len(word) > _LONGEST:
        return ""
    candidates = list(known)
    folded = {name.lower().replace("_", "-"): name for name in candidates}
    near = difflib.get_close_matches(word.lower().replace("_", "-"), list(folded), n=1, cutoff=0.6)
    return f" (did you mean `{folded[near[0]]}`?)" if near else ""


def one_of(names: Iterable[str], kind: str) -> str:
    """`one of a, b, c`, or that there is none yet."""
    listed = list(names)
    more = f" and {len(listed) - 8} more" if len(listed) > 8 else ""
    return f"one of {', '.join(listed[:8])}{more}" if listed else f"a {kind}: there is none yet"
