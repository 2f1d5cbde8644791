"""C: autoscale of Spark workers, by load or by a schedule."""

from __future__ import annotations

from collections.abc import Iterator

from hdictl.stack.check.context import Context, is_known
from hdictl.stack.check.registry import ERROR, WARNING, Problem, rule
from hdictl.stack.clusters import Autoscale
from hdictl.stack.shown import shown
from hdictl.stack.source import Path

_AUTOSCALE = "Microsoft Learn: hdinsight-autoscale-clusters"


def _autoscales(context: Context) -> Iterator[tuple[str, Path, Autoscale]]:
    for key, cluster in context.spark():
        if cluster.autoscale:
            yield key, ("clusters", key, "autoscale"), cluster.autoscale


@rule(
    "C007",
    ERROR,
    "Autoscale has room between its bounds",
    why="The number of workers to begin with must lie between the minimum and the maximum, both included.",
    fix="Keep min ≤ workers.count ≤ max.",
    source=_AUTOSCALE,
)
def autoscale_bounds(context: Context) -> Iterator[Problem]:
    for key, path, scale in _autoscales(context):
        count = context.stack.clusters[key].workers.count
        if scale.min > scale.max:
            yield Problem(
                f"cluster:{key}", path, f"autoscale.min {scale.min} is above autoscale.max {scale.max}", "swap them"
            )
        elif not scale.min <= count <= scale.max:
            yield Problem(
                f"cluster:{key}",
                path,
                f"workers.count {count} is outside autoscale's {scale.min}–{scale.max}",
                "set workers.count to where the cluster shall begin, between the two",
            )


@rule(
    "C008",
    WARNING,
    "Autoscale never goes below three workers",
    why="With fewer than three workers HDFS cannot keep its replicas and may get stuck in safe mode.",
    fix="Set `autoscale.min` to 3 or more.",
    source="Microsoft Learn: hdinsight-scaling-best-practices",
)
def autoscale_minimum(context: Context) -> Iterator[Problem]:
    for key, path, scale in _autoscales(context):
        if scale.min < 3:
            yield Problem(
                f"cluster:{key}",
                (*path, "min"),
                f"autoscale may leave cluster `{key}` with {scale.min} workers",
                "set autoscale.min to 3 or more",
            )


@rule(
    "C016",
    ERROR,
    "Every number of workers in a schedule lies within autoscale's bounds",
    why="`min` and `max` are what the subnet, the quota and the head nodes are checked against.",
    fix="Mend the number, or widen the bounds.",
    source=_AUTOSCALE,
)
def scheduled_workers(context: Context) -> Iterator[Problem]:
    for key, path, scale in _autoscales(context):
        for name, entry in scale.schedule.items():
            if scale.min <= scale.max and not scale.min <= entry.workers <= scale.max:
                yield Problem(
                    f"cluster:{key}",
                    (*path, "schedule", name, "workers"),
                    f"`{shown(name)}` asks for {entry.workers} workers, outside autoscale's {scale.min}–{scale.max}",
                    "mend the number, or widen min and max",
                )


@rule(
    "C017",
    ERROR,
    "A schedule says one thing at a time",
    why="With two entries for one day and time, which number of workers holds is unclear.",
    fix="Take one of them away, or move it.",
    source=_AUTOSCALE,
)
def scheduled_twice(context: Context) -> Iterator[Problem]:
    for key, path, scale in _autoscales(context):
        taken: dict[tuple[str, str], str] = {}
        for name, entry in scale.schedule.items():
            twice = next((day for day in entry.days if (day, entry.at) in taken), None)
            if twice is None and len(set(entry.days)) < len(entry.days):
                twice = next(day for day in entry.days if entry.days.count(day) > 1)
            if twice is not None:
                other = taken.get((twice, entry.at), name)
                yield Problem(
                    f"cluster:{key}",
                    (*path, "schedule", name),
                    f"`{shown(other)}` and `{shown(name)}` both speak of {twice} {entry.at}"
                    if other != name
                    else f"`{shown(name)}` names {twice} twice",
                    "take one of them away, or move it",
                )
            taken |= {(day, entry.at): name for day in entry.days}


@rule(
    "C018",
    ERROR,
    "A schedule's time zone is a Windows name",
    why="HDInsight takes the names that Windows has, such as W. Europe Standard Time; it does not know Europe/Berlin.",
    fix="Write UTC, or a name from `tzutil /l`.",
    source=_AUTOSCALE,
)
def timezone(context: Context) -> Iterator[Problem]:
    for key, path, scale in _autoscales(context):
        name = scale.timezone
        if is_known(name) and (not name.strip() or "/" in name):
            yield Problem(
                f"cluster:{key}",
                (*path, "timezone"),
                f"`{shown(name)}` is not the Windows name of a time zone",
                "write UTC, or a name such as W. Europe Standard Time",
            )
