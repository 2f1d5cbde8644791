"""V: versions that can be created today."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hdictl.stack.check.context import Context, is_known
from hdictl.stack.check.registry import ERROR, Problem, rule
from hdictl.stack.clusters import KafkaCluster
from hdictl.stack.shown import shown

HDINSIGHT = "5.1"
KAFKA = "3.2"
SPARK = "3.3"
_RETIRED = ("3.6", "4.0", "5.0")
_THREE_PARTS = re.compile(r"\d+\.\d+\.\d+")
_SOURCE = "Microsoft Learn: hdinsight-component-versioning"


@rule(
    "V001",
    ERROR,
    f"The HDInsight version is {HDINSIGHT}",
    why="4.0 and 5.0 were retired on 31 March 2025: portal, CLI and SDK refuse them, and samples that still name them "
    "do not deploy. `default` resolves to whatever the service likes.",
    fix=f"Write {HDINSIGHT}, or leave the line out.",
    source=_SOURCE,
)
def hdinsight(context: Context) -> Iterator[Problem]:
    for key, cluster in context.stack.clusters.items():
        version = cluster.version
        if version == HDINSIGHT or not is_known(version):
            continue
        why = "was retired on 31 March 2025" if version in _RETIRED else "cannot be created"
        yield Problem(
            f"cluster:{key}",
            ("clusters", key, "version"),
            f"HDInsight {shown(version)} {why}; only {HDINSIGHT} can be",
            f'write version: "{HDINSIGHT}", or leave it out',
        )


@rule(
    "V002",
    ERROR,
    f"Kafka is {KAFKA} and Spark is {SPARK}, in two parts",
    why=f"HDInsight {HDINSIGHT} has these and no others, and takes major.minor only: three parts are a BadRequest.",
    fix="Write two parts, or leave the line out.",
    source=f"{_SOURCE}; component-version-validation-error-arm-templates",
)
def component(context: Context) -> Iterator[Problem]:
    for key, cluster in context.stack.clusters.items():
        field, written, offered = (
            ("kafka", cluster.kafka, KAFKA) if isinstance(cluster, KafkaCluster) else ("spark", cluster.spark, SPARK)
        )
        if written == offered or not is_known(written):
            continue
        if _THREE_PARTS.match(written):
            what = f"`{field}: {shown(written)}` has three parts; HDInsight answers BadRequest to that"
        else:
            what = f"HDInsight {HDINSIGHT} has no {field.capitalize()} {shown(written)}, only {offered}"
        yield Problem(f"cluster:{key}", ("clusters", key, field), what, f'write {field}: "{offered}", or leave it out')
