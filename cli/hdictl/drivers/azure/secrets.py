"""Secrets: from Key Vault, the environment or a person; never from the command line.

A value travels as `SecretText`, which shows itself to nobody by accident: not in a log, a traceback or a JSON.
"""

from __future__ import annotations

import getpass
import os
import sys
from collections.abc import Callable, Mapping

from hdictl.drivers.azure import credential
from hdictl.drivers.azure.errors import is_missing, translated
from hdictl.drivers.azure.settings import settings
from hdictl.errors import SecretMissing
from hdictl.stack.place import Secret


class SecretText:
    """A secret's value. Everything but `reveal` shows stars."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        return self._value

    def __repr__(self) -> str:
        return "***"

    def __reduce__(self) -> tuple[object, ...]:
        raise TypeError("a secret is not written to files")


Prompt = Callable[[str], str]
Vault = Callable[[str, str], str | None]  # vault, name → value


def terminal_prompt(question: str) -> str:
    """Ask a person; without one, nothing is known."""
    return getpass.getpass(question) if sys.stdin.isatty() else ""


def vault_secret(vault: str, name: str) -> str | None:
    from azure.core.exceptions import HttpResponseError
    from azure.keyvault.secrets import SecretClient

    told = settings()
    with (
        translated(f"Key Vault `{vault}`"),
        SecretClient(
            vault_url=told.vault(vault),
            credential=credential.sign_in(),
            # The SDK refuses a vault whose sign-in challenge names another domain; a private address is one.
            verify_challenge_resource=told.is_public_vault,
            retry_total=4,
            connection_timeout=20,
            read_timeout=60,
        ) as client,
    ):
        try:
            return client.get_secret(name).value
        except HttpResponseError as error:
            if is_missing(error):
                return None
            raise


def secret_value(
    secret: Secret,
    what: str,
    *,
    environment: Mapping[str, str] = os.environ,
    prompt: Prompt = terminal_prompt,
    vault: Vault = vault_secret,
) -> SecretText:
    """The value of a secret, from where the stack says. `what` is for people: `gateway password of ingest`."""
    if secret.keyvault is not None and secret.name is not None:
        value = vault(secret.keyvault, secret.name)
        step = f"put it there: az keyvault secret set --vault-name {secret.keyvault} --name {secret.name} --file FILE"
        place = f"there is no secret `{secret.name}` in Key Vault `{secret.keyvault}`"
    elif secret.env is not None:
        value = environment.get(secret.env)
        step = f"set {secret.env} in the environment of this command; do not write it into a file that is committed"
        place = f"the environment variable {secret.env} is not set"
    else:
        value = prompt(f"{what}: ")
        step = "say in the stack where it is: `keyvault` and `name`, or `env`; or run this on a terminal to be asked"
        place = "the stack does not say where it is, and nobody is there to be asked"
    if not value:
        raise SecretMissing(place, where=what, fix=step)
    return SecretText(value)
