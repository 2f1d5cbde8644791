"""Where Azure answers, and how long we wait."""

import pytest

from hdictl.drivers.azure.settings import settings
from hdictl.drivers.azure.times import earlier
from hdictl.errors import UsageError


def test_the_public_cloud_is_the_default():
    told = settings({})

    assert told.endpoint == "https://management.azure.com"
    assert told.scope == "https://management.azure.com/.default"
    assert told.storage("acct") == "https://acct.dfs.core.windows.net"
    assert told.vault("kv") == "https://kv.vault.azure.net"
    assert told.is_public_vault
    assert told.poll_seconds is None


def test_the_environment_may_say_otherwise():
    told = settings(
        {
            "HDICTL_AZURE_ENDPOINT": "https://localhost:1/",
            "HDICTL_AZURE_STORAGE_ENDPOINT": "https://localhost:1/storage/{account}",
            "HDICTL_AZURE_VAULT_ENDPOINT": "https://localhost:1/vaults/{vault}",
            "HDICTL_AZURE_POLL_SECONDS": "0",
            "HDICTL_AZURE_PATIENCE_SECONDS": "5",
        }
    )

    assert told.scope == "https://localhost:1/.default"
    assert told.storage("acct") == "https://localhost:1/storage/acct"
    assert told.vault("kv") == "https://localhost:1/vaults/kv"
    assert not told.is_public_vault
    assert (told.poll_seconds, told.patience_seconds) == (0, 5)


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("HDICTL_AZURE_ENDPOINT", "http://localhost"),
        ("HDICTL_AZURE_STORAGE_ENDPOINT", "abfs://localhost"),
        ("HDICTL_AZURE_VAULT_ENDPOINT", "localhost"),
        ("HDICTL_AZURE_POLL_SECONDS", "often"),
        ("HDICTL_AZURE_POLL_SECONDS", "-1"),
        ("HDICTL_AZURE_PATIENCE_SECONDS", "nan"),
        ("HDICTL_AZURE_PATIENCE_SECONDS", "inf"),
    ],
)
def test_what_cannot_be_meant_is_refused(variable: str, value: str):
    with pytest.raises(UsageError) as caught:
        settings({variable: value})

    assert caught.value.where == variable


@pytest.mark.parametrize(
    ("time", "duration", "start"),
    [
        ("2026-11-16T10:00:00.1234567Z", "PT1M30.123S", "2026-11-16T09:58:30.000456+00:00"),
        ("2026-11-16T10:00:00Z", "P1DT2H", "2026-11-15T08:00:00+00:00"),
        ("2026-11-16T10:00:00Z", "soon", "2026-11-16T10:00:00Z"),
        ("", "PT1S", ""),
    ],
)
def test_an_operation_began_earlier_than_it_was_heard_of(time: str, duration: str, start: str):
    assert earlier(time, duration) == start
