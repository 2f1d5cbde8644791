"""HTTP to Livy, through the cluster's gateway or straight to a head node; whatever goes wrong has a name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hdictl.drivers.livy.reply import Reply, to_reply
from hdictl.drivers.livy.session import PASSING
from hdictl.errors import LivyFailed

if TYPE_CHECKING:
    from requests import Session

_CONNECT_SECONDS, _READ_SECONDS = 10.0, 60.0
_DELETE_SECONDS = 180.0  # Livy answers when the job has ended, and looks for it on YARN for up to two minutes
_STEP_BY_STATUS = {
    401: "see the password that `secrets.gateway` names, and `gateway_user` of the cluster; "
    "a gateway for Entra users takes no password at all",
    403: "use the cluster's administrator (`gateway_user`), or the user whose batch it is",
    404: "see that the cluster is of kind spark: no other has a Livy",
}
_MEANING = {
    401: "the gateway user or password is wrong",
    403: "the user may not do this",
    404: "there is no Livy at this address",
}
_LATER = "try again in a minute: a head node takes over from the other, or Livy starts anew"
_REACH = "see that the cluster is Running and that the network lets this machine through: hdictl status --target azure"
# A batch that was asked for may run though its answer never came, and asking again would start another.
_PERHAPS = "the batch may have been started all the same: look for it by its name before it is submitted again"
_TIMED_OUT, _BROKE = "timed out", "the connection broke"


class Transport:
    """Sends requests. What Livy answers with is a `Reply`, a no among them; what is not Livy's answer is raised."""

    def __init__(self, session: Session, root: str, where: str, *, read_seconds: float = _READ_SECONDS) -> None:
        self._session = session
        self._root = root.rstrip("/")
        self._where = where
        self._read_seconds = read_seconds

    def get(self, path: str, query: Mapping[str, int] | None = None) -> Reply:
        return self._send("GET", path, query=query)

    def post(self, path: str, body: Mapping[str, Any]) -> Reply:
        return self._send("POST", path, body=body)

    def delete(self, path: str) -> Reply:
        return self._send("DELETE", path, seconds=max(self._read_seconds, _DELETE_SECONDS))

    def failure(self, reply: Reply) -> LivyFailed:
        """The error for a reply that the caller cannot do anything with."""
        if reply.status < 400:  # a redirect among them
            return self.failed(
                "a page came back instead of JSON: this is not Livy, or the gateway wants a sign-in",
                fix="open the address in a browser; wait until the cluster is Running: hdictl status --target azure",
            )
        meaning = _MEANING.get(reply.status, f"{reply.asked} was answered with {reply.status}")
        return self.failed(f"{meaning}{f' ({reply.said})' if reply.said else ''}", fix=_step(reply))

    def failed(self, what: str, *, fix: str) -> LivyFailed:
        return LivyFailed(what, where=self._where, fix=fix)

    def _send(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, int] | None = None,
        body: Mapping[str, Any] | None = None,
        seconds: float | None = None,
    ) -> Reply:
        try:
            answer = self._session.request(
                method,
                f"{self._root}{path}",
                params=dict(query or {}),
                json=body,
                timeout=(_CONNECT_SECONDS, seconds or self._read_seconds),
                allow_redirects=False,  # a redirect leads to a sign-in page; the password stays here
            )
        except OSError as error:  # all that requests raises; also when it finds no certificates
            raise self._unreachable(error, method) from None  # the cause would carry the request, and the password
        reply = to_reply(answer, f"{method} {path}")
        if reply.is_from_livy:
            return reply
        raise self.failure(reply)

    def _unreachable(self, error: Exception, method: str) -> LivyFailed:
        from requests.exceptions import ConnectTimeout, SSLError

        if isinstance(error, SSLError):
            return self.failed(
                "the certificate is not trusted",
                fix="name the authority's file in REQUESTS_CA_BUNDLE when a proxy of your own stands between",
            )
        if "CA certificate bundle" in str(error):
            return self.failed(
                "there is no file of certificates where REQUESTS_CA_BUNDLE says", fix="mend it, or unset it"
            )
        reason = _reason(error)
        was_sent = reason in (_TIMED_OUT, _BROKE) and not isinstance(error, ConnectTimeout)
        return self.failed(f"it does not answer ({reason})", fix=_PERHAPS if was_sent and method == "POST" else _REACH)


def _step(reply: Reply) -> str:
    if reply.status in PASSING:
        return _PERHAPS if reply.asked.startswith("POST") else _LATER
    return _STEP_BY_STATUS.get(reply.status, "see Livy's own log, below /var/log on the head nodes")


def _reason(error: Exception) -> str:
    """The innermost cause without object addresses and host names, which `where` says."""
    from requests.exceptions import ChunkedEncodingError, Timeout

    text = str(error)
    if isinstance(error, Timeout) or "timed out" in text:
        return _TIMED_OUT
    for known in ("Connection refused", "Name or service not known", "nodename nor servname", "Network is unreachable"):
        if known in text:
            return known.lower()
    broken = isinstance(error, ChunkedEncodingError) or "aborted" in text or "reset" in text
    return _BROKE if broken else type(error).__name__
