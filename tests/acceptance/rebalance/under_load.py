"""What is done while topics are written, read and watched, and what must hold of them when it is over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from tests.acceptance.rebalance.load import Load
from tests.acceptance.rebalance.watch import Watch

_ENOUGH = 100  # records: fewer would prove nothing


@contextmanager
def under_load(bootstrap: str, topics: Mapping[str, int], *, with_a_crash: bool = False) -> Iterator[None]:
    """After a crash a partition has no leader until Kafka has noticed it; all else holds nevertheless."""
    with Watch(bootstrap) as watch, Load(bootstrap, topics) as load:
        yield
        live, audit = load.end()
    assert load.failures == [], f"what was not taken: {load.failures[:3]}"
    assert live.is_clean, f"of what was written meanwhile, as it was read at once: {live}; and afterwards: {audit}"
    assert audit.is_clean, f"of what was written meanwhile, as it was read afterwards: {audit}"
    assert load.acknowledged > _ENOUGH
    assert watch.looks > 0
    assert watch.below_minimum == set()
    assert with_a_crash or watch.leaderless == set()
