"""HTTPS to Ambari through the cluster's gateway; whatever goes wrong has a name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from hdictl.drivers.azure.secrets import SecretText
from hdictl.errors import AmbariFailed, HdictlError

if TYPE_CHECKING:
    from requests import PreparedRequest, Response, Session

_CONNECT_SECONDS, _READ_SECONDS = 10.0, 60.0
_RETRIES = 5
_PASSING = (429, 500, 502, 503, 504)  # what the gateway says while a head node takes over from the other
_STEP_BY_STATUS = {
    401: "see the password that `secrets.gateway` names, and `gateway_user` of the cluster; "
    "a gateway for Entra users takes no password at all",
    403: "use the cluster's administrator (`gateway_user`), or let Ambari give this user the role",
    404: "see that the cluster is spelled as on Azure (the path is case-sensitive)",
}
_MEANING = {
    401: "the gateway user or password is wrong",
    403: "the user may not do this",
    404: "Ambari does not know this",
}


class Transport:
    """Sends requests. Addresses in answers carry the head node's internal IP: they are never followed."""

    def __init__(self, session: Session, root: str, where: str) -> None:
        self._session = session
        self._root = root
        self._where = where

    def get(self, path: str, query: Mapping[str, str] | None = None) -> dict[str, Any]:
        return self._send("GET", path, query=query)

    def put(self, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """An empty answer means that it is so already."""
        return self._send("PUT", path, body=body)

    def _send(
        self, method: str, path: str, *, query: Mapping[str, str] | None = None, body: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        try:
            answer = self._session.request(
                method,
                f"{self._root}{path}",
                # A predicate is a query of its own kind: Ambari reads `a/b=c`, not what an encoder makes of it.
                params="&".join(f"{key}={value}" if value else key for key, value in (query or {}).items()),
                json=body,
                timeout=(_CONNECT_SECONDS, _READ_SECONDS),
                allow_redirects=False,  # a redirect leads to a sign-in page; the password stays here
            )
        except OSError as error:  # all that requests raises; also when it finds no certificates
            raise self._unreachable(error) from None  # the cause would carry the request, and with it the password
        if not answer.ok or answer.is_redirect:
            raise self._refused(answer, f"{method} {path}")
        return self._read(answer)

    def _read(self, answer: Response) -> dict[str, Any]:
        # Ambari calls its JSON text/plain, so that only the text itself tells.
        if not answer.text.strip():
            return {}
        try:
            value = answer.json()
        except ValueError:
            value = None
        if not isinstance(value, dict):
            raise self._failed(
                "a page came back instead of JSON: this is not Ambari, or the gateway wants a sign-in",
                fix="open the address in a browser; wait until the cluster is Running: hdictl status --target azure",
            )
        return value

    def _refused(self, answer: Response, what: str) -> HdictlError:
        meaning = _MEANING.get(answer.status_code)
        said = _message(answer)
        if meaning is None:
            meaning = f"{what} was answered with {answer.status_code}"
        return self._failed(
            f"{meaning}{f' ({said})' if said else ''}",
            fix=_STEP_BY_STATUS.get(answer.status_code, "try again; Ambari's own log is /var/log/ambari-server on hn0"),
        )

    def _unreachable(self, error: Exception) -> HdictlError:
        from requests.exceptions import SSLError

        if isinstance(error, SSLError):
            return self._failed(
                "the certificate is not trusted",
                fix="name the authority's file in REQUESTS_CA_BUNDLE when a proxy of your own stands between",
            )
        if "CA certificate bundle" in str(error):
            return self._failed(
                "there is no file of certificates where REQUESTS_CA_BUNDLE says", fix="mend it, or unset it"
            )
        return self._failed(
            f"it does not answer ({_reason(error)})",
            fix="see that the cluster is Running and that the network lets 443 through: hdictl status --target azure",
        )

    def _failed(self, what: str, *, fix: str) -> HdictlError:
        return AmbariFailed(what, where=self._where, fix=fix)


def open_session(user: str, password: SecretText) -> Session:
    """Verifies by requests' own rules, REQUESTS_CA_BUNDLE among them."""
    import requests
    from requests.adapters import HTTPAdapter
    from requests.auth import AuthBase, HTTPBasicAuth
    from urllib3.util.retry import Retry

    class GatewayUser(AuthBase):
        """Opens the password when a request is sent, not before."""

        def __call__(self, request: PreparedRequest) -> PreparedRequest:
            # As text it would have to be Latin-1.
            whole = HTTPBasicAuth(user.encode(), password.reveal().encode())
            sign: Callable[[PreparedRequest], PreparedRequest] = whole
            return sign(request)

    # A request that never left is sent again whatever it is; one that may have worked, only when it reads.
    # A certificate that is not trusted (`other`) does not become so.
    retry = Retry(
        total=_RETRIES,
        connect=2,
        other=0,
        backoff_factor=0.5,
        status_forcelist=_PASSING,
        allowed_methods=["GET"],
        raise_on_status=False,
    )
    session = requests.Session()
    session.auth = GatewayUser()
    session.headers["X-Requested-By"] = "ambari"  # without it every write is refused, against forged requests
    session.mount("https://", HTTPAdapter(max_retries=retry))
    return session


def _message(answer: Response) -> str:
    try:
        body = answer.json()
    except ValueError:
        return ""
    return str(body.get("message") or "").strip() if isinstance(body, dict) else ""


def _reason(error: Exception) -> str:
    """The innermost cause without object addresses and host names, which `where` says."""
    from requests.exceptions import ConnectTimeout, ReadTimeout

    if isinstance(error, ConnectTimeout | ReadTimeout):
        return "timed out"
    text = str(error)
    for known in ("Connection refused", "Name or service not known", "nodename nor servname", "Network is unreachable"):
        if known in text:
            return known.lower()
    return "the connection broke" if "aborted" in text or "reset" in text else type(error).__name__
