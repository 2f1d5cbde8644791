"""How often a request is repeated. This module imports azure-core: it is itself imported only where a client is made.

azure-core repeats GET, PUT and DELETE; POST and PATCH it repeats when they were answered with 500, 503 or 504, but not
when they were answered with 429 or lost on the way. Neither fits HDInsight: resizing to seven nodes may be said twice,
running a script may not. So each call says what it is, by one of the two sets of options below.
"""

from __future__ import annotations

import time
from typing import Any, Final

from azure.core.pipeline import PipelineResponse
from azure.core.pipeline.policies import RetryPolicy

from hdictl.drivers.azure.settings import Settings

# Options of a call whose effect is the same when it happens twice.
REPEATABLE: Final[dict[str, Any]] = {
    "retry_on_methods": frozenset({"GET", "HEAD", "PUT", "DELETE", "OPTIONS", "POST", "PATCH"})
}
# Options of a call that must not happen twice: it is repeated only when the service surely did nothing.
ONCE: Final[dict[str, Any]] = {"hdictl_once": True}


class PatientRetry(RetryPolicy[Any, Any]):
    """azure-core's policy with three changes: 429 is always waited out, `ONCE` is heeded, and patience ends."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(
            retry_total=settings.retries,
            retry_connect=min(settings.retries, settings.connect_retries),
            retry_read=settings.retries,
            retry_status=settings.retries,
            retry_backoff_factor=settings.backoff_seconds,
            retry_backoff_max=30,
        )
        self._patience = settings.patience_seconds

    def configure_retries(self, options: dict[str, Any]) -> dict[str, Any]:
        once = options.pop("hdictl_once", False)
        return {**super().configure_retries(options), "once": once, "deadline": time.monotonic() + self._patience}

    def is_retry(self, settings: dict[str, Any], response: PipelineResponse[Any, Any]) -> bool:
        status = response.http_response.status_code
        if status == 429:
            return bool(settings["total"] > 0)
        if settings["once"]:
            # 503 with a time to come back is how a service says that it did not take the request.
            return status == 503 and self.get_retry_after(response) is not None
        return super().is_retry(settings, response)

    def increment(self, settings: dict[str, Any], response: Any = None, error: Exception | None = None) -> bool:
        if not super().increment(settings, response=response, error=error):
            return False
        told = self.get_retry_after(response) if isinstance(response, PipelineResponse) else None
        pause = told or self.get_backoff_time(settings)
        return bool(time.monotonic() + pause <= settings["deadline"])
