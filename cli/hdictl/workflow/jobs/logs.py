"""What a job says; and when nobody keeps its log any more, what it has said last to its own folder."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from hdictl.ports.job_driver import JobDriver
from hdictl.streaming.state import ABSENT, JobStatus
from hdictl.workflow.jobs.status import is_living, status_of

Say = Callable[[str], object]


def log_lines(driver: JobDriver, name: str, say: Say, *, lines: int, follow: bool) -> Iterator[str]:
    """`say`: for what is not the job's own words."""
    has_spoken = False
    for line in driver.log(name, lines=lines, follow=follow):
        has_spoken = True
        yield line
    if has_spoken or lines == 0:
        return
    status = status_of(driver, name, "")
    recent = status.board.recent[-lines:] if status.board is not None else ()
    say(_said(status, has_words=bool(recent), is_living=is_living(driver.find(name))))
    for each in recent:
        yield json.dumps(each, ensure_ascii=False)


def _said(status: JobStatus, *, has_words: bool, is_living: bool) -> str:
    if has_words:
        return f"{status.name} has no log any more; this is what it noted last in its folder"
    if is_living:
        return f"{status.name} has said nothing yet"
    if status.state == ABSENT:
        return f"{status.name} has no log: it has never run"
    return f"{status.name} has no log any more, and noted nothing in its folder"
