"""HTTPS: a request comes in, is checked, perhaps tripped up, answered, and written down."""

from __future__ import annotations

import json
import ssl
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from tests.fakes.azure.certificate import certificate
from tests.fakes.azure.faults import Drop
from tests.fakes.azure.messages import Answer, Request

Serve = Callable[[Request], tuple[Answer, Drop | None]]


class Server:
    """Listens on a free port of localhost, in a thread, until `stop`."""

    def __init__(self, serve: Serve) -> None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*certificate())
        self._http = _Http(("127.0.0.1", 0), _handler(serve))
        # The handshake happens in the thread of the connection, not in the one that accepts.
        self._http.socket = context.wrap_socket(self._http.socket, server_side=True, do_handshake_on_connect=False)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)

    @property
    def port(self) -> int:
        return int(self._http.server_address[1])

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False  # a client may keep its connection open for longer than a test

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away is what many tests are about."""


def _handler(serve: Serve) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def _serve(self) -> None:
            answer, drop = serve(self._request())
            if drop is Drop.BEFORE or drop is Drop.AFTER:
                self._hang_up()
                return
            content = _written(answer.body)
            headers = {"Content-Length": str(len(content)), **answer.headers}
            if content:
                headers.setdefault("Content-Type", "application/json; charset=utf-8")
            self.send_response(answer.status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            if self.command == "HEAD":
                return  # what follows would be taken for the next answer
            if drop is Drop.IN_BODY:
                self.wfile.write(content[: len(content) // 2])
                self._hang_up()
                return
            self.wfile.write(content)

        do_GET = do_PUT = do_POST = do_PATCH = do_DELETE = do_HEAD = _serve  # noqa: N815

        def _request(self) -> Request:
            parts = urlsplit(self.path)
            headers = {name.lower(): value for name, value in self.headers.items()}
            content = self.rfile.read(int(headers.get("content-length") or 0))
            query = dict(parse_qsl(parts.query))
            if "x-ms-version" in headers:  # Storage, and nobody else: its bodies are files, whatever they call them
                return Request(self.command, unquote(parts.path), query, headers, content=content)
            return Request(self.command, unquote(parts.path), query, headers, _parsed(content))

        def _hang_up(self) -> None:
            self.wfile.flush()
            self.close_connection = True
            self.connection.close()

        def log_message(self, format: str, *arguments: Any) -> None:
            """The cloud keeps a log of its own."""

    return Handler


def _written(body: Any) -> bytes:
    if body is None or isinstance(body, bytes):
        return body or b""
    return json.dumps(body).encode()


def _parsed(content: bytes) -> Any:
    if not content:
        return None
    try:
        return json.loads(content)
    except ValueError:
        return content.decode(errors="replace")
