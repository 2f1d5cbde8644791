"""What goes wrong between us and Azure, and in whose words it is told."""

from dataclasses import replace

import pytest

from hdictl.drivers.azure.connect import connect
from hdictl.drivers.azure.secrets import secret_value
from hdictl.drivers.azure.settings import settings
from hdictl.errors import (
    CloudRejected,
    CloudUnreachable,
    HdictlError,
    NotSignedIn,
    PermissionMissing,
    SecretMissing,
    UsageError,
)
from hdictl.ports.cloud import Cloud
from hdictl.stack.model import Stack
from hdictl.stack.place import Secret
from tests.acceptance.azure_driver.conftest import GROUP, stack
from tests.fakes.azure import FakeCloud

_CLUSTER = f"*/resourceGroups/{GROUP}/providers/Microsoft.HDInsight/clusters/ingest"


def _asked(fake: FakeCloud) -> int:
    return len([each for each in fake.requests if each.path.endswith("/clusters/ingest")])


def test_throttling_is_waited_out(ingest: FakeCloud, cloud: Cloud):
    ingest.throttle("GET", _CLUSTER, times=2)

    assert cloud.cluster("ingest") is not None
    assert _asked(ingest) == 3


def test_the_time_that_azure_asks_for_is_kept(ingest: FakeCloud, monkeypatch: pytest.MonkeyPatch):
    """It is longer than our patience: no use in asking again."""
    ingest.throttle("GET", _CLUSTER, after="3600")

    with connect(stack()) as cloud, pytest.raises(CloudUnreachable, match="429"):
        cloud.cluster("ingest")
    assert _asked(ingest) == 1


@pytest.mark.parametrize("status", [500, 502, 503, 504])
def test_errors_of_azure_itself_are_tried_again(ingest: FakeCloud, cloud: Cloud, status: int):
    ingest.fail("GET", _CLUSTER, status, times=2)

    assert cloud.cluster("ingest") is not None


def test_patience_ends(ingest: FakeCloud, cloud: Cloud):
    ingest.fail("GET", _CLUSTER, 500, "InternalServerError", "Sorry.", times=50)

    with pytest.raises(CloudUnreachable) as caught:
        cloud.cluster("ingest")

    assert caught.value.what == "Azure answers with an error of its own (500 InternalServerError Sorry.)"
    assert _asked(ingest) == 4


@pytest.mark.parametrize("drop", ["before", "after", "in body"])
def test_a_broken_connection_is_tried_again(ingest: FakeCloud, cloud: Cloud, drop: str):
    ingest.fail("GET", _CLUSTER, drop=drop, times=2)

    assert cloud.cluster("ingest") is not None


def test_a_connection_that_breaks_again_and_again(ingest: FakeCloud, cloud: Cloud):
    ingest.fail("GET", _CLUSTER, drop="before", times=50)

    with pytest.raises(CloudUnreachable):
        cloud.cluster("ingest")


def test_an_error_without_words(ingest: FakeCloud, cloud: Cloud):
    ingest.fail("GET", _CLUSTER, 418, code="", message="")

    with pytest.raises(CloudRejected) as caught:
        cloud.cluster("ingest")

    assert len(caught.value.what) > 10
    assert "activity log" in (caught.value.fix or "")


def test_nobody_listens(fake: FakeCloud):
    told = replace(settings(), endpoint="https://localhost:9", backoff_seconds=0, retries=1)

    with connect(stack(), told) as cloud, pytest.raises(CloudUnreachable) as caught:
        cloud.group_tags()
    assert caught.value.what == "Azure cannot be reached (the connection was refused)"
    assert "HTTPS_PROXY" in (caught.value.fix or "")


def test_certificates_are_not_where_they_are_said_to_be(cloud: Cloud, monkeypatch: pytest.MonkeyPatch):
    cloud.group_tags()  # signed in
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", "/nowhere/certificates.pem")

    with pytest.raises(CloudUnreachable) as caught:
        cloud.group_tags()
    assert "REQUESTS_CA_BUNDLE" in caught.value.what


def test_a_permission_is_missing(ingest: FakeCloud, cloud: Cloud):
    ingest.deny("Microsoft.HDInsight/clusters/read")

    with pytest.raises(PermissionMissing) as caught:
        cloud.cluster("ingest")

    assert "Microsoft.HDInsight/clusters/read" in caught.value.what
    assert f"`Reader` on resource group {GROUP}" in (caught.value.fix or "")


def test_nobody_is_signed_in(fake: FakeCloud, cloud: Cloud, capfd: pytest.CaptureFixture[str]):
    fake.identity.signs_in = False

    with pytest.raises(NotSignedIn) as caught:
        cloud.group_tags()

    assert "az login" in (caught.value.fix or "")
    assert "ManagedIdentity" not in str(caught.value)
    assert capfd.readouterr() == ("", "")


def test_a_token_that_azure_does_not_take(group: FakeCloud, cloud: Cloud):
    cloud.group_tags()
    group.identity.expire_tokens()

    with pytest.raises(NotSignedIn, match="InvalidAuthenticationToken"):
        cloud.group_tags()


def test_a_subscription_that_is_not_seen_is_not_an_empty_one(fake: FakeCloud):
    with connect(stack("00000000-0000-0000-0000-000000000000")) as cloud:
        for ask in (cloud.group_tags, cloud.tagged, cloud.deployments, lambda: cloud.cluster("ingest")):
            with pytest.raises(CloudRejected) as caught:
                ask()
            assert caught.value.code == "SubscriptionNotFound"
            assert "az account list" in (caught.value.fix or "")


def test_a_stack_without_azure():
    with pytest.raises(UsageError, match="does not say where"), connect(Stack(stack="clickstream")):
        pass


def test_nothing_of_the_sdk_is_left_in_an_error(ingest: FakeCloud, cloud: Cloud):
    """Its frames hold requests, and requests hold passwords."""
    ingest.deny("*")

    with pytest.raises(HdictlError) as caught:
        cloud.cluster("ingest")

    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


def test_a_secret_of_the_vault(fake: FakeCloud):
    fake.secret("kv-clickstream", "gateway", "Canary-77-password!")

    assert secret_value(Secret(keyvault="kv-clickstream", name="gateway"), "x").reveal() == "Canary-77-password!"


def test_a_vault_without_the_secret(fake: FakeCloud):
    fake.secret("kv-clickstream", "other", "x")

    with pytest.raises(SecretMissing, match="there is no secret `gateway` in Key Vault `kv-clickstream`"):
        secret_value(Secret(keyvault="kv-clickstream", name="gateway"), "gateway password")


def test_a_vault_that_says_no(fake: FakeCloud):
    fake.vaults.denied.add("kv-clickstream")

    with pytest.raises(PermissionMissing) as caught:
        secret_value(Secret(keyvault="kv-clickstream", name="gateway"), "gateway password")

    assert caught.value.where == "Key Vault `kv-clickstream`"
    assert "Key Vault Secrets User" in (caught.value.fix or "")
