"""Regions, networks and storage."""

from __future__ import annotations

from tests.unit.stack.cases.case import AZURE, GUID, ON_AZURE, READY, Case, kafka, network


def _region(rest: str) -> str:
    return network(
        f"  westeurope:\n    address_space: 10.0.0.0/16\n    subnets: {{k: 10.0.1.0/24}}\n    {rest}\n",
    )


_NORTH = "{k: {kind: kafka}, n: {kind: kafka, location: northeurope}}"

NETWORK = (
    Case("R001", network("  westeurope: {address_space: [[10.0.0.0/99|10.0.0.0/16]], subnets: {k: 10.0.1.0/24}}\n")),
    Case(
        "R001",
        network("  westeurope: {address_space: [[10.0.0.1/16|10.0.0.0/16]], subnets: {k: 10.0.1.0/24}}\n"),
        says="the range is 10.0.0.0/16",
    ),
    Case(
        "R001",
        network("  westeurope: {address_space: '[[fd00::/64|10.0.0.0/16]]', subnets: {k: 10.0.1.0/24}}\n"),
        says="IPv6",
    ),
    Case(
        "R001",
        network("  westeurope: {address_space: 10.0.0.0/16, subnets: {k: [[10.0.1.0|10.0.1.0/24]]}}\n"),
        says="no prefix length",
    ),
    Case(
        "R002",
        network("  westeurope: {address_space: [[20.0.0.0/16|10.0.0.0/16]], subnets: {k: [[20|10]].0.1.0/24}}\n"),
    ),
    Case("R003", network("  westeurope: {address_space: 10.0.0.0/16, subnets: {k: [[10.1.1.0/24|10.0.1.0/24]]}}\n")),
    Case(
        "R004",
        network(
            "  westeurope:\n    address_space: 10.0.0.0/16\n    subnets:\n      k: 10.0.1.0/24\n"
            "      j: [[10.0.1.128/25|10.0.2.0/25]]\n"
        ),
    ),
    Case(
        "R005",
        network(
            "  westeurope: {address_space: 10.0.0.0/16, subnets: {k: 10.0.1.0/24}}\n"
            "  northeurope: {address_space: [[10.0.0.0/8|10.1.0.0/16]], subnets: {n: 10.1.1.0/24}}\n",
            _NORTH,
        ),
        says="10.0.0.0/16) and northeurope (10.0.0.0/8) are peered, and they overlap",
    ),
    Case("R006", AZURE.replace("{k: 10", "{[[kk|k]]: 10").replace("kafka}}", "kafka}} # here"), says="no subnet `k`"),
    Case("R007", AZURE.replace("10.0.1.0/24", "10.0.1.0/[[29|24]]"), says="has 3 addresses"),
    Case(
        "R008",
        AZURE.replace("10.0.1.0/24", "10.0.1.0/[[27|24]]").replace("kafka}", "kafka, workers: {count: 10}}"),
        says="has 27 addresses; with twice the workers its clusters need 30",
    ),
    Case(
        "R009",
        network(
            "  westeurope: {address_space: 10.0.0.0/16, subnets: {k: 10.0.1.0/24, j: 10.0.2.0/24}}\n",
            "\n  k: {kind: kafka}\n  j: {kind: spark[[, subnet: k|]]}\n",
        ),
    ),
    Case(
        "R010",
        AZURE.replace("network: {w", "network: {[[|w").replace("}}}", "}}]]}").replace("kafka}}", "kafka}} # here")
        + READY,
        target="azure",
        says="cluster `k` is in westeurope, which has no network",
    ),
    Case("R011", AZURE.replace("{westeurope:", "{[[northeurope|westeurope]]:")),
    Case(
        "R007",
        AZURE.replace("10.0.1.0/24", "10.0.1.0/[[28|24]]").replace(
            "{kind: kafka}", f"{{kind: kafka, rest_proxy: {{group: g, group_id: {GUID}}}}}"
        ),
        says="has 11 addresses, its clusters need 16",
    ),
    Case(
        "R007",
        AZURE.replace("10.0.1.0/24", "10.0.1.0/[[28|24]]").replace(
            "{kind: kafka}", "{kind: kafka, network: {connection: outbound, private_link: true}}"
        ),
        says="its clusters need 18",
    ),
    Case("R012", kafka("network: {private_link: true, connection: [[inbound|outbound]]}")),
    Case(
        "R013",
        ON_AZURE + "  k: {kind: kafka, subnet: one, network: {connection: outbound}}\n"
        "  s: {kind: spark, subnet: two, network: {connection: [[inbound|outbound]]}}\n",
        says="`k` is outbound and `s` is inbound",
    ),
    Case("R014", _region("dns: [10.0.0.4, '[[dns.example|10.0.0.5]]']")),
    Case("R015", _region("admins: ['[[office|203.0.113.7]]']")),
    Case("R015", _region("admins: ['[[203.0.113.7/24|203.0.113.0/24]]']"), says="host bits set"),
    Case("R015", _region("admins: ['[[fd00::/64|10.0.0.0/8]]']"), says="IPv6"),
    *(
        Case("R016", _region(f"admins: ['[[{world}|203.0.113.7/32]]']"), says="to the world")
        for world in ("0.0.0.0/0", "*", "Internet", "any", "128.0.0.0/1")
    ),
    Case("R017", _region("outbound: [[firewall|nat]]") + READY, target="azure"),
    Case(
        "R018",
        _region("[[dns|admins]]: [10.9.0.4]").replace("kafka}}", "kafka, access: ssh}} # here"),
        says="admins is empty",
    ),
    Case(
        "R018",
        _region("admins: [203.0.113.7]").replace(
            "kafka}", "kafka, access: [[ssh|direct]], network: {connection: outbound}}"
        ),
        says="no public address",
    ),
    Case("R019", AZURE + "storage: {[[northeurope|westeurope]]: {}}\n"),
    Case("R020", AZURE + "storage: {westeurope: {account: [[My-Data|mydata]]}}\n"),
    Case(
        "R021",
        network(
            "  westeurope: {address_space: 10.0.0.0/16, subnets: {k: 10.0.1.0/24}}\n"
            "  northeurope: {address_space: 10.1.0.0/16, subnets: {n: 10.1.1.0/24}}\n",
            _NORTH,
            "storage:\n  westeurope: {account: data}\n  northeurope: {account: [[data|more]]}\n",
        ),
    ),
    Case(
        "R022",
        AZURE.replace("westeurope", "westus").replace("kafka}}", "kafka}} # here")
        + "storage: {[[|westus: {replication: LRS}]]}\n",
        says="westus has no availability zones, so its storage account cannot be ZRS",
    ),
    Case("R022", AZURE.replace("westeurope", "westus") + "storage: {westus: {replication: [[GZRS|GRS]]}}\n"),
)
