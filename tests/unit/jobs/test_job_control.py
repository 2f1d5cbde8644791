"""When a query is stopped: between two micro-batches, as far as that can be seen."""

from __future__ import annotations

from typing import Any

import pytest
from streamkit.control import stop_between_batches


class Query:
    """`looks` is what it shows at each look: whether a trigger is active, and the last batch that was told of."""

    def __init__(self, *looks: tuple[bool, int | None]) -> None:
        self._looks = list(looks)
        self.seen = 0
        self.stopped_at: int | None = None

    @property
    def isActive(self) -> bool:  # noqa: N802 (Spark's)
        return self.stopped_at is None

    @property
    def status(self) -> dict[str, bool]:
        self.seen = min(self.seen + 1, len(self._looks) - 1)
        return {"isTriggerActive": self._looks[self.seen][0]}

    @property
    def lastProgress(self) -> dict[str, Any] | None:  # noqa: N802
        batch = self._looks[self.seen][1]
        return None if batch is None else {"batchId": batch}

    def stop(self) -> None:
        self.stopped_at = self.seen


@pytest.mark.parametrize(
    ("looks", "at"),
    [
        ([(False, 3), (False, 3)], 1),  # idle
        ([(True, 3), (True, 3), (True, 3), (False, 4)], 3),  # after its batch
        ([(True, None), (True, None), (True, 0), (True, 0)], 2),  # never idle: when the next has just begun
    ],
)
def test_it_is_stopped_when_no_batch_is_at_work(looks, at):
    query = Query(*looks)
    stop_between_batches([query])
    assert query.stopped_at == at


def test_each_is_stopped_as_soon_as_it_can_be_and_none_waits_for_another():
    slow, quick = Query(*[(True, 3)] * 5, (False, 4)), Query((True, 7), (False, 8), (True, 8), (True, 8))
    stop_between_batches([slow, quick])
    assert (slow.stopped_at, quick.stopped_at) == (5, 1)


def test_after_a_failure_one_that_does_not_come_to_an_end_is_stopped_all_the_same():
    query = Query((True, 3))
    stop_between_batches([query], patience=0.05)
    assert query.stopped_at is not None
