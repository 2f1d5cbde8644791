"""Something that was started and takes a while. azure-core follows it in a thread of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hdictl.drivers.azure.errors import translated
from hdictl.errors import CloudUnreachable

if TYPE_CHECKING:
    from azure.core.polling import LROPoller, PollingMethod

# The service's dry runs: Microsoft gives what-if five minutes.
_DRY_RUN_SECONDS = 330.0


class Started:
    """Implements `hdictl.ports.cloud.Operation`."""

    def __init__(self, poller: LROPoller[Any], where: str) -> None:
        self._poller = poller
        self._where = where

    def wait(self, seconds: float) -> bool:
        with translated(self._where):
            self._poller.wait(seconds)
        return self._poller.done()


class Finished:
    """There was nothing to do."""

    def wait(self, seconds: float) -> bool:
        return True


def polling(poll_seconds: float | None) -> PollingMethod[Any]:
    """Ask as often as the service says, unless somebody said otherwise. One for each operation: it has a state."""
    from azure.mgmt.core.polling.arm_polling import ARMPolling

    class AtFixedIntervals(ARMPolling):
        def _extract_delay(self) -> float:
            return poll_seconds if poll_seconds is not None else super()._extract_delay()

    return AtFixedIntervals(timeout=15, lro_options={"final-state-via": "location"})


def result(poller: LROPoller[Any], where: str) -> Any:
    """What a short operation comes to."""
    poller.wait(_DRY_RUN_SECONDS)
    if not poller.done():
        raise CloudUnreachable(
            f"no answer within {_DRY_RUN_SECONDS:.0f} s", where=where, fix="try again, or skip this check"
        )
    return poller.result()
