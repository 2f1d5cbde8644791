"""Did you mean …?"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """` (did you mean `x`?)`, or nothing when no known word is near."""
    candidates = list(known)
    folded = {name.lower().replace("_", "-"): name for name in candidates}
    near = difflib.get_close_matches(word.lower().replace("_", "-"), list(folded), n=1, cutoff=0.6)
    return f" (did you mean `{folded[near[0]]}`?)" if near else ""
