"""What a rebalance shall do, and which rules it may leave."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Wishes:
    repair_only: bool = False  # mend violations of domains; balance nothing
    drain: frozenset[int] = frozenset()  # brokers that shall hold nothing
    replication: Mapping[str, int] = field(default_factory=dict)  # topic → replicas that it shall have
    balance_bytes: float | None = None  # 0.1: bytes of every broker within ten per cent of its fair share
    global_only: bool = False  # balance brokers, not every topic
    strict_ud: bool = False  # refuse where update domains have to be shared
    no_domains: bool = False  # spread over brokers only
