"""VM sizes that HDInsight 5.1 offers, and what the rules must know of each.

Families by role and encryption at host are those of the service's billingSpecs (East US). Its `maxDataDiskCount` is
known of seven sizes and is two a core on each; that is taken for all. Cores and memory are Azure's. Regions differ and
the list grows: a size that is missing here can be waived.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum


class Role(str, Enum):
    HEAD = "head"
    WORKER = "worker"
    ZOOKEEPER = "zookeeper"
    MANAGEMENT = "management"  # of Kafka's REST proxy


@dataclass(frozen=True)
class VmSize:
    name: str  # as Azure writes it
    cores: int
    memory: float  # GB
    roles: frozenset[Role]
    can_encrypt_at_host: bool = False

    @property
    def max_disks(self) -> int:
        return 2 * self.cores


_ALL = frozenset(Role)
_WORKER = frozenset({Role.WORKER})
_ZOOKEEPER = frozenset({Role.ZOOKEEPER})


def _family(
    pattern: str,
    cores: Iterable[int],
    memory_a_core: float,
    *,
    can_encrypt_at_host: bool = False,
    roles: frozenset[Role] = _ALL,
) -> Iterator[VmSize]:
    """Sizes whose number is their cores."""
    for count in cores:
        yield VmSize(pattern.format(count), count, count * memory_a_core, roles, can_encrypt_at_host)


def _all_sizes() -> Iterator[VmSize]:
    yield VmSize("Standard_A2_v2", 2, 4, _ZOOKEEPER)
    yield from _family("Standard_A{}_v2", (4, 8), 2)
    yield VmSize("Standard_A2m_v2", 2, 16, _WORKER)
    yield from _family("Standard_A{}m_v2", (4, 8), 8)
    for family, at_host in (("D", False), ("DS", True)):
        for number, cores, memory in ((3, 4, 14), (4, 8, 28), (5, 16, 56), (12, 4, 28), (13, 8, 56), (14, 16, 112)):
            yield VmSize(f"Standard_{family}{number}_v2", cores, memory, _ALL, at_host)
    general = (2, 4, 8, 16, 32, 48, 64, 96)
    memory_heavy = (2, 4, 8, 16, 20, 32, 48, 64, 96)
    yield from _family("Standard_D{}a_v4", general, 4, can_encrypt_at_host=True)
    yield from _family("Standard_D{}ads_v5", general, 4, can_encrypt_at_host=True)
    yield from _family("Standard_E{}_v3", memory_heavy[:-1], 8)
    yield from _family("Standard_E{}s_v3", (2, 20), 8, can_encrypt_at_host=True)
    yield from _family("Standard_E{}is_v3", (64,), 6.75, can_encrypt_at_host=True)
    yield from _family("Standard_E{}a_v4", memory_heavy, 8, can_encrypt_at_host=True)
    yield from _family("Standard_E{}ads_v5", memory_heavy, 8, can_encrypt_at_host=True)
    yield from _family("Standard_F{}", (4, 8, 16), 2, roles=_WORKER)


VM_SIZES: dict[str, VmSize] = {size.name: size for size in _all_sizes()}
_FOLDED = {name.lower(): size for name, size in VM_SIZES.items()}


def vm_size(name: str) -> VmSize | None:
    """The size of this name; Azure does not mind case."""
    return _FOLDED.get(name.lower())


def sizes_for(role: Role) -> list[str]:
    return [size.name for size in VM_SIZES.values() if role in size.roles]


# What HDInsight takes when a stack names no size (billingSpecs "Default"; ZooKeeper of Kafka is set explicitly,
# because a role that is left out gets A2_v2).
DEFAULT_HEAD = {"kafka": "Standard_E4_v3", "spark": "Standard_E8_v3"}
DEFAULT_ZOOKEEPER = {"kafka": "Standard_A4_v2", "spark": "Standard_A2_v2"}
