"""Who is asking: whatever azure-identity finds, in its own order (environment, workload, machine, `az login` …)."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from hdictl.errors import CloudUnreachable, HdictlError, NotSignedIn

if TYPE_CHECKING:
    from azure.core.credentials import TokenCredential

# What Entra ID means by its numbers, for those that people meet.
_ENTRA = {
    "AADSTS50076": ("a second factor is asked for", "sign in again: az login --tenant <tenant>"),
    "AADSTS50079": ("a second factor has to be set up", "sign in again: az login --tenant <tenant>"),
    "AADSTS50173": ("the sign-in was revoked", "sign in again: az login"),
    "AADSTS70043": ("the sign-in has expired", "sign in again: az login"),
    "AADSTS700082": ("the sign-in has expired", "sign in again: az login"),
    "AADSTS530003": ("a conditional access policy wants a managed device", "ask the directory's administrator"),
    "AADSTS53003": ("a conditional access policy says no", "ask the directory's administrator"),
    "AADSTS700016": ("the application is not known in this tenant", "check AZURE_CLIENT_ID and AZURE_TENANT_ID"),
    "AADSTS7000215": ("the client secret is wrong", "check AZURE_CLIENT_SECRET: it is the secret's value, not its id"),
    "AADSTS7000222": ("the client secret has expired", "make a new one: az ad app credential reset --id <client id>"),
    "AADSTS700213": ("no federated credential matches this pipeline", "check subject and issuer of the credential"),
    "AADSTS90002": ("there is no such tenant", "check AZURE_TENANT_ID"),
}

# In azure-identity's account of what it tried. That no managed identity answers is so on every laptop.
_NO_NETWORK = re.compile(
    r"Max retries exceeded|Failed to resolve|NameResolutionError|Connection (refused|aborted|reset)"
)

_SIGN_IN = (
    "sign in: az login (without a browser: az login --use-device-code); in a pipeline set AZURE_TENANT_ID and "
    "AZURE_CLIENT_ID with AZURE_CLIENT_SECRET or AZURE_FEDERATED_TOKEN_FILE; see docs/azure-sign-in.md"
)


def sign_in() -> TokenCredential:
    """Nothing is asked yet: the first request fetches the token."""
    from azure.identity import DefaultAzureCredential

    # azure-identity warns of every way that it tried; without a handler Python prints that to the terminal.
    for library in ("azure", "msal"):
        logging.getLogger(library).addHandler(logging.NullHandler())
    return DefaultAzureCredential(process_timeout=30)


def not_signed_in(text: str, where: str, environment: Mapping[str, str] = os.environ) -> HdictlError:
    """`text` is what azure-identity or Entra ID said; it can be pages long, and only its number is of use."""
    number = re.search(r"AADSTS\d+", text)
    if number:
        meaning, step = _ENTRA.get(number.group(), (_first_sentence(text, number.group()), _SIGN_IN))
        return NotSignedIn(f"Entra ID refused the sign-in: {meaning} ({number.group()})", where=where, fix=step)
    if any(_NO_NETWORK.search(line) for line in text.splitlines() if "ManagedIdentityCredential" not in line):
        return CloudUnreachable(
            "Entra ID, which knows who is asking, cannot be reached",
            where=where,
            fix="check the network, DNS and HTTPS_PROXY; then try again",
        )
    if environment.get("AZURE_CLIENT_ID") and "EnvironmentCredential" in text:
        return NotSignedIn(
            "signing in as the application of AZURE_CLIENT_ID did not work", where=where, fix=f"check it, or {_SIGN_IN}"
        )
    return NotSignedIn("nobody is signed in to Azure on this machine", where=where, fix=_SIGN_IN)


def token_refused(code: str, where: str) -> NotSignedIn:
    """A token was found, and Azure does not take it: it has expired, or is from another tenant."""
    if code == "InvalidAuthenticationTokenTenant":
        what, step = "the sign-in belongs to another tenant than the subscription", "az login --tenant <tenant>"
    else:
        what, step = f"Azure does not take the token of this sign-in ({code or '401'})", "sign in again: az login"
    return NotSignedIn(what, where=where, fix=step)


def _first_sentence(text: str, number: str) -> str:
    told = text[text.index(number) + len(number) :].lstrip(": ")
    return re.split(r"[.\r\n]", told, maxsplit=1)[0][:200].strip() or "without a reason"
