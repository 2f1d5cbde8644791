"""Restart the brokers of a cluster one after the other, so that its clients notice nothing.

    a broker may be stopped   when every broker is there and every partition has all of its replicas in sync
    a broker is restarted     maintenance on → stop → Kafka sees it leave → start → maintenance off
    the next one's turn is    when Kafka has all brokers back and all replicas in sync again

No note is kept: a broker that is up to date needs no restart, so that the next run begins where this one ended; one
that was stopped when this tool died stands in Ambari as stopped and in maintenance, and is started first.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hdictl.errors import AmbariFailed, ApplyFailed, HdictlError, Interrupted, KafkaRejected, KafkaUnreachable
from hdictl.ports.ambari import Ambari, Component
from hdictl.ports.health import HealthReader, KafkaHealth
from hdictl.ports.progress import Progress
from hdictl.workflow.ambari_requests import Pace, await_request, await_rest
from hdictl.workflow.brokers_plan import BROKER_LOG, RestartPlan

_TELL_SECONDS = 60.0


@dataclass(frozen=True)
class RollingRestart:
    plan: RestartPlan
    ambari: Ambari
    kafka: HealthReader
    progress: Progress
    pace: Pace

    def run(self) -> tuple[str, ...]:
        """Returns the hosts whose broker was restarted."""
        done: list[str] = []
        again = f"go on with: hdictl ambari restart {self.plan.cluster}"
        for broker in self.plan.todo:
            try:
                self._restart(broker)
            except KeyboardInterrupt:
                raise Interrupted(f"interrupted; {self._tally(done)}", where=broker.host, fix=again) from None
            except HdictlError as error:
                step = f"{error.fix}; then {again}" if error.fix else again
                raise ApplyFailed(f"{error.what}\n{self._tally(done)}", where=broker.host, fix=step) from error
            done.append(broker.host)
            self.progress.step(f"{broker.host}: back and in sync ({len(done)} of {len(self.plan.todo)})")
        return tuple(done)

    def _restart(self, broker: Component) -> None:
        if broker.is_started:
            self._await_well(broker)
            try:
                self._stop(broker)
                self._start(broker)
            except KeyboardInterrupt:
                self.progress.step(f"{broker.host}: interrupted; it is started first (Ctrl-C again leaves it as it is)")
                self._ensure_started(broker)
                raise
        else:
            self._ensure_started(broker)
        self._await_well(broker)

    def _stop(self, broker: Component) -> None:
        self.ambari.maintain(broker, on=True)
        self.progress.step(f"{broker.host}: stopping")
        try:
            await_request(self.ambari, self.ambari.stop(broker), self.pace)
        except AmbariFailed:
            if await_rest(self.ambari, broker, self.pace).is_started:
                self._end_maintenance(broker)
            raise
        # Seen, not believed: without this, a look at Kafka before it notices would call the cluster whole.
        self._await(self._has_left, self.pace.leave, _still_there, tell=lambda _: None)

    def _start(self, broker: Component) -> None:
        """When it does not start, it stays in maintenance: that is how the next run knows where to begin."""
        self.progress.step(f"{broker.host}: starting")
        await_request(self.ambari, self.ambari.start(broker), self.pace)
        self._end_maintenance(broker)

    def _ensure_started(self, broker: Component) -> None:
        """Whatever was begun with it, here or by a run that died, it runs in the end."""
        if await_rest(self.ambari, broker, self.pace).is_started:
            self._end_maintenance(broker)
        else:
            self._start(broker)

    def _end_maintenance(self, broker: Component) -> None:
        """A broker that ran in maintenance before has been put there by somebody, and stays."""
        self.ambari.maintain(broker, on=broker.in_maintenance and broker.is_started)

    def _await_well(self, broker: Component) -> None:
        """Until one broker may be missing; a moment's trouble between two brokers is waited out as well."""
        self._await(
            lambda health: not self._has_left(health) and not health.lacking,
            self.pace.rejoin,
            self._unwell,
            tell=lambda trouble: self.progress.step(f"{broker.host}: {trouble}"),
        )

    def _await(
        self,
        is_reached: Callable[[KafkaHealth], bool],
        patience: float,
        trouble: Callable[[KafkaHealth | None], str],
        *,
        tell: Callable[[str], None],
    ) -> None:
        """What is still in the way is told when it changes, and now and then."""
        began = told_at = time.monotonic()
        told = ""
        last: KafkaHealth | None = None
        while True:
            health = self._health()
            if health is not None and is_reached(health):
                return
            last = health or last
            now, what = time.monotonic(), trouble(last)
            if now - began > patience:
                raise KafkaRejected(f"{what} after {patience:.0f} s", fix=f"see {BROKER_LOG} there")
            if what != told or now - told_at > _TELL_SECONDS:
                tell(what)
                told, told_at = what, now
            time.sleep(self.pace.pause)

    def _health(self) -> KafkaHealth | None:
        """None while nobody answers: the one that was asked may be the one that restarts."""
        try:
            return self.kafka.health()
        except KafkaUnreachable:
            return None

    def _has_left(self, health: KafkaHealth) -> bool:
        return len(health.brokers) < self.plan.brokers

    def _unwell(self, health: KafkaHealth | None) -> str:
        if health is None:
            return "no broker answers"
        if self._has_left(health):
            return f"Kafka has {len(health.brokers)} of {self.plan.brokers} brokers"
        return f"{len(health.lacking)} partitions are not in sync"

    def _tally(self, done: Sequence[str]) -> str:
        listed = f": {', '.join(done)}" if done else ""
        return f"{len(done)} of {len(self.plan.todo)} brokers are restarted{listed}"


def _still_there(health: KafkaHealth | None) -> str:
    seen = "nobody" if health is None else f"{len(health.brokers)} brokers"
    return f"Ambari says that the broker is stopped, yet {seen} answer as before"
