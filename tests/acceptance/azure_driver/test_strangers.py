"""Something else than Azure answers: a proxy's page, a captive portal."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from hdictl.drivers.azure.connect import connect
from hdictl.drivers.azure.settings import settings
from hdictl.errors import CloudUnreachable
from tests.acceptance.azure_driver.conftest import stack
from tests.fakes.azure import FakeCloud
from tests.fakes.azure.certificate import certificate

_ANSWERS = {
    "a page": ("text/html", b"<html>Please sign in to the guest network</html>"),
    "a page that says it is JSON": ("application/json", b"<html>Please sign in</html>"),
    "nothing": ("application/json", b""),
}


@pytest.fixture
def stranger(request: pytest.FixtureRequest) -> Iterator[str]:
    kind, content = _ANSWERS[request.param]

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *arguments: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Page)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate())
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield f"https://localhost:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


_QUESTIONS = {
    "cluster": lambda cloud: cloud.cluster("ingest"),
    "group": lambda cloud: cloud.group_tags(),
    "list": lambda cloud: cloud.tagged(),
    "deployments": lambda cloud: cloud.deployments(),
    "usages": lambda cloud: cloud.usages("westeurope"),
    "addresses": lambda cloud: cloud.free_addresses(
        "/x/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v"
    ),
}


@pytest.mark.parametrize("stranger", _ANSWERS, indirect=True)
@pytest.mark.parametrize("question", _QUESTIONS)
def test_a_stranger_is_recognised(fake: FakeCloud, stranger: str, question: str):
    told = replace(settings(), endpoint=stranger, retries=1, backoff_seconds=0)

    with connect(stack(), told) as cloud, pytest.raises(CloudUnreachable) as caught:
        _QUESTIONS[question](cloud)

    assert "not Azure" in caught.value.what
    assert "proxy" in (caught.value.fix or "")
