"""Failures that a job expects: one message, and what to do about it."""

from __future__ import annotations


class JobError(Exception):
    """Ends the job. `fix` is the next step of whoever reads it."""

    def __init__(self, what: str, fix: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.fix = fix


class SpecError(JobError):
    """The document does not describe a job."""


class Refused(JobError):
    """The job would start, and lose or repeat data: its checkpoint belongs to something else."""
