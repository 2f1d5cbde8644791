"""HTTP or HTTPS before a `LivyWorld`, and what goes wrong on the way."""

from __future__ import annotations

import base64
import ssl
import threading
import time
from collections.abc import Callable
from enum import Enum
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from tests.fakes.azure.certificate import certificate
from tests.fakes.livy.api import Page, Request, answer
from tests.fakes.livy.job import Job
from tests.fakes.livy.world import LivyWorld

# As the gateway shows them; the real one's differ by version, and only that they are pages matters.
SIGN_IN = Page(200, "<!DOCTYPE html><html><head><title>Sign in to your account</title></head></html>")
NOT_NOW = Page(503, "<html><head><title>503 Service Unavailable</title></head><body>…</body></html>")
WHO = Page(401, "<html><head><title>401 Unauthorized</title></head></html>", headers={"WWW-Authenticate": "Basic"})


class Drop(str, Enum):
    """Where a connection breaks."""

    BEFORE = "before"  # nothing was done
    AFTER = "after"  # it was done, and the client never hears of it


Trip = Callable[[Request], Page | Drop | None]


class FakeLivy:
    """A context. What goes wrong is up to the test: `trip` may answer first, drop the connection, or take its time."""

    def __init__(self, *, has_names: bool = True, sign_in: tuple[str, str] | None = None) -> None:
        self.world = LivyWorld("/jobs/", has_names=has_names)
        self.trip: Trip | None = None
        self.requests: list[Request] = []
        self.is_secure = sign_in is not None  # the gateway is; a head node is not
        self._sign_in = sign_in
        self._lock = threading.RLock()
        self._http = _Http(("127.0.0.1", 0), _handler(self._serve))
        if self.is_secure:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*certificate())
            self._http.socket = context.wrap_socket(self._http.socket, server_side=True, do_handshake_on_connect=False)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)

    @property
    def root(self) -> str:
        scheme, path = ("https", "/livy") if self.is_secure else ("http", "")
        return f"{scheme}://localhost:{self._http.server_address[1]}{path}"

    @property
    def bundle(self) -> str:
        """For REQUESTS_CA_BUNDLE."""
        return str(certificate()[0])

    def sent(self, method: str) -> list[str]:
        return [request.path for request in self.requests if request.method == method]

    def add(self, name: str, job: Job) -> str:
        """The file to submit."""
        file = f"/jobs/{name}.py"
        self.world.jobs[file] = job
        return file

    def __enter__(self) -> FakeLivy:
        self._thread.start()
        return self

    def __exit__(self, *reason: object) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def _serve(self, request: Request) -> Page | None:
        """None: hang up."""
        tripped = self.trip(request) if self.trip is not None else None  # outside the lock: it may take its time
        with self._lock:
            self.requests.append(request)
            if tripped is Drop.BEFORE:
                return None
            if isinstance(tripped, Page):
                return tripped
            if self._sign_in is not None and not _is_from(request, self._sign_in):
                return WHO
            answered = answer(self.world, request)
            return None if tripped is Drop.AFTER else answered


def after(seconds: float) -> Trip:
    """Every answer takes its time."""
    return lambda request: time.sleep(seconds)


def first(*trips: Page | Drop) -> Trip:
    """So many requests go wrong, and then none."""
    left = list(trips)
    return lambda request: left.pop(0) if left else None


def _is_from(request: Request, sign_in: tuple[str, str]) -> bool:
    expected = base64.b64encode(":".join(sign_in).encode()).decode()
    return request.headers.get("authorization") == f"Basic {expected}"


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False  # a client may keep its connection open for longer than a test

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away is what many tests are about."""


def _handler(serve: Callable[[Request], Page | None]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def _serve(self) -> None:
            page = serve(self._request())
            if page is None:
                self.close_connection = True
                self.connection.close()
                return
            content = page.text.encode()
            self.send_response(page.status)
            for name, value in page.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Type", page.kind)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = do_DELETE = _serve  # noqa: N815

        def _request(self) -> Request:
            parts = urlsplit(self.path)
            headers = {name.lower(): value for name, value in self.headers.items()}
            content = self.rfile.read(int(headers.get("content-length") or 0))
            # The gateway takes its own part of the path away.
            path = parts.path.removeprefix("/livy")
            return Request(self.command, path, dict(parse_qsl(parts.query)), headers, content)

        def log_message(self, format: str, *arguments: Any) -> None:
            """Tests look at `requests`."""

    return Handler
