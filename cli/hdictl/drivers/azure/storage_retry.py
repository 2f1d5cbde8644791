"""How often a request to a data lake is repeated. Imports azure-core, as `retry` does."""

from __future__ import annotations

from typing import Any

from azure.core.pipeline import PipelineRequest, PipelineResponse

from hdictl.drivers.azure.retry import REPEATABLE, PatientRetry


class StorageRetry(PatientRetry):
    """`PatientRetry` in the pipeline of azure-storage, in place of its own policy.

    That one repeats a sign-in that failed as if it were a lost connection: who is not signed in would wait a minute to
    learn it. Appending at a position and flushing up to one are PATCH, and are the same when they happen twice.

    The policies around it expect two things of it: that it takes what they said of hosts out of the options, which
    otherwise reach the transport, and that it tells in the answer which host gave it. We have the primary one alone.
    """

    def configure_retries(self, options: dict[str, Any]) -> dict[str, Any]:
        for name in ("hosts", "location_mode", "retry_to_secondary"):
            options.pop(name, None)
        options.update(REPEATABLE)  # in place: what is taken out of it must not reach the transport
        return super().configure_retries(options)

    def send(self, request: PipelineRequest[Any]) -> PipelineResponse[Any, Any]:
        response = super().send(request)
        response.http_response.location_mode = "primary"
        return response
