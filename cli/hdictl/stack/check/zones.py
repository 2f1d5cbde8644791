"""C: availability zones."""

from __future__ import annotations

from collections.abc import Iterator

from hdictl.stack.check.context import Context
from hdictl.stack.check.registry import ERROR, Problem, rule
from hdictl.stack.locations import LOCATIONS, ZONAL_CLUSTERS

_ZONES = "Microsoft Learn: reliability-hdinsight"


@rule(
    "C010",
    ERROR,
    "A cluster in a zone has a VNet of its own",
    why="HDInsight puts a cluster into an availability zone only in a VNet that you bring.",
    fix="Add the region to `network`, or leave `zone` out.",
    source=_ZONES,
)
def zone(context: Context) -> Iterator[Problem]:
    for key, cluster in context.stack.clusters.items():
        region = context.location(cluster)
        if cluster.zone and region and region not in context.stack.network and not context.is_cut("network", region):
            yield Problem(
                f"cluster:{key}",
                ("clusters", key, "zone"),
                f"cluster `{key}` is in zone {cluster.zone}, and there is no network in {region}",
                f"add `network: {{{region}: …}}`, or leave zone out",
            )


@rule(
    "C019",
    ERROR,
    "A cluster in a zone is in a region where HDInsight has zones",
    why="Not every region has zones, and HDInsight offers them in fewer than Azure does. The zone cannot be changed "
    "later. All nodes are in the one zone: it does not make the cluster survive the zone's loss.",
    fix="Leave `zone` out, or take another region; one that is newer than this list can be waived.",
    source=_ZONES,
)
def zonal_region(context: Context) -> Iterator[Problem]:
    for key, cluster in context.stack.clusters.items():
        region = context.location(cluster)
        if cluster.zone and region in LOCATIONS - ZONAL_CLUSTERS:
            yield Problem(
                f"cluster:{key}",
                ("clusters", key, "zone"),
                f"HDInsight has no availability zones in {region}",
                "leave zone out, or take a region such as westeurope, northeurope or eastus2",
            )
