"""A batch of the fake's, as its clients see it. `source` names files of Livy 0.7.1's server module."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.fakes.livy.job import Act

LOG_SIZE = 200  # livy.cache-log.size
_TAIL = 10  # lines of the log in every view; source: BatchSessionServlet.clientSessionView


@dataclass
class FakeBatch:
    id: int
    name: str | None
    proxy_user: str | None
    act: Act | None  # None: a phantom, registered and never started; source: SessionManager.register
    looks: int = 0
    starting: int = 1  # for so many looks
    age: float = 0.0  # seconds since it was over
    app_id: str | None = None  # null without YARN, measured
    diagnostics: tuple[str, ...] | None = None  # YARN's

    @property
    def state(self) -> str:
        if self.act is None or self.looks < self.starting:
            return "starting"
        if self.act.is_over:
            return "success" if self.act.job.code == 0 else "dead"
        return "running"

    @property
    def is_over(self) -> bool:
        return self.state in ("success", "dead")

    @property
    def log(self) -> list[str]:
        """Headings and the last 200 lines; a phantom has not even the headings. Source: SparkProcApp.log, measured."""
        if self.act is None:
            return []
        yarn = [] if self.diagnostics is None else ["\nYARN Diagnostics: ", *self.diagnostics]
        # A batch's stderr is merged into its stdout; source: BatchSession.createSparkApp.
        return ["stdout: ", *self.act.printed[-LOG_SIZE:], "\nstderr: ", *yarn]

    def view(self, *, is_named: bool) -> dict[str, Any]:
        app = {"appId": self.app_id, "appInfo": {"driverLogUrl": None, "sparkUiUrl": None}, "log": self.log[-_TAIL:]}
        # 0.5 shows no names, though it takes them; source: BatchSessionServlet of v0.5.0.
        named = {"name": self.name, "owner": None, "proxyUser": self.proxy_user} if is_named else {}
        return {"id": self.id, **named, "state": self.state, **app}
