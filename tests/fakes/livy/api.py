"""Livy's REST interface over a `LivyWorld`: paths, statuses, and the three ways in which it says no."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from tests.fakes.livy import create_request
from tests.fakes.livy.batch import FakeBatch
from tests.fakes.livy.world import LivyWorld, Rejected, Uncast

_CSRF = """<html>
<head>
<meta http-equiv="Content-Type" content="text/html;charset=ISO-8859-1"/>
<title>Error 400 </title>
</head>
<body>
<h2>HTTP ERROR: 400</h2>
<p>Problem accessing {path}. Reason:
<pre>    Missing Required Header for CSRF protection.</pre></p>
<hr /><a href="http://eclipse.org/jetty">Powered by Jetty:// 9.3.24.v20180605</a><hr/>
</body>
</html>
"""


@dataclass(frozen=True)
class Request:
    method: str
    path: str  # as it was sent, with its escapes
    query: Mapping[str, str]
    headers: Mapping[str, str]  # lower-case names
    content: bytes = b""


@dataclass(frozen=True)
class Page:
    """An answer, whatever is in it."""

    status: int = 200
    text: str = ""
    kind: str = "text/html;charset=utf-8"
    headers: Mapping[str, str] = field(default_factory=dict)


def answer(world: LivyWorld, request: Request) -> Page:
    # A filter before everything else, and its page is Jetty's; source: CsrfFilter.
    if request.method not in ("GET", "HEAD") and "x-requested-by" not in request.headers:
        return Page(400, _CSRF.format(path=request.path), "text/html;charset=iso-8859-1")
    try:
        return _routed(world, request)
    except Rejected as no:
        # An object since 0.6, a bare string before; source: SessionServlet, ResponseMessage.
        return _json({"msg": str(no)} if world.has_names else str(no), 400)
    except create_request.Unreadable as no:
        return _json(str(no), 400)  # a bare string in all versions; source: JsonServlet.error
    except Uncast as no:
        return _json(str(no), 500)


def _routed(world: LivyWorld, request: Request) -> Page:
    match request.path.strip("/").split("/"):
        case ["version"]:
            return _json({"version": "0.7.1-incubating" if world.has_names else "0.5.0-incubating", "user": "root"})
        case ["batches"] if request.method == "POST":
            batch = world.create(create_request.read(request.content))
            return _json(_view(world, batch), 201, {"Location": f"/batches/{batch.id}"})
        case ["batches"]:
            return _list(world, request.query)
        case ["batches", which, *part]:
            return _with(world, which, lambda batch: _one(world, batch, part, request))
        case _:
            return Page(404)


def _one(world: LivyWorld, batch: FakeBatch, part: list[str], request: Request) -> Page:
    if request.method == "DELETE":
        world.delete(batch)
        return _json({"msg": "deleted"})
    match part:
        case []:
            return _json(_view(world, batch))
        case ["state"]:
            return _json({"id": batch.id, "state": _looked(batch).state})
        case ["log"]:
            return _log(_looked(batch), request.query)
        case _:
            return Page(404)


def _with(world: LivyWorld, which: str, use: Callable[[FakeBatch], Page]) -> Page:
    batch = world.find(unquote(which))
    if batch is not None:
        return use(batch)
    words = f"Session '{unquote(which)}' not found."
    return _json({"msg": words} if world.has_names else words, 404)


def _looked(batch: FakeBatch) -> FakeBatch:
    batch.looks += 1
    return batch


def _view(world: LivyWorld, batch: FakeBatch) -> dict[str, Any]:
    shown = batch.view(is_named=world.has_names)
    _looked(batch)
    return shown


def _list(world: LivyWorld, query: Mapping[str, str]) -> Page:
    begin, size = int(query.get("from", 0)), int(query.get("size", 100))
    shown = list(world.batches.values())[begin : begin + size]
    found = {"from": begin, "total": len(world.batches), "sessions": [_view(world, batch) for batch in shown]}
    return _json(found)


def _log(batch: FakeBatch, query: Mapping[str, str]) -> Page:
    """A position is one in the window as it is now, not in the log; past its end there is nothing. Measured."""
    lines = batch.log
    size = int(query.get("size", 100))
    size = len(lines) if size < 0 else size
    begin = int(query.get("from", -1))
    begin = max(0, len(lines) - size) if begin < 0 else begin
    return _json({"id": batch.id, "from": begin, "total": len(lines), "log": lines[begin : begin + size]})


def _json(value: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Page:
    return Page(status, json.dumps(value), "application/json;charset=utf-8", headers or {})
