"""X10: types, API versions, kinds and component versions of clusters."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hdictl.arm.lint.clusters import KINDS, kind
from hdictl.arm.lint.fields import at, mapping, walk
from hdictl.arm.lint.marks import is_known
from hdictl.arm.lint.registry import ERROR, WARNING, Problem, rule
from hdictl.arm.lint.resource import Resource
from hdictl.arm.lint.template import Template
from hdictl.stack.check.versions import HDINSIGHT
from hdictl.stack.shown import shown
from hdictl.stack.suggest import did_you_mean

STABLE = "2021-06-01"
API_VERSIONS = (
    "2015-03-01-preview",
    "2018-06-01-preview",
    STABLE,
    "2023-04-15-preview",
    "2023-08-15-preview",
    "2024-08-01-preview",
    "2025-01-15-preview",
)
# Properties, and the first version that has them. Older ones ignore them without a word.
SINCE = {
    "zones": STABLE,
    "privateLinkConfigurations": STABLE,
    "enableSecureChannel": "2023-04-15-preview",
    "outboundDependenciesManagedType": "2023-08-15-preview",
    "publicIpTag": "2024-08-01-preview",
    "restAuthEntraUsers": "2025-01-15-preview",
}
_DEPLOYABLE = ("clusters", "clusters/applications", "clusters/privateEndpointConnections")
_VERSIONS = "Microsoft Learn: hdinsight-component-versioning"
_REFERENCE = "Microsoft.HDInsight template reference"


@rule(
    "X100",
    ERROR,
    "Only what can be deployed is deployed",
    why="`clusters/extensions`, monitoring above all, is no type of resource: it is switched on by a call after the "
    "deployment. So are script actions and a change of size.",
    fix="Remove the resource; `hdictl apply` makes the call.",
    source=_REFERENCE,
)
def deployable(template: Template) -> Iterator[Problem]:
    known = [one.lower() for one in _DEPLOYABLE]
    for resource in template.resources:
        namespace, _, inner = resource.type.partition("/")
        if namespace.lower() == "microsoft.hdinsight" and inner.lower() not in known and is_known(inner):
            yield Problem(
                (*resource.path, "type"),
                f"`{resource.type}` is no type that a template can deploy{did_you_mean(inner, _DEPLOYABLE)}",
                "remove it",
            )


def _properties(cluster: Resource) -> set[str]:
    return {str(path[-1]) for path, _ in walk(cluster.body, cluster.path) if len(path) > len(cluster.path)}


def _api_version(cluster: Resource) -> str | None:
    found = cluster.body.get("apiVersion")
    return found if isinstance(found, str) and is_known(found) else None


@rule(
    "X101",
    ERROR,
    "A cluster's API version exists and has what is used",
    why="An unknown version is refused; an older one ignores properties that came later, so that a cluster is made "
    "without what the template asks for.",
    fix=f"Write {STABLE}, or the preview that has the property.",
    source=_REFERENCE,
)
def api_version(template: Template) -> Iterator[Problem]:
    for cluster in template.clusters:
        version = _api_version(cluster)
        if version is None:
            continue
        path = (*cluster.path, "apiVersion")
        if version not in API_VERSIONS:
            near = did_you_mean(version, API_VERSIONS)
            yield Problem(path, f"{cluster}: there is no API version `{shown(version)}`{near}", f"write {STABLE}")
            continue
        for name, since in SINCE.items():
            if version < since and name in _properties(cluster):
                yield Problem(
                    path, f"{cluster}: `{name}` came with {since}, version {version} ignores it", f"write {since}"
                )


@rule(
    "X102",
    WARNING,
    "A preview of the API is used for what needs it alone",
    why=f"Previews change and go away without notice; {STABLE} is the stable version.",
    fix=f"Write {STABLE}.",
    source=_REFERENCE,
)
def no_preview(template: Template) -> Iterator[Problem]:
    for cluster in template.clusters:
        version = _api_version(cluster)
        needs = {name for name, since in SINCE.items() if since > STABLE} & _properties(cluster)
        if version in API_VERSIONS and version != STABLE and not needs:
            yield Problem(
                (*cluster.path, "apiVersion"),
                f"{cluster}: nothing in it needs version {version}",
                f"write {STABLE}",
            )


@rule(
    "X103",
    ERROR,
    f"The HDInsight version is {HDINSIGHT}",
    why="4.0 and 5.0 were retired on 31 March 2025 and cannot be created; samples still name them. `default` and no "
    "version at all resolve to whatever the service likes.",
    fix=f'Write "{HDINSIGHT}".',
    source=_VERSIONS,
)
def version(template: Template) -> Iterator[Problem]:
    for cluster in template.clusters:
        found = at(cluster.body, "properties", "clusterVersion")
        if found != HDINSIGHT and is_known(found):
            what = f"HDInsight `{shown(found)}` cannot be created" if found is not None else "no HDInsight version"
            yield Problem((*cluster.path, "properties", "clusterVersion"), f"{cluster}: {what}", f'write "{HDINSIGHT}"')


@rule(
    "X104",
    ERROR,
    "The kind of a cluster is one that there is",
    why=f"HDInsight {HDINSIGHT} has Kafka, Spark, Hadoop, HBase and Interactive Hive; Storm and ML Services are gone.",
    fix="Take the suggested kind.",
    source=_VERSIONS,
)
def known_kind(template: Template) -> Iterator[Problem]:
    for cluster in template.clusters:
        found = at(cluster.body, "properties", "clusterDefinition", "kind")
        if is_known(found) and str(found).lower() not in KINDS:
            yield Problem(
                (*cluster.path, "properties", "clusterDefinition", "kind"),
                f"{cluster}: there is no kind `{shown(found)}`{did_you_mean(str(found), KINDS)}",
                f"write one of {', '.join(KINDS)}",
            )


@rule(
    "X105",
    ERROR,
    "Component versions have two parts",
    why="HDInsight answers BadRequest to three, as in 3.2.0.",
    fix="Write major.minor.",
    source="Microsoft Learn: component-version-validation-error-arm-templates",
)
def two_parts(template: Template) -> Iterator[Problem]:
    for cluster in template.clusters:
        path = (*cluster.path, "properties", "clusterDefinition", "componentVersion")
        for name, found in mapping(at(cluster.body, "properties", "clusterDefinition", "componentVersion")).items():
            if is_known(found) and not re.fullmatch(r"\d+\.\d+", str(found)):
                yield Problem(
                    (*path, name),
                    f"{cluster}: version `{shown(found)}` of {name} is not of two parts",
                    "write major.minor",
                )


@rule(
    "X106",
    ERROR,
    f"Components are those of the kind, in the version that HDInsight {HDINSIGHT} has",
    why="The service has one version of each component; another is refused (Version capability not available).",
    fix="Write the version that is named.",
    source=_VERSIONS,
)
def component(template: Template) -> Iterator[Problem]:
    for cluster in template.clusters:
        name, offered = KINDS.get(kind(cluster) or "", ("", ""))
        path = (*cluster.path, "properties", "clusterDefinition", "componentVersion")
        for written, found in mapping(at(cluster.body, "properties", "clusterDefinition", "componentVersion")).items():
            if not name or not is_known(found) or not re.fullmatch(r"\d+\.\d+", str(found)):
                continue
            if written.lower() != name.lower():
                yield Problem(
                    (*path, written), f"{cluster}: a {name} cluster has no `{shown(written)}`", f"write {name}"
                )
            elif found != offered:
                yield Problem((*path, written), f"{cluster}: there is no {name} {found}", f'write "{offered}"')
