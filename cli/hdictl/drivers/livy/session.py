"""HTTP with what Livy and the gateway before it want of every request."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from hdictl.drivers.azure.secrets import SecretText

if TYPE_CHECKING:
    from requests import PreparedRequest, Session
    from requests.auth import AuthBase

PASSING = (429, 502, 503, 504)  # what the gateway says while a head node takes over from the other
_RETRIES = 5
_LONGEST_PAUSE = 30.0  # seconds, whatever a gateway asks for


def open_session(user: str | None, password: SecretText | None, *, first_pause: float = 1.0) -> Session:
    """Verifies by requests' own rules, REQUESTS_CA_BUNDLE among them. Every pause is twice the one before."""
    import requests
    from requests.adapters import HTTPAdapter
    from urllib3.response import BaseHTTPResponse
    from urllib3.util.retry import Retry

    class ShortRetry(Retry):
        def get_retry_after(self, response: BaseHTTPResponse) -> float | None:
            asked = super().get_retry_after(response)
            return None if asked is None else min(asked, _LONGEST_PAUSE)

    # A request that never left is sent again whatever it is; one that may have worked, only when it reads.
    # A certificate that is not trusted (`other`) does not become so.
    retry = ShortRetry(
        total=_RETRIES,
        connect=2,
        read=2,
        other=0,
        backoff_factor=first_pause / 2,  # urllib3 doubles before it waits
        status_forcelist=PASSING,
        allowed_methods=["GET"],
        raise_on_status=False,
    )
    session = requests.Session()
    session.auth = _signer(user, password)
    session.headers["X-Requested-By"] = "hdictl"  # without it every write is refused, against forged requests
    session.mount("https://", HTTPAdapter(max_retries=retry))
    session.mount("http://", HTTPAdapter(max_retries=retry))
    return session


def _signer(user: str | None, password: SecretText | None) -> AuthBase:
    from requests.auth import AuthBase, HTTPBasicAuth

    class GatewayUser(AuthBase):
        """Opens the password when a request is sent, not before."""

        def __call__(self, request: PreparedRequest) -> PreparedRequest:
            if user is None or password is None:
                return request  # and nothing from a .netrc either, which requests takes where there is no signer
            # As text it would have to be Latin-1.
            whole = HTTPBasicAuth(user.encode(), password.reveal().encode())
            sign: Callable[[PreparedRequest], PreparedRequest] = whole
            return sign(request)

    return GatewayUser()
