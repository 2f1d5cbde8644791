"""One cluster's Livy, as the rest of hdictl sees it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from urllib.parse import quote

from hdictl.drivers.livy.batch import Batch, BatchRequest, to_batch
from hdictl.drivers.livy.log_text import diagnosed, printed
from hdictl.drivers.livy.phantoms import PhantomWatch
from hdictl.drivers.livy.reply import Reply
from hdictl.drivers.livy.transport import Transport
from hdictl.errors import JobExists, LivyFailed

_PAGE, _OVERLAP = 100, 10
_WHOLE = {"from": 0, "size": -1}  # else the last 100 lines
_ATTEMPTS = 5
_PAUSE_SECONDS = 5.0
_POLL_SECONDS = 0.5
_LOOK_SECONDS = 1.0
_PHANTOM_SECONDS = 60.0
_DUPLICATE = "Duplicate session name"
_TOO_MANY = "too many sessions"
_NOT_A_NUMBER = "For input string"  # how Livy 0.5 takes a name where it knows ids only


class LivyClient:
    """`pause` is what waiting is done by."""

    def __init__(
        self,
        transport: Transport,
        where: str,
        *,
        pause: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._transport = transport
        self._where = where
        self._pause = pause
        self._clock = clock
        self._watch = PhantomWatch(clock)

    def version(self) -> str:
        """As in `0.7.1-incubating`; empty when it does not say."""
        reply = self._transport.get("/version")
        return str(reply.value.get("version") or "") if reply.is_ok and isinstance(reply.value, dict) else ""

    def batches(self) -> tuple[Batch, ...]:
        """All that Livy still remembers: finished ones are forgotten after ten minutes."""
        found: dict[int, Batch] = {}
        begin = 0
        while True:
            reply = self._good(self._transport.get("/batches", {"from": begin, "size": _PAGE}))
            listed = reply.value.get("sessions") if isinstance(reply.value, dict) else None
            if not isinstance(listed, list):
                raise self._odd(reply)
            found.update((batch.id, batch) for batch in (self._batch(each, reply) for each in listed))
            end = begin + len(listed)
            if not listed or end >= int(reply.value.get("total") or 0):
                return tuple(found[id] for id in sorted(found))
            # One that is forgotten meanwhile moves those behind it forward, so that pages overlap.
            begin = max(end - _OVERLAP, begin + 1)

    def batch(self, name_or_id: str | int) -> Batch | None:
        """None when Livy has none, or none any more. Digits are a number: Livy lets nobody be called so."""
        reply = self._transport.get(f"/batches/{quote(str(name_or_id), safe='')}")
        if reply.is_missing:
            return None
        if isinstance(name_or_id, str) and reply.status == 400 and _NOT_A_NUMBER in reply.said:
            return self._listed(name_or_id)
        return self._batch(self._good(reply).value, reply)

    def known(self, name: str) -> Batch | None:
        """The same; what looks like a phantom is looked at twice: one that is being started does for milliseconds."""
        batch = self.batch(name)
        if batch is None or not batch.looks_phantom:
            return batch
        self._pause(_LOOK_SECONDS)
        return self.batch(batch.id)

    def submit(self, request: BatchRequest) -> Batch:
        """Once, and never again when it is unknown whether it worked. A name that is taken is a `JobExists`."""
        for attempt in range(_ATTEMPTS):
            if attempt:
                self._pause(_PAUSE_SECONDS)
            reply = self._transport.post("/batches", request.to_body())
            if not _is_busy(reply):
                break
        if reply.is_ok:
            return self._batch(reply.value, reply)
        raise self._rejection(request, reply)

    def delete(self, id: int) -> None:
        """Kills it when it runs, and Livy forgets it. One that is gone already is as good."""
        reply = self._transport.delete(f"/batches/{id}")
        if not reply.is_missing:
            self._good(reply)

    def log(self, id: int) -> tuple[str, ...]:
        """What Livy still has of what the job printed: its last 200 lines. Nothing for one that Livy has forgotten."""
        return printed(self._log_lines(id))

    def diagnostics(self, id: int) -> tuple[str, ...]:
        """What YARN says about it."""
        return diagnosed(self._log_lines(id))

    def settled(self, id: int, patience: float) -> Batch | None:
        """The batch when it is at work or over, or as it is after `patience` seconds: a queue may be full.

        None when Livy has forgotten it.
        """
        deadline = self._clock() + patience
        while True:
            batch = self.batch(id)
            if batch is None or not batch.is_waiting or self._clock() >= deadline:
                return batch
            self._pause(_POLL_SECONDS)

    def phantoms(self, batches: Iterable[Batch], seconds: float = _PHANTOM_SECONDS) -> tuple[Batch, ...]:
        """Those that never started, as this client has seen for so long: give it every list that was read."""
        return self._watch.older_than(seconds, batches)

    def _listed(self, name: str) -> Batch | None:
        batches = self.batches()
        found = next((batch for batch in batches if batch.name == name), None)
        if found is None and any(not batch.is_nameable for batch in batches):
            # To say that there is none would let a second one start on the same checkpoint.
            raise self._failed(
                f"this Livy ({self.version() or 'an old one'}) does not say which batch is called what",
                fix=f"ask by number: there are {', '.join(str(batch.id) for batch in batches)}; "
                "YARN's page of the cluster shows their names",
            )
        return found

    def _log_lines(self, id: int) -> list[str]:
        reply = self._transport.get(f"/batches/{id}/log", _WHOLE)
        if reply.is_missing:
            return []
        value = self._good(reply).value
        return [str(line) for line in value.get("log") or ()] if isinstance(value, dict) else []

    def _rejection(self, request: BatchRequest, reply: Reply) -> LivyFailed:
        named = f" `{request.name}`" if request.name else ""
        if _DUPLICATE in reply.said:
            return JobExists(
                f"there is a batch{named} already",
                where=self._where,
                fix="one name, one running job: see what it does, and stop it before another starts",
            )
        if _is_busy(reply):
            return self._failed(
                f"it starts as many batches as it may, and none was done in {_ATTEMPTS} looks",
                fix="try again later, or raise livy.server.session.max-creation in Ambari",
            )
        self._remove_phantom(request.name)
        reason = reply.said.removeprefix("Rejected, Reason: ").removeprefix("requirement failed: ")
        return self._failed(
            f"it refused the batch{named}: {reason or f'status {reply.status}'}",
            fix="jobs and jars lie in the cluster's storage (abfs://…), never on this machine or a head node"
            if "ocal path" in reason or "not absolute" in reason
            else "see Livy's own log, below /var/log on the head nodes",
        )

    def _remove_phantom(self, name: str | None) -> None:
        """A refusal may leave a batch behind that never starts and keeps the name: the next one would be refused.

        Whatever it is refused for after the name was noted, the name was free before, so that the phantom is ours.
        """
        if name is None:
            return
        try:
            found = self.known(name)
            if found is not None and found.looks_phantom:
                self.delete(found.id)
        except LivyFailed:
            pass  # the refusal is what has to be told; the phantom is seen again by `phantoms`

    def _batch(self, value: object, reply: Reply) -> Batch:
        if not isinstance(value, dict) or not str(value.get("id", "")).isdigit():
            raise self._odd(reply)
        return to_batch(value)

    def _good(self, reply: Reply) -> Reply:
        if not reply.is_ok:
            raise self._transport.failure(reply)
        return reply

    def _odd(self, reply: Reply) -> LivyFailed:
        return self._failed(
            f"{reply.asked} was answered with something that is not Livy's",
            fix="see that the address is that of a Livy, and which version it is",
        )

    def _failed(self, what: str, *, fix: str) -> LivyFailed:
        return LivyFailed(what, where=self._where, fix=fix)


def _is_busy(reply: Reply) -> bool:
    return reply.status == 400 and _TOO_MANY in reply.said
