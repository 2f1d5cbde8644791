"""All that a job is submitted with, and the fingerprint of it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from hdictl.errors import JobRefused
from hdictl.ports.job_driver import JobDriver, JobPackage
from hdictl.streaming.pipeline import Pipeline
from hdictl.streaming.spec import to_document
from hdictl.workflow.jobs.bound import BoundJob

# Where a job runs is said by its cluster: Livy puts its own over these without a word, and Spark here starts with them.
_OF_THE_CLUSTER = ("spark.master", "spark.submit.deployMode")


def to_package(driver: JobDriver, bound: BoundJob) -> JobPackage:
    digest, tables = driver.package_digest(has_delta=bound.job.delta), _tables_digest(bound.pipeline)
    version = _short(f"{digest} {tables}")
    document = to_document(bound.pipeline, bound.spec, driver.surroundings(bound.name, version))
    _require_own_settings(bound.name, document["configuration"])
    resources = bound.job.resources.model_dump_json()
    parts = (document["fingerprint"], bound.kafka, digest, driver.spark, resources, bound.job.packages, tables)
    fingerprint = _short(" ".join(map(str, parts)))
    return JobPackage(
        name=bound.name,
        pipeline=bound.pipeline,
        document={**document, "fingerprint": fingerprint},
        fingerprint=fingerprint,
        version=version,
        resources=bound.job.resources,
        uses_packages=bound.job.packages,
        has_delta=bound.job.delta,
    )


def _require_own_settings(name: str, configuration: Mapping[str, object]) -> None:
    for key in _OF_THE_CLUSTER:
        if key in configuration:
            raise JobRefused(
                f"its configuration sets `{key}`, and the cluster decides that",
                where=f"job `{name}`",
                fix=f"take `{key}` out of the configuration of the job and of its pipeline",
            )


def _tables_digest(pipeline: Pipeline) -> str:
    """Of the tables in the pipeline's folder, which go to the cluster with the job."""
    digest = hashlib.sha256()
    for file in pipeline.table_files():
        digest.update(file.encode() + b"\0" + (pipeline.folder / file).read_bytes())
    return digest.hexdigest()


def _short(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
