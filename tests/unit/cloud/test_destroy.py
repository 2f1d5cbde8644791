"""Everything goes, in its order, whatever a list that is read in pages has left out."""

from __future__ import annotations

from contextlib import nullcontext
from types import SimpleNamespace

from hdictl.plan.cloud import CloudResource
from hdictl.ports.progress import Silent
from hdictl.stack.model import Stack
from hdictl.workflow.cloud.destroy import destroy
from tests.workspace import kafka_stack


class Listed:
    """A `Cloud` whose first list is read while an earlier run's deletion goes on: a page moves up, and one is lost."""

    def __init__(self, resources: list[CloudResource], overlooked: CloudResource) -> None:
        self.left = resources
        self.deleted: list[str] = []
        self._overlooked: CloudResource | None = overlooked

    def tagged(self):
        overlooked, self._overlooked = self._overlooked, None
        return tuple(each for each in self.left if each is not overlooked)

    def delete(self, resource):
        self.left = [each for each in self.left if each is not resource]
        self.deleted.append(resource.name)
        return SimpleNamespace(wait=lambda seconds: True)

    def cluster(self, name):
        return None

    def deployments(self):
        return ()


def resource(type: str, name: str) -> CloudResource:
    return CloudResource(f"/{type}/{name}", type, name, {})


def test_what_a_list_left_out_goes_before_what_it_uses():
    cluster = resource("Microsoft.HDInsight/clusters", "jobs")
    network = resource("Microsoft.Network/virtualNetworks", "vnet")
    rule = resource("Microsoft.Insights/scheduledQueryRules", "rule")
    cloud = Listed([network, cluster, rule], overlooked=cluster)
    infrastructure = SimpleNamespace(poll_seconds=0.0, cloud=lambda: nullcontext(cloud))
    stack = Stack.model_validate(kafka_stack({}))
    assert destroy(stack, infrastructure, Silent()) == 3
    assert cloud.deleted == ["rule", "jobs", "vnet"]
