"""One session with one Livy."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from hdictl.drivers.azure.secrets import SecretText
from hdictl.drivers.livy.client import LivyClient
from hdictl.drivers.livy.session import open_session
from hdictl.drivers.livy.transport import Transport
from hdictl.errors import LivyFailed


@contextmanager
def connect(
    root_url: str,
    user: str | None,
    password: SecretText | None,
    where: str,
    *,
    pause: Callable[[float], None] = time.sleep,
) -> Iterator[LivyClient]:
    """The Livy at `root_url`: https://CLUSTER.azurehdinsight.net/livy, or http://HEADNODE:8998 without a user."""
    if password is not None and not root_url.startswith("https://"):
        raise LivyFailed(
            "the password would be readable on its way",
            where=where,
            fix="reach the gateway by https, or a head node without a user",
        )
    with open_session(user, password) as session:
        yield LivyClient(Transport(session, root_url, where), where, pause=pause)
