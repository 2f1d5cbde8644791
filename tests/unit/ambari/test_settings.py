"""Settings as a person writes them, and as they are shown."""

from __future__ import annotations

import pytest

from hdictl.errors import UsageError
from hdictl.ports.ambari import ConfigEdit, Configuration
from hdictl.show.ambari import print_edits, seen
from hdictl.show.terminal import out
from hdictl.workflow.ambari_settings import parsed_changes


def test_settings_and_what_shall_be_gone():
    changes = parsed_changes(["num.io.threads=16", "opts=-Da=b -Dc=d", "empty="], ["old"])
    assert changes == {"num.io.threads": "16", "opts": "-Da=b -Dc=d", "empty": "", "old": None}


@pytest.mark.parametrize(
    ("settings", "unset", "said"),
    [
        (["num.io.threads"], [], "not a setting"),
        (["=16"], [], "not a setting"),
        (["a=1", "a=2"], [], "given twice"),
        (["a=1"], ["a"], "both set and unset"),
        (["ssl.keystore.password=Canary"], [], "`ssl.keystore.password` is a secret"),
    ],
)
def test_what_cannot_mean_anything(settings, unset, said):
    with pytest.raises(UsageError, match=said):
        parsed_changes(settings, unset)


@pytest.mark.parametrize(
    "key",
    [
        "ssl.keystore.password",
        "fs.azure.account.key.store.blob.core.windows.net",
        "hadoop.security.credential.provider.path",
        "fs.azure.sas.data.store.blob.core.windows.net",
        "oauth.client.secret",
        "ambari_principal_passwd",
    ],
)
def test_secrets_among_the_settings_are_not_shown(key):
    assert seen(key, "Canary") == "***"
    with out.capture() as shown:
        print_edits([ConfigEdit(Configuration("core-site", "1", {key: "Canary-1"}), {key: "Canary-2"})])
    assert "Canary" not in shown.get()


@pytest.mark.parametrize("key", ["num.io.threads", "ssl.keystore.location", "delegation.token.max.lifetime.ms"])
def test_others_are(key):
    assert seen(key, "16") == "16"


def test_a_difference_of_many_lines_shows_what_moved():
    before = Configuration("kafka-env", "1", {"content": "a\nb\nc\nd\ne\nf\n"})
    with out.capture() as shown:
        print_edits([ConfigEdit(before, {"content": "a\nb\nc\nd\nE\nf\n"})])
    lines = [line.strip() for line in shown.get().splitlines()]
    assert "-e" in lines
    assert "+E" in lines
    assert "a" not in lines
