"""Secrets come from where the stack says, and show themselves to nobody."""

import json
import pickle

import pytest

from hdictl.drivers.azure.secrets import SecretText, secret_value
from hdictl.drivers.azure.subject import to_json
from hdictl.errors import SecretMissing
from hdictl.stack.place import Secret


def _nobody(question: str) -> str:
    return ""


def _value(secret: Secret, **sources) -> str:
    return secret_value(secret, "gateway password", **{"prompt": _nobody, **sources}).reveal()


def test_a_secret_shows_stars():
    secret = SecretText("canary")

    assert [str(secret), repr(secret), f"{secret}", f"{secret!r:>4}"] == ["***", "***", "***", " ***"]
    assert "canary" not in repr({"password": secret})
    with pytest.raises(TypeError):
        json.dumps(secret)
    with pytest.raises(TypeError):
        pickle.dumps(secret)


def test_a_secret_is_revealed_in_a_request_alone():
    assert json.loads(to_json({"password": SecretText("canary")})) == {"password": "canary"}


def test_from_the_vault_before_all_else():
    asked = []

    def vault(name: str, secret: str) -> str:
        asked.append((name, secret))
        return "from the vault"

    secret = Secret(keyvault="kv", name="gateway", env="PASSWORD")
    assert _value(secret, vault=vault, environment={"PASSWORD": "other"}) == "from the vault"
    assert asked == [("kv", "gateway")]


def test_from_the_environment():
    assert _value(Secret(env="PASSWORD"), environment={"PASSWORD": "from there"}) == "from there"


def test_from_a_person():
    asked = []

    def prompt(question: str) -> str:
        asked.append(question)
        return "typed"

    assert _value(Secret(), prompt=prompt) == "typed"
    assert asked == ["gateway password: "]


@pytest.mark.parametrize(
    ("secret", "words"),
    [
        (Secret(keyvault="kv", name="gateway"), "az keyvault secret set --vault-name kv --name gateway"),
        (Secret(env="PASSWORD"), "set PASSWORD"),
        (Secret(), "`keyvault` and `name`, or `env`"),
    ],
)
def test_a_missing_secret_says_where_it_should_be(secret: Secret, words: str):
    with pytest.raises(SecretMissing) as caught:
        _value(secret, vault=lambda vault, name: None, environment={})

    assert caught.value.where == "gateway password"
    assert words in (caught.value.fix or "")


def test_an_empty_variable_is_none():
    with pytest.raises(SecretMissing):
        _value(Secret(env="PASSWORD"), environment={"PASSWORD": ""})
