"""What a stack takes, with and without prices."""

from __future__ import annotations

import pytest

from hdictl.drivers.price_list import read_prices
from hdictl.errors import UsageError
from hdictl.plan.cost import Prices, cost_of
from tests.unit.cloud.bodies import stack


def test_nodes_cores_and_disks_by_role():
    cost = cost_of(stack(), None)
    ingest = {
        line.what: (line.count, line.size, line.cores, line.disks) for line in cost.lines if line.cluster == "ingest"
    }
    assert ingest == {
        "head": (2, "Standard_E4_v3", 8, 0),
        "worker": (4, "Standard_E8_v3", 32, 8),
        "zookeeper": (3, "Standard_A4_v2", 12, 0),
    }
    assert cost.monthly is None and cost.missing == ()


def test_the_rest_proxy_has_nodes_of_its_own():
    proxy = {"group": "g", "group_id": "0b1f6471-1bf0-4dda-aec3-cb9272f09591"}
    lines = cost_of(stack(ingest__rest_proxy=proxy), None).lines
    assert [line.count for line in lines if line.what == "management"] == [2]


def test_prices_are_summed_and_what_has_none_is_named():
    prices = Prices(
        currency="EUR",
        hours=100,
        sizes={"standard_e8_V3": 2, "Standard_E4_v3": 1, "Standard_A4_v2": 0.5},
        disk=40,
        hourly={"nat_gateway": 0.05},
    )
    cost = cost_of(stack(), prices)
    ingest = sum(line.monthly or 0 for line in cost.lines if line.cluster == "ingest")
    assert ingest == 2 * 100 + (4 * 2 * 100 + 8 * 40) + 3 * 0.5 * 100
    assert cost.missing == ("Standard_A2_v2", "public_ip")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("sizes: {Standard_E4_v3: -1}", "sizes.Standard_E4_v3"),
        ("size: {}", "size"),
        ("a: 1\nb: [", "prices.yaml:2.*not YAML"),
        ("3", "not a map"),
    ],
)
def test_a_bad_price_list_is_told_in_one_line(tmp_path, text, said):
    file = tmp_path / "prices.yaml"
    file.write_text(text)
    with pytest.raises(UsageError, match=said):
        read_prices(file)


def test_a_missing_price_list_is_told(tmp_path):
    with pytest.raises(UsageError, match="no such price list"):
        read_prices(tmp_path / "none.yaml")
