"""What a stack takes on Azure: nodes, cores and disks by role, and what they cost when somebody gives prices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from pydantic import BaseModel, ConfigDict, Field, NonNegativeFloat

from hdictl.stack.clusters import AnyCluster, KafkaCluster
from hdictl.stack.model import Stack
from hdictl.stack.vm_sizes import DEFAULT_HEAD, DEFAULT_ZOOKEEPER, vm_size

_HOURS_A_MONTH = 730.0
NAT_GATEWAY = "nat_gateway"
PUBLIC_IP = "public_ip"


class Prices(BaseModel):
    """A price list: what the person who gives it pays."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    currency: str = "USD"
    hours: NonNegativeFloat = Field(default=_HOURS_A_MONTH, description="Hours in a month.")
    sizes: dict[str, NonNegativeFloat] = Field(
        default={}, description="VM size → price of an hour, HDInsight's included."
    )
    disk: NonNegativeFloat | None = Field(default=None, description="Price of a managed disk of 1 TB a month.")
    hourly: dict[str, NonNegativeFloat] = Field(
        default={}, description=f"Other things by the hour: {NAT_GATEWAY}, {PUBLIC_IP}."
    )

    def size(self, name: str) -> float | None:
        return {size.lower(): price for size, price in self.sizes.items()}.get(name.lower())


@dataclass(frozen=True)
class CostLine:
    cluster: str  # or the region of what clusters share
    what: str  # role, or thing
    count: int
    size: str = ""
    cores: int = 0  # all nodes together
    disks: int = 0  # of 1 TB, all nodes together
    monthly: float | None = None  # None: no price is known
    missing: str = ""  # what has no price


@dataclass(frozen=True)
class Cost:
    lines: tuple[CostLine, ...]
    currency: str | None

    @property
    def cores(self) -> int:
        return sum(line.cores for line in self.lines)

    @property
    def disks(self) -> int:
        return sum(line.disks for line in self.lines)

    @property
    def monthly(self) -> float | None:
        known = [line.monthly for line in self.lines if line.monthly is not None]
        return sum(known) if known else None

    @property
    def missing(self) -> tuple[str, ...]:
        return tuple(sorted({line.missing for line in self.lines if line.missing}))


def cost_of(stack: Stack, prices: Prices | None) -> Cost:
    lines = [line for key, cluster in stack.clusters.items() for line in _cluster_lines(key, cluster, prices)]
    for region, network in stack.network.items():
        if network.outbound == "nat":
            lines += [_shared(region, NAT_GATEWAY, prices), _shared(region, PUBLIC_IP, prices)]
    return Cost(tuple(lines), prices.currency if prices is not None else None)


def _cluster_lines(key: str, cluster: AnyCluster, prices: Prices | None) -> list[CostLine]:
    head = cluster.head.size if cluster.head else DEFAULT_HEAD[cluster.kind]
    zookeeper = cluster.zookeeper.size if cluster.zookeeper else DEFAULT_ZOOKEEPER[cluster.kind]
    disks = cluster.workers.disks if isinstance(cluster, KafkaCluster) else 0
    lines = [
        CostLine(key, "head", 2, head),
        CostLine(key, "worker", cluster.workers.count, cluster.workers.size, disks=cluster.workers.count * disks),
        CostLine(key, "zookeeper", 3, zookeeper),
    ]
    if isinstance(cluster, KafkaCluster) and cluster.rest_proxy is not None:
        lines.append(CostLine(key, "management", 2, cluster.rest_proxy.size))
    return [_priced(line, prices) for line in lines]


def _priced(line: CostLine, prices: Prices | None) -> CostLine:
    size = vm_size(line.size)
    known = replace(line, size=size.name, cores=line.count * size.cores) if size is not None else line
    if prices is None:
        return known
    hourly = prices.size(line.size)
    if hourly is None:
        return replace(known, missing=line.size)
    if line.disks and prices.disk is None:
        return replace(known, missing="disk")
    return replace(known, monthly=line.count * hourly * prices.hours + line.disks * (prices.disk or 0.0))


def _shared(region: str, thing: str, prices: Prices | None) -> CostLine:
    hourly: Mapping[str, float] = prices.hourly if prices is not None else {}
    if thing in hourly and prices is not None:
        return CostLine(region, thing, 1, monthly=hourly[thing] * prices.hours)
    return CostLine(region, thing, 1, missing=thing if prices is not None else "")
