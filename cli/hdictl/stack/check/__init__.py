"""Everything that can be known of a stack without leaving the desk.

`check` runs every rule of `table` over a loaded stack and returns all findings at once. Rules are grouped by
subject, one file each; importing a file registers its rules:

    shape            S  the file fits the model (found by load)
    names            N  names of the stack, its clusters, jobs and mirrors
    derived_names    N  names on Azure that derive from those
    azure            A  subscription, resource groups, regions, tags, monitor
    vaults           A  Key Vaults, and the keys in them
    users            U  gateway and SSH users, where passwords come from
    ssh_key          U  the public key that opens the nodes
    versions         V  HDInsight, Kafka and Spark versions
    nodes            C  node counts and disks
    scaling          C  autoscale
    zones            C  availability zones
    sizes            C  VM sizes
    local            C  a Kafka cluster as a laptop sees it
    security         C  Enterprise Security Package
    entra            C, U  Entra users of the gateway, Entra group of the REST proxy
    scripts          C  script actions
    network          R  address spaces and subnets of regions
    subnets          R  clusters in subnets, and room for them
    connection       R  public addresses, private link, DNS, the way out
    exposure         R  who is let in to gateways and SSH
    storage          R  storage accounts of regions
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
from hdictl.stack.check.files import read_small_file
from hdictl.stack.check.registry import RULES, Rule
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
    read_text: Callable[[Path], str] = read_small_file,
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
