"""A Livy in this process, and jobs that do as they are told; `tests/acceptance/livy` proves it against the real one."""

from tests.fakes.livy.job import Job
from tests.fakes.livy.server import Drop, FakeLivy, Page, Request

__all__ = ["Drop", "FakeLivy", "Job", "Page", "Request"]
