"""The demo from nothing to nothing: clusters up, topics applied, events streamed and counted, everything gone."""

from __future__ import annotations

from hdictl.plan.demo_report import DemoReport
from hdictl.ports.jobs import JobRunner
from hdictl.ports.progress import Progress
from hdictl.ports.target import Target
from hdictl.stack.model import Stack
from hdictl.workflow.converge import converge
from hdictl.workflow.demo.run import DemoTopics, run_demo
from hdictl.workflow.platform import bring_up


def run_whole(stack: Stack, target: Target, runner: JobRunner, progress: Progress) -> DemoReport:
    platform = target.platform()
    if platform.status():
        progress.step("taking down what an earlier demo left behind")
        platform.down(keep_data=False, progress=progress)
    try:
        for cluster in bring_up(stack, platform, progress):
            brokers = len(cluster.nodes) - 1
            progress.step(f"cluster `{cluster.cluster}` is up: ZooKeeper and {brokers} brokers at {cluster.bootstrap}")
        converged = converge(stack, target, env=None, progress=progress)
        progress.step(f"{converged.applied.done} topics made, spread over fault and update domains, and verified")
        return run_demo(target, runner, progress, topics=_topics(stack))
    finally:
        progress.step("taking everything down")
        platform.down(keep_data=False, progress=progress)


def _topics(stack: Stack) -> DemoTopics:
    """What the stack's job reads and writes."""
    job = stack.jobs["page-activity"]
    (cluster,) = stack.kafka_clusters
    return DemoTopics(cluster, job.reads["page_views"], job.writes["activity"], job.writes["dead_letters"])
