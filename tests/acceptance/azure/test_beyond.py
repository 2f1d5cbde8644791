"""What is on Azure beside the stack: told, never taken away without a word."""

from __future__ import annotations

import pytest

from tests.acceptance.azure.stacks import GROUP, settled, stack
from tests.fakes.azure import FakeCloud
from tests.workspace import Workspace


@pytest.fixture
def with_a_lab(azure_workspace: Workspace, cloud: FakeCloud) -> Workspace:
    """A stack that is made, and then loses one of its clusters and its subnet in the file."""
    described = stack()
    del described["clusters"]["ingest"]
    described["network"]["westeurope"]["subnets"]["lab"] = "10.20.3.0/24"
    described["clusters"]["lab"] = {"kind": "spark"}
    workspace = settled(azure_workspace, cloud, described)
    workspace.run("apply", "--yes").ok()
    del described["clusters"]["lab"]
    del described["network"]["westeurope"]["subnets"]["lab"]
    workspace.write(described)
    return workspace


def test_a_cluster_that_left_the_stack_goes_on_and_is_told(with_a_lab: Workspace, cloud: FakeCloud):
    told = with_a_lab.run("plan").ok().out
    assert "cluster lab-clicks carries the stack's tag" in told
    assert f"az hdinsight delete --name lab-clicks --resource-group {GROUP}" in told
    with_a_lab.run("apply").ok()
    assert cloud.cluster("lab-clicks") is not None


def test_no_deployment_takes_away_a_subnet_that_the_stack_does_not_name(with_a_lab: Workspace, cloud: FakeCloud):
    described = stack()  # one more cluster: it needs a deployment
    del described["clusters"]["ingest"]["workers"]
    with_a_lab.write(described)
    before = len(cloud.ledger)
    with_a_lab.run("apply", "--yes").failed(
        1, "nothing was touched", "would take away the subnet `lab`", "name it under network.westeurope.subnets"
    )
    assert len(cloud.ledger) == before
    described["network"]["westeurope"]["subnets"]["lab"] = "10.20.3.0/24"
    with_a_lab.write(described)
    with_a_lab.run("apply", "--yes").ok()
    assert cloud.duplicates() == []


def test_a_rule_that_somebody_added_is_told(with_a_lab: Workspace, cloud: FakeCloud):
    id = cloud.id(GROUP, "Microsoft.Network/networkSecurityGroups", "clicks-westeurope-jobs-nsg")
    group = cloud.world.find(id)
    assert group is not None
    rule = {**group.properties["securityRules"][0], "name": "by-hand"}
    group.properties["securityRules"].append(rule)
    told = with_a_lab.run("plan").ok().out
    assert "rule `by-hand` is not in the stack; the next deployment takes it away" in told


def test_a_cluster_that_somebody_deleted_is_made_again_and_no_other(with_a_lab: Workspace, cloud: FakeCloud):
    gone = cloud.cluster("jobs-clicks")
    assert gone is not None
    cloud.world.remove(gone.id)
    described = stack()
    del described["clusters"]["ingest"]
    described["network"]["westeurope"]["subnets"]["lab"] = "10.20.3.0/24"
    described["clusters"]["lab"] = {"kind": "spark"}
    with_a_lab.write(described)
    planned = with_a_lab.run("plan", "--json").failed(3).json["plan"]["changes"]
    assert [(change["action"], change["address"]) for change in planned] == [("create", "cluster:jobs")]
    with_a_lab.run("apply", "--yes").ok()
    assert cloud.duplicates() == []


def test_a_cluster_that_is_being_deleted_is_no_part_of_a_plan(with_a_lab: Workspace, cloud: FakeCloud):
    cloud.freeze()
    leaving = cloud.cluster("jobs-clicks")
    assert leaving is not None
    leaving.properties.update({"clusterState": "Deleting", "provisioningState": "Deleting"})
    with_a_lab.run("plan").failed(1, "cluster:jobs: the cluster is being deleted", "plan again when it is gone")
