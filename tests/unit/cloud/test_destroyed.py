"""What goes first, and what is lost with it."""

from __future__ import annotations

from hdictl.plan.cloud import CloudResource
from hdictl.plan.destroyed import in_deletion_order
from tests.unit.cloud.bodies import desired, returned, stack


def resource(kind: str, name: str = "x") -> CloudResource:
    return CloudResource(f"/{kind}/{name}", kind, name)


def test_what_stands_on_something_goes_before_it():
    kinds = [
        "Microsoft.Network/publicIPAddresses",
        "Microsoft.Network/virtualNetworks",
        "Microsoft.Network/natGateways",
        "Microsoft.HDInsight/clusters",
        "Microsoft.Other/things",
        "Microsoft.Storage/storageAccounts",
    ]
    cluster = returned(desired(stack()))
    order = in_deletion_order((resource(kind), cluster if kind.endswith("clusters") else None) for kind in kinds)
    assert [each.resource.type.rpartition("/")[2] for each in order] == [
        "clusters",
        "virtualNetworks",
        "natGateways",
        "publicIPAddresses",
        "storageAccounts",
        "things",
    ]
    losses = {each.resource.type.rpartition("/")[2]: each.loss for each in order}
    assert "4 brokers × 2 of 1 TB" in losses["clusters"]
    assert "checkpoints" in losses["storageAccounts"]
    assert losses["natGateways"] == ""
