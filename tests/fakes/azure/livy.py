"""The Livy of every Spark cluster of a fake cloud, behind its gateway, with jobs that live in the fake data lake.

A job here is one of ours as whoever submits it sees it: it needs its files in the lake, says in `_progress/state.json`
how it stands, under the fingerprint of the document that it was given, and ends when `_control/stop` asks it to.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from typing import TYPE_CHECKING, Any

from tests.fakes.azure.ambari.plane import credentials
from tests.fakes.azure.hdinsight.cluster import kind_of
from tests.fakes.azure.lake_files import LakeFiles
from tests.fakes.azure.messages import Answer, Request
from tests.fakes.livy.api import Page, answer
from tests.fakes.livy.api import Request as LivyRequest
from tests.fakes.livy.batch import FakeBatch
from tests.fakes.livy.job import Act, Job
from tests.fakes.livy.server import WHO
from tests.fakes.livy.world import LivyWorld
from tests.fakes.livy.yarn import as_yarn_passes_it_on

if TYPE_CHECKING:
    from tests.fakes.azure.cloud import FakeCloud
    from tests.fakes.azure.world import Resource

ROOT = "/livy"
_ADDRESS = re.compile(r"abfs://(?P<file_system>[^@/]+)@(?P<account>[^./]+)\.dfs\.[^/]+/(?P<path>.+)")
_AT_WORK = Job((('{"event": "started"}',),), code=None)
_ENDED = Job((('{"event": "started"}', '{"event": "stopped"}'),), code=0)
_REFUSED = Job((('{"event": "failed"}',),), code=2)


class LivyPlane:
    """A data plane: `cloud.serve(plane)`. All clusters share one address: who signs in says which one is meant."""

    def __init__(self, cloud: FakeCloud) -> None:
        self._cloud = cloud
        self.worlds: dict[str, LivyWorld] = {}
        self.posted: list[dict[str, Any]] = []
        self.refusal: tuple[str, str] | None = None  # what jobs say when they may not start, and what to do
        self.is_down = False
        self._running: dict[int, _Run] = {}

    def add(self, cluster: Resource) -> None:
        if kind_of(cluster) == "spark":
            # YARN's ids are given by it.
            self.worlds[cluster.id.name] = LivyWorld("/nowhere/")

    def __call__(self, request: Request) -> Answer | None:
        if not request.path.startswith(ROOT):
            return None
        user, password = credentials(request)
        mine = [name for name in self.worlds if self._cloud.gateway_takes(name, user, password)]
        if not mine:
            return _answer(WHO)
        if self.is_down:
            # What the gateway says when nobody listens behind it.
            return Answer(
                502, b"<html><head><title>502 Bad Gateway</title></head></html>", {"Content-Type": "text/html"}
            )
        world = self.worlds[mine[0]]
        for run in self._running.values():
            run.move(self.refusal)
        return _answer(self._asked(world, request))

    def _asked(self, world: LivyWorld, request: Request) -> Page:
        content = b"" if request.body is None else json.dumps(request.body).encode()
        path = request.path.removeprefix(ROOT)
        page = answer(world, LivyRequest(request.method, path, request.query, request.headers, content))
        if request.method == "POST" and page.status == 201:
            self.posted.append(request.body)
            batch = world.batches[json.loads(page.text)["id"]]
            batch.app_id = f"application_1_{batch.id:04}"
            self._running[batch.id] = self._started(batch, request.body)
        return page

    def _started(self, batch: FakeBatch, body: dict[str, Any]) -> _Run:
        """Spark looks for all files first: one that is not there ends it."""
        places = [_ADDRESS.fullmatch(each) for each in (body["file"], *body["pyFiles"], *body.get("jars", ()))]
        files = [place and self._files(place).entries.get(place["path"]) for place in places]
        place = places[0]
        if place is None or not all(files):
            return _Run(batch, LakeFiles(), "", {})
        batch.act = Act(_AT_WORK)
        folder = place["path"].partition("/package/")[0]
        return _Run(batch, self._files(place), folder, document_of(body))

    def _files(self, place: re.Match[str]) -> LakeFiles:
        return self._cloud.lakes.make(place["account"], place["file_system"])


class _Run:
    def __init__(self, batch: FakeBatch, files: LakeFiles, folder: str, document: dict[str, Any]) -> None:
        self._batch, self._files, self._folder, self._document = batch, files, folder, document
        self._is_told = False

    def move(self, refusal: tuple[str, str] | None) -> None:
        """As far as it has come: at work, or at its end."""
        if self._batch.state != "running" or not self._document:
            return
        if not self._is_told:
            self._is_told = True
            if refusal is not None:
                self._say("failed", error={"what": refusal[0], "fix": refusal[1]})
                self._batch.act = Act(_REFUSED)
                return
            self._say("running")
        if f"{self._folder}/_control/stop" in self._files.entries:
            self._files.remove(f"{self._folder}/_control/stop", recursive=False)
            self._say("stopped")
            self._batch.act = Act(_ENDED)

    def _say(self, state: str, **more: Any) -> None:
        known = {"state": state, "fingerprint": self._document["fingerprint"], "spark": "3.3.1", "at": 5, **more}
        place = f"{self._folder}/_progress/state.json"
        made = self._files.create(place, is_folder=False, metadata={}, only_new=False)
        made.content = json.dumps(known).encode()


def document_of(body: dict[str, Any]) -> dict[str, Any]:
    """As the job reads it on YARN."""
    argument = as_yarn_passes_it_on(body["args"][body["args"].index("--spec") + 1])
    return json.loads(zlib.decompress(base64.urlsafe_b64decode(argument.removeprefix("z:"))))


def attach(cloud: FakeCloud) -> LivyPlane:
    """Every Spark cluster that comes to run in this cloud has a Livy."""
    plane = LivyPlane(cloud)
    cloud.serve(plane)
    cloud.on_created(plane.add)
    return plane


def _answer(page: Page) -> Answer:
    return Answer(page.status, page.text.encode(), {**page.headers, "Content-Type": page.kind})
