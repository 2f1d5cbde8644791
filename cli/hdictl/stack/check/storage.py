"""R: storage accounts of regions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hdictl.stack.check.context import Context, is_known
from hdictl.stack.check.registry import ERROR, WARNING, Problem, rule
from hdictl.stack.locations import WITHOUT_ZONES
from hdictl.stack.place import Storage
from hdictl.stack.shown import shown
from hdictl.stack.source import Path

_ACCOUNT = re.compile(r"[a-z0-9]{3,24}\Z")
_ZONE_REDUNDANT = {"ZRS": "LRS", "GZRS": "GRS"}  # and what comes nearest without zones


@rule(
    "R019",
    WARNING,
    "Every storage account has a cluster in its region",
    why="Clusters use the storage account of their own region; one that no cluster uses is usually under a misspelt "
    "region.",
    fix="Take the region away, or mend its name.",
    source="hdictl",
)
def storage_without_cluster(context: Context) -> Iterator[Problem]:
    used = {context.location(cluster) for cluster in context.stack.clusters.values()}
    if context.is_cut("clusters") or context.is_cut("azure") or None in used:
        return
    for region in context.stack.storage:
        if region not in used:
            yield Problem(
                f"storage:{region}", ("storage", region), f"no cluster is in {region}", "take it away, or mend its name"
            )


@rule(
    "R020",
    ERROR,
    "A storage account's name is 3–24 lower-case letters and digits",
    why="It becomes <name>.dfs.core.windows.net; Azure refuses anything else.",
    fix="Mend the name, or leave it out: one is derived.",
    source="Microsoft Learn: resource-name-rules",
)
def account_name(context: Context) -> Iterator[Problem]:
    for region, storage in context.stack.storage.items():
        name = storage.account
        if name is not None and is_known(name) and not _ACCOUNT.match(name):
            yield Problem(
                f"storage:{region}",
                ("storage", region, "account"),
                f"`{shown(name)}` cannot be a storage account's name",
                "use 3–24 lower-case letters and digits, or leave it out",
            )


@rule(
    "R021",
    ERROR,
    "Regions do not share a storage account",
    why="An account is in one region and its name is unique in the world; a cluster's storage is in its own region.",
    fix="Name another account, or leave it out: one is derived.",
    source="Microsoft Learn: hdinsight-hadoop-use-data-lake-storage-gen2",
)
def account_twice(context: Context) -> Iterator[Problem]:
    seen: dict[str, str] = {}
    for region, storage in context.stack.storage.items():
        name = storage.account
        if name is None or not is_known(name):
            continue
        other = seen.setdefault(name, region)
        if other != region:
            yield Problem(
                f"storage:{region}",
                ("storage", region, "account"),
                f"`{shown(name)}` is the storage account of {other} and of {region}",
                "name another one, or leave it out",
            )


def _regions(context: Context) -> Iterator[tuple[str, str, Path, Storage]]:
    """Region, address, path and storage, said or default, of every region that a cluster is in."""
    for key, cluster in context.stack.clusters.items():
        region = context.location(cluster)
        if region is None or context.azure is None or context.is_cut("storage", region):
            continue
        stated = context.stack.storage.get(region)
        if stated is not None:
            yield region, f"storage:{region}", ("storage", region, "replication"), stated
        else:
            yield region, f"cluster:{key}", ("clusters", key), Storage()


@rule(
    "R022",
    ERROR,
    "Zone-redundant storage is in a region that has zones",
    why="ZRS, the default, and GZRS keep copies in three zones; where there are none, the account cannot be made.",
    fix="Say `storage: {<region>: {replication: LRS}}`.",
    source="Microsoft Learn: storage-redundancy",
)
def zone_redundant(context: Context) -> Iterator[Problem]:
    for region, address, path, storage in _regions(context):
        nearest = _ZONE_REDUNDANT.get(storage.replication)
        if nearest and region in WITHOUT_ZONES:
            yield Problem(
                address,
                path,
                f"{region} has no availability zones, so its storage account cannot be {storage.replication}",
                f"say `storage: {{{region}: {{replication: {nearest}}}}}`",
            )
