"""The one place where exceptions of azure-core become ours.

What the SDK raised is dropped, not chained: its frames hold requests, and requests hold passwords.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from types import TracebackType
from typing import Any

from hdictl.drivers.azure.credential import not_signed_in, token_refused
from hdictl.drivers.azure.error_body import innermost
from hdictl.drivers.azure.permission import permission_missing
from hdictl.errors import CloudRejected, CloudUnreachable, HdictlError
from hdictl.plan.cloud import CloudError
from hdictl.plan.cloud_advice import advice

# A 404 that does not mean "this one thing is absent": nothing at all can be said.
_NOT_MERELY_ABSENT = {
    "subscriptionnotfound",
    "invalidsubscriptionid",
    "invalidresourcetype",
    "noregisteredproviderfound",
}
_REFUSED_SIGN_IN = {"invalidauthenticationtoken", "expiredauthenticationtoken", "authenticationfailed"}
_REFUSED_BY_RULE = {"requestdisallowedbypolicy", "scopelocked", "readonlydisabledsubscription"}


class translated:  # noqa: N801 — used like a function: `with translated("cluster `ingest`"):`
    """Within it, what azure-core raises comes out as one of our errors."""

    def __init__(self, where: str, *, after_loss: str | None = None) -> None:
        self._where = where
        self._after_loss = after_loss  # what to do when a request was sent and no answer came

    def __enter__(self) -> None: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        from azure.core.exceptions import AzureError, DeserializationError

        # An OSError is what requests raises when it finds no certificates where REQUESTS_CA_BUNDLE says.
        if not isinstance(error, (AzureError, DeserializationError, json.JSONDecodeError, OSError)):
            return
        ours = failure(error, self._where, self._after_loss)
        try:
            raise ours from None
        finally:
            ours.__context__ = None


def failure(error: Exception, where: str, after_loss: str | None = None) -> HdictlError:
    from azure.core import exceptions as azure

    if isinstance(error, azure.ClientAuthenticationError) and (error.response is None or "AADSTS" in str(error)):
        return not_signed_in(str(error), where)
    if isinstance(error, (azure.DecodeError, azure.DeserializationError, json.JSONDecodeError)):
        return CloudUnreachable(
            "what answers is not Azure: it does not speak JSON",
            where=where,
            fix="see whether a proxy or a sign-in page of the network is in between (HTTPS_PROXY)",
        )
    if isinstance(error, azure.HttpResponseError) and error.response is not None:
        # `message` is the SDK's own: it says something where the service says nothing.
        told = innermost(body_of(error)) or CloudError("", str(error.message))
        return _answered(int(error.response.status_code or 0), told, where)
    return _unanswered(error, where, after_loss)


def body_of(error: Any) -> Any:
    """The JSON of an error's answer; azure-core parses some of it only, and not the nested parts."""
    try:
        return error.response.json()
    except Exception:  # whatever comes in place of JSON: the exception's own words have to do
        return {"message": str(error.message or error)}


def is_missing(error: Any) -> bool:
    """The thing that was asked for is not there."""
    told = innermost(body_of(error))
    return error.status_code == 404 and (told is None or told.code.lower() not in _NOT_MERELY_ABSENT)


def rejected(error: CloudError, where: str) -> CloudRejected:
    code = f"{error.code}: " if error.code else ""
    return CloudRejected(
        f"{code}{error.message or 'Azure gives no reason'}", code=error.code, where=where, fix=_step(error)
    )


def present(call: Callable[[], Any], where: str) -> Any:
    """What the call returns, or None when there is no such thing."""
    from azure.core.exceptions import HttpResponseError

    with translated(where):
        try:
            return call()
        except HttpResponseError as error:
            if is_missing(error):
                return None
            raise


def _answered(status: int, told: CloudError, where: str) -> HdictlError:
    code = told.code.lower()
    if status == 401 or code in _REFUSED_SIGN_IN:
        return token_refused(told.code, where)
    if (status == 403 and code not in _REFUSED_BY_RULE) or code in ("authorizationfailed", "linkedauthorizationfailed"):
        return permission_missing(told, where)
    if status == 429:
        return CloudUnreachable(
            "Azure asks to wait, again and again (429, too many requests)",
            where=where,
            fix="somebody uses up the subscription's requests; try again in a few minutes, nothing is lost",
        )
    if status >= 500:
        return CloudUnreachable(
            f"Azure answers with an error of its own ({status} {told.code} {told.message[:300]}".rstrip() + ")",
            where=where,
            fix="try again; if it stays so, see https://azure.status.microsoft",
        )
    return rejected(told, where)


def _unanswered(error: Exception, where: str, after_loss: str | None) -> CloudUnreachable:
    from azure.core.exceptions import ServiceResponseError

    if isinstance(error, ServiceResponseError):
        step = after_loss or "try again: what was started goes on, and the next run finds it"
        return CloudUnreachable("the connection broke before Azure answered", where=where, fix=step)
    return CloudUnreachable(
        f"Azure cannot be reached ({_reason(error)})",
        where=where,
        fix="check the network, DNS and HTTPS_PROXY; then try again",
    )


def _reason(error: Exception) -> str:
    """urllib3 wraps the cause in addresses of objects; its last words are what a person can use."""
    text = str(error)
    for words, meaning in (
        ("CA certificate bundle", "there is no file of certificates where REQUESTS_CA_BUNDLE says"),
        ("getaddrinfo failed", "its name does not resolve"),
        ("Failed to resolve", "its name does not resolve"),
        ("Name or service not known", "its name does not resolve"),
        ("CERTIFICATE_VERIFY_FAILED", "its certificate is not trusted here; name the proxy's in REQUESTS_CA_BUNDLE"),
        ("Connection refused", "the connection was refused"),
        ("timed out", "no answer in time"),
        ("timeout", "no answer in time"),
    ):
        if words in text:
            return meaning
    return text.rsplit(": ", 1)[-1].strip(" '\")(>")[:200] or type(error).__name__


def _step(error: CloudError) -> str:
    return (
        advice(error)
        or "see the resource's activity log in the portal, and search the code on https://learn.microsoft.com/azure"
    )
