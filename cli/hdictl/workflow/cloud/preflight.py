"""Azure's own dry runs: what it would refuse is a refusal here, before anything is touched.

What one is not permitted to ask is said, not guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hdictl.arm.deployment import Deployment
from hdictl.errors import CloudRejected, PermissionMissing
from hdictl.plan.change import Comparison, Refusal
from hdictl.plan.cloud import CloudError, WhatIf
from hdictl.plan.cloud_advice import advice
from hdictl.plan.wishes import PlanPart
from hdictl.ports.cloud import CloudReader
from hdictl.stack.vm_sizes import vm_size

# HDInsight counts these nodes against the core quota; ZooKeeper's it does not.
_COUNTED = ("headnode", "workernode", "kafkamanagementnode")
_NO_GROUP = "ResourceGroupNotFound"  # the first apply makes it


@dataclass(frozen=True)
class Candidate:
    """A cluster that the plan makes or changes."""

    key: str
    name: str
    location: str
    body: Mapping[str, Any]
    is_new: bool
    is_replaced: bool
    stands: bool  # network, storage and identity are there already
    more_workers: int

    @property
    def address(self) -> str:
        return f"cluster:{self.key}"

    @property
    def more_cores(self) -> int:
        roles = {str(role["name"]).lower(): role for role in self.body["properties"]["computeProfile"]["roles"]}
        if not self.is_new:
            return self.more_workers * _cores(roles["workernode"])
        if self.is_replaced:
            return 0  # the old one gives back what the new one takes, as near as can be known
        return sum(_cores(roles[name]) * int(roles[name]["targetInstanceCount"]) for name in _COUNTED if name in roles)


def _cores(role: Mapping[str, Any]) -> int:
    size = vm_size(str(role["hardwareProfile"]["vmSize"]))
    return size.cores if size is not None else 0


def preflight(
    cloud: CloudReader, deployment: Deployment, candidates: Sequence[Candidate], skip: frozenset[PlanPart]
) -> Comparison:
    new = [candidate for candidate in candidates if candidate.is_new]
    asked: dict[PlanPart, Callable[[], Iterator[Comparison]]] = {
        PlanPart.NAMES: lambda: _names(cloud, new),
        PlanPart.CAPABILITIES: lambda: _capabilities(cloud, new),
        PlanPart.QUOTA: lambda: _quota(cloud, candidates),
        PlanPart.CREATE_REQUEST: lambda: _create_requests(cloud, new),
        PlanPart.VALIDATE: lambda: _validate(cloud, deployment),
        PlanPart.WHAT_IF: lambda: _what_if(cloud, deployment, whole.refusals),
    }
    whole = Comparison()
    for part, ask in asked.items():
        if part in skip:
            continue
        try:
            whole = sum(ask(), whole)
        except PermissionMissing as error:
            whole += Comparison(notes=(f"{part.value} was not asked: {error.what}",))
        except CloudRejected as error:
            if error.code != _NO_GROUP:
                raise
            whole += Comparison(notes=(f"{part.value} is not asked before the resource group is there",))
    return whole


def _refused(address: str, part: PlanPart, error: CloudError) -> Comparison:
    what = f"{error.code}: {error.message}" if error.code else error.message
    fix = advice(error) or f"mend the stack; or go on without asking: --skip {part.value}"
    return Comparison(refusals=(Refusal(address=address, what=f"{part.value} says {what}", fix=fix),))


def _names(cloud: CloudReader, new: Sequence[Candidate]) -> Iterator[Comparison]:
    for candidate in new:
        if candidate.is_replaced:
            continue
        trouble = cloud.name_trouble(candidate.location, candidate.name)
        if trouble is not None:
            fix = f"give it another: clusters.{candidate.key}.name"
            what = f"the name `{candidate.name}` cannot be had: {trouble}"
            yield Comparison(refusals=(Refusal(address=candidate.address, what=what, fix=fix),))


def _capabilities(cloud: CloudReader, new: Sequence[Candidate]) -> Iterator[Comparison]:
    for candidate in new:
        offered = cloud.capabilities(candidate.location)
        properties = candidate.body["properties"]
        kind = str(properties["clusterDefinition"]["kind"]).lower()
        versions = offered.versions.get(kind)
        if versions is not None and properties["clusterVersion"] not in versions:
            what = f"{candidate.location} does not offer HDInsight {properties['clusterVersion']} for {kind}"
            yield Comparison(
                refusals=(Refusal(address=candidate.address, what=what, fix=f"it offers {', '.join(versions)}"),)
            )
        sizes = {str(role["hardwareProfile"]["vmSize"]) for role in properties["computeProfile"]["roles"]}
        for size in sorted(sizes):
            if offered.sizes and size.lower() not in offered.sizes:
                what = f"{candidate.location} does not offer {size} for HDInsight"
                fix = "take another size or region; az hdinsight list-usage and the portal show what there is"
                yield Comparison(refusals=(Refusal(address=candidate.address, what=what, fix=fix),))


def _quota(cloud: CloudReader, candidates: Sequence[Candidate]) -> Iterator[Comparison]:
    for location in sorted({candidate.location for candidate in candidates}):
        here = [candidate for candidate in candidates if candidate.location == location]
        needed = sum(candidate.more_cores for candidate in here)
        usage = cloud.usages(location).get("cores")
        if usage is None or needed <= 0:
            continue
        if needed > usage.free:
            what = f"{needed} more cores are needed in {location}, {usage.free} of {usage.limit} are free"
            fix = "ask for more quota (portal: Quotas, HDInsight), use fewer or smaller nodes, or another region"
            yield Comparison(refusals=(Refusal(address=here[0].address, what=what, fix=fix),))
        else:
            note = f"{location}: {needed} more cores; {usage.current} of {usage.limit} are in use"
            yield Comparison(notes=(note,))


def _create_requests(cloud: CloudReader, new: Sequence[Candidate]) -> Iterator[Comparison]:
    for candidate in new:
        if candidate.is_replaced:
            continue  # the name is still taken
        if not candidate.stands:  # HDInsight looks at what a cluster stands on, and would find nothing
            why = "before its network, storage and identity are there"
            yield Comparison(notes=(f"{candidate.address}: create-request is not asked {why}",))
            continue
        for error in cloud.validate_cluster(candidate.location, candidate.name, candidate.body):
            yield _refused(candidate.address, PlanPart.CREATE_REQUEST, error)


def _validate(cloud: CloudReader, deployment: Deployment) -> Iterator[Comparison]:
    for error in cloud.validate(deployment):
        yield _refused(f"group:{deployment.stack}", PlanPart.VALIDATE, error)


def _what_if(cloud: CloudReader, deployment: Deployment, said: Sequence[Refusal]) -> Iterator[Comparison]:
    try:
        expected = cloud.what_if(deployment)
    except CloudRejected as error:
        if error.code == _NO_GROUP:
            raise
        reason = error.what.removeprefix(f"{error.code}: ")
        if not any(reason in refusal.what for refusal in said):  # validate mostly says the same
            yield _refused(f"group:{deployment.stack}", PlanPart.WHAT_IF, CloudError(error.code, reason))
        return
    yield Comparison(notes=_summary(expected))


def _summary(expected: Sequence[WhatIf]) -> tuple[str, ...]:
    counts: dict[str, int] = {}
    for each in expected:
        counts[each.action] = counts.get(each.action, 0) + 1
    told = ", ".join(f"{count} {action}" for action, count in sorted(counts.items()))
    changed = [
        f"what-if: {each.action} {each.id.rpartition('/providers/')[2]}: {', '.join(each.paths)}"
        for each in expected
        if each.action in ("Modify", "Delete") and (each.paths or each.action == "Delete")
    ]
    return (f"what-if: {told or 'nothing'}", *changed)
