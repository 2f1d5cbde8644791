"""Something that was started and takes a while. azure-core follows it in a thread of its own."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from hdictl.drivers.azure.errors import rejected, translated
from hdictl.drivers.azure.settings import Settings
from hdictl.errors import CloudUnreachable
from hdictl.plan.cloud import CloudCluster, CloudError

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


class Watched:
    """Work on a cluster whose operation nobody can name any more: the cluster itself is looked at."""

    def __init__(self, look: Callable[[], CloudCluster | None], where: str, poll_seconds: float) -> None:
        self._look = look
        self._where = where
        self._poll_seconds = poll_seconds

    def wait(self, seconds: float) -> bool:
        deadline = time.monotonic() + seconds
        while (found := self._look()) is not None and found.is_busy:
            if time.monotonic() + self._poll_seconds > deadline:
                return False
            time.sleep(self._poll_seconds)
        if found is None or found.is_failed or found.errors:
            told = found.errors[:1] if found else ()
            raise rejected(next((CloudError(*each) for each in told), CloudError("", "it ended badly")), self._where)
        return True


class Finished:
    """There was nothing to do."""

    def wait(self, seconds: float) -> bool:
        return True


def polling(settings: Settings, *, wants_result: bool) -> PollingMethod[Any]:
    """Ask as often as the service says, unless somebody said otherwise. One for each operation: it has a state.

    The SDK would fetch a result at the end of everything. Where there is none to want, the word that it succeeded is
    enough: the place of a deleted thing's result may be gone as well.
    """
    from azure.mgmt.core.polling.arm_polling import ARMPolling

    class AtFixedIntervals(ARMPolling):
        def _extract_delay(self) -> float:
            stated = settings.poll_seconds
            return super()._extract_delay() if stated is None else stated

    options = {} if wants_result else {"final-state-via": "azure-async-operation"}
    return AtFixedIntervals(timeout=settings.look_seconds, lro_options=options)


def result(poller: LROPoller[Any], where: str) -> Any:
    """What a short operation comes to."""
    poller.wait(_DRY_RUN_SECONDS)
    if not poller.done():
        raise CloudUnreachable(
            f"no answer within {_DRY_RUN_SECONDS:.0f} s", where=where, fix="try again, or skip this check"
        )
    return poller.result()
