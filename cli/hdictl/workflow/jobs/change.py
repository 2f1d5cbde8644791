"""What it means for a job's checkpoints when it is submitted as the stack has it now."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hdictl.drivers.spark import analysis
from hdictl.ports.job_driver import JobDriver
from hdictl.ports.progress import Progress
from hdictl.streaming.change import PipelineChange
from hdictl.streaming.checkpoint import FOLDER, SIDECAR
from hdictl.streaming.job import JobSpec
from hdictl.streaming.pipeline import Pipeline
from hdictl.streaming.spec import Surroundings, to_document
from hdictl.workflow.jobs.bound import BoundJob
from hdictl.workflow.jobs.package import to_package

Notes = Mapping[str, str]  # query → the note beside its checkpoint
TopicIds = Callable[[Sequence[str]], Mapping[str, str]]  # topics → those that exist, each with its id
Analyse = Callable[[Mapping[str, Any], Mapping[str, Mapping[str, str]], Progress], PipelineChange]


def job_change(  # noqa: PLR0913 - the last one is what a test replaces
    driver: JobDriver,
    bound: BoundJob,
    notes: Notes,
    topic_ids: TopicIds,
    progress: Progress,
    *,
    analyse: Analyse = analysis.analyse,
) -> PipelineChange:
    """A topic that `topic_ids` does not know is not noticed when it was made anew."""
    document = dict(to_package(driver, bound).document)
    # Tables of the cluster's storage cannot be read from here; those of the pipeline's folder can.
    here = to_document(bound.pipeline, bound.spec, Surroundings(document["storage"]))
    against = {"sidecars": notes, "topics": dict(topic_ids(topics_of(document)))}
    return analyse({**document, "tables": here["tables"]}, against, progress)


def topics_of(document: Mapping[str, Any]) -> list[str]:
    """All that a job reads and writes."""
    sources = document["sources"].values()
    places = [source["kafka"] for source in sources]
    places += [sink["kafka"] for sink in document["sinks"].values() if "kafka" in sink]
    places += [source["dead_letters"] for source in sources if source["dead_letters"]]
    return list(dict.fromkeys(topic for place in places for topic in place["topic"].split(",")))


def notes_of(driver: JobDriver, name: str) -> Notes:
    """Of queries that have begun. Nothing, where there is no note: not ours."""
    with driver.storage(name) as storage:
        queries = [each.name for each in storage.list(FOLDER) if each.is_folder and not each.name.startswith("_")]
        begun = [query for query in queries if storage.list(f"{FOLDER}/{query}/offsets")]
        notes = {query: storage.read(f"{FOLDER}/{query}/{SIDECAR}") for query in begun}
    return {query: (note or b"").decode() for query, note in notes.items()}


def pipeline_shape(pipeline: Pipeline, progress: Progress) -> PipelineChange:
    """The queries of a pipeline that no job of the stack runs."""
    spec = JobSpec(
        name=pipeline.document.name,
        pipeline=pipeline.folder,
        bootstrap="nowhere:9092",
        reads={name: name for name, source in pipeline.document.sources.items() if source.sink is None},
        writes={name: name for name, sink in pipeline.document.sinks.items() if sink.format == "kafka"},
    )
    return analysis.analyse(to_document(pipeline, spec, Surroundings("file:///nowhere")), {}, progress)
