"""Everything that can be known of a stack without leaving the desk.

`check` runs every rule of `table` over a loaded stack and returns all findings at once. Rules are grouped by
subject, one file each; importing a file registers its rules:

    shape            S  the file fits the model (found by load)
    names            N  names of the stack, its clusters, jobs and mirrors
    azure            A  subscription, resource group, region, tags, monitor, Key Vault
    users            U  gateway and SSH users, where passwords come from
    versions         V  HDInsight, Kafka and Spark versions
    nodes            C  node counts, disks, autoscale, zones
    sizes            C  VM sizes
    local            C  a Kafka cluster as a laptop sees it
    network          R  address spaces and subnets of regions
    subnets          R  clusters in subnets, and room for them
    topics           T  names, partitions, replicas, min ISR, budget
    topic_settings   T  topic-level settings
    references       T, D  topics, deleted topics, and the clusters they name
    schemas          T  Avro schemas of topics
    jobs             J, T  jobs, their clusters and topics
    mirrors          M  mirrors
    waivers          W  waivers that do not do what they say
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping
from pathlib import Path

from hdictl.stack.check.context import Context
from hdictl.stack.check.registry import RULES, Rule
from hdictl.stack.check.schemas import read_schema
from hdictl.stack.check.table import findings
from hdictl.stack.check.waivers import applied
from hdictl.stack.finding import Finding
from hdictl.stack.load import Loaded

__all__ = ["RULES", "Rule", "check"]


def check(
    loaded: Loaded,
    *,
    today: datetime.date,
    environ: Mapping[str, str],
    target: str = "local",
    read_text: Callable[[Path], str] = read_schema,
) -> tuple[Finding, ...]:
    """All findings, those of loading included, waivers applied, in the order of the file."""
    found = loaded.findings
    if loaded.stack is not None:
        context = Context(
            stack=loaded.stack,
            source=loaded.source,
            cut=loaded.cut,
            folder=loaded.file.parent,
            today=today,
            environ=environ,
            target=target,
            read_text=read_text,
        )
        found = applied((*found, *findings(context)), context)
    return tuple(sorted(found, key=lambda finding: (finding.mark.file, finding.mark.line, finding.rule)))
