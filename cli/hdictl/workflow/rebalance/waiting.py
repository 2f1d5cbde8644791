"""Waiting for a cluster: what is in the way is told, the lease is kept, and it has an end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hdictl.errors import KafkaUnreachable, RebalanceStopped
from hdictl.ports.progress import Progress
from hdictl.workflow.rebalance.lock import Held
from hdictl.workflow.rebalance.pace import Pace

_CHANGE_SECONDS = 2.0


@dataclass(frozen=True)
class Waiting:
    held: Held
    progress: Progress
    pace: Pace

    def until_clear(self, look: Callable[[], str | None], patience: float, *, tells: bool = True) -> None:
        """`look` says what is in the way, or None. Nobody who answers is in the way as well."""
        began = told_at = self.pace.now()
        told: str | None = None
        while (trouble := self._looked(look)) is not None:
            now = self.pace.now()
            if now - began > patience:
                raise RebalanceStopped(f"{trouble}, after {patience:.0f} s")
            # A moment's trouble is not worth a line, nor is every number on its way down.
            pause = self.pace.tell if trouble == told else _CHANGE_SECONDS
            if tells and now - told_at > pause:
                self.progress.step(f"waiting: {trouble}")
                told, told_at = trouble, now
            self.pace.pause(self.pace.look)
            self.held.keep()

    def _looked(self, look: Callable[[], str | None]) -> str | None:
        try:
            return look()
        except KafkaUnreachable as error:
            return error.what
