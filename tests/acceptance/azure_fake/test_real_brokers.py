"""A resize in the fake cloud starts real brokers, and `hdictl scale` waits until Kafka has them."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.acceptance.azure_fake.bodies import PASSWORD, cluster
from tests.acceptance.azure_fake.conftest import Clients
from tests.fakes.azure import FakeCloud
from tests.fakes.azure.ambari import attach
from tests.fakes.azure.names import SUBSCRIPTION_ID
from tests.fakes.azure.real_brokers import RealBrokers
from tests.workspace import Workspace

PUBLIC_KEY = Path(__file__).parents[2] / "invariants" / "stacks" / "keys" / "ops_rsa.pub"
STACK = {
    "stack": "clicks",
    "azure": {"subscription": SUBSCRIPTION_ID, "resource_group": "rg", "location": "westeurope"},
    "secrets": {"gateway": {"env": "GATEWAY_PASSWORD"}, "ssh": {"public_key_file": "ops.pub"}},
    "network": {"westeurope": {"address_space": "10.20.0.0/16", "subnets": {"ingest": "10.20.1.0/24"}}},
    "clusters": {"ingest": {"kind": "kafka", "workers": {"count": 3}}},
    "topics": {"views": {"cluster": "ingest", "partitions": 3, "replication": 3}},
}


def test_scale_waits_for_real_brokers(cloud: FakeCloud, clients: Clients, tmp_path: Path) -> None:
    workspace = Workspace(tmp_path, "azure", {**cloud.environ(), "GATEWAY_PASSWORD": PASSWORD})
    workspace.write(STACK)
    shutil.copy(PUBLIC_KEY, tmp_path / "ops.pub")
    with RealBrokers(cloud, attach(cloud), tmp_path / "brokers"):
        made = cluster(workers=3)
        clients.hdinsight.clusters.begin_create("rg", "ingest-clicks", made).result()
        told = workspace.run("scale", "ingest", "4", "--yes", "--json").ok().json
    assert (told["before"], told["after"]) == (3, 4)
    assert told["brokers"] == [1001, 1002, 1003, 1004]
    assert told["new_brokers"] == [1004]
    assert PASSWORD not in cloud.dump()
