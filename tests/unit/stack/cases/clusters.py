"""Versions, nodes, sizes, scaling, security, scripts."""

from __future__ import annotations

from tests.unit.stack.cases.case import AZURE, GUID, IDS, READY, Case, kafka, secured, spark

VERSIONS = (
    Case(
        "V001", 'stack: demo\nclusters:\n  k: {kind: kafka, version: "[[4.0|5.1]]"}\n', says="retired on 31 March 2025"
    ),
    Case("V001", "stack: demo\nclusters:\n  k: {kind: kafka, version: '[[default|5.1]]'}\n", says="cannot be created"),
    Case("V002", "stack: demo\nclusters:\n  k: {kind: kafka, kafka: '[[3.2.0|3.2]]'}\n", says="BadRequest"),
    Case("V002", "stack: demo\nclusters:\n  s: {kind: spark, spark: '[[2.4|3.3]]'}\n", says="no Spark 2.4"),
)


def _schedule(entries: str) -> str:
    return spark(f"autoscale:\n      min: 3\n      max: 10\n      schedule:\n        {entries}")


NODES = (
    Case("C001", kafka("workers: {count: [[2|3]]}")),
    Case("C002", kafka("workers: {size: [[Standard_E4_v33|Standard_E4_v3]]}"), says="did you mean `Standard_E4_v3`?"),
    Case("C002", kafka("head: {size: [[Large|Standard_E4_v3]]}")),
    Case("C003", kafka("head: {size: [[Standard_F8|Standard_E8_v3]]}"), says="worker nodes, not for head"),
    Case("C003", kafka("workers: {size: [[Standard_A2_v2|Standard_A4_v2]]}"), says="zookeeper"),
    Case("C004", kafka("workers: {size: [[standard_e4_V3|Standard_E4_v3]]}")),
    Case("C005", kafka("workers: {size: Standard_E4_v3, disks: [[9|8]]}"), says="Standard_E4_v3 takes 8"),
    Case("C005", kafka("workers: {size: Standard_E32_v3, disks: [[17|16]]}"), says="at most 16"),
    Case("C006", kafka("head: {size: [[Standard_E4_v3|Standard_E8_v3]]}\n    workers: {count: 33}")),
    Case("C006", kafka("workers: {count: [[33|32]]}").replace("  k:", "  k: # here")),
    Case("C007", spark("autoscale: {min: [[11|3]], max: 10}")),
    Case("C007", spark("autoscale: {min: [[4|3]], max: 10}"), says="workers.count 3 is outside"),
    Case("C008", spark("autoscale: {min: [[1|3]], max: 10}")),
    Case("C009", kafka("encryption: {at_host: [[true|false]]}"), says="Standard_E4_v3"),
    Case("C010", AZURE.replace("{kind: kafka}", "{kind: kafka, location: [[northeurope, zone: '1'|westeurope]]}")),
    Case("C011", kafka("local: {domains: {[[1|1001]]: {fd: 0, ud: 0}}}"), says="no broker 1"),
    Case("C012", kafka("bootstrap: ['wn0:9092', '[[wn1|wn1:9092]]']")),
    Case("C012", kafka("proxy: [[http://127.0.0.1:1|socks5h://127.0.0.1:9876]]")),
    Case("C013", kafka("local: {brokers: [[5|4]]}")),
    Case(
        "C014",
        "stack: demo\nclusters:\n  k: {kind: kafka, local: {port: 9092}}\n"
        "  l: {kind: kafka, local: {port: [[9095|9096]]}}\n",
        says="9095 to 9098 of `l` overlap those of `k`",
    ),
    Case("C014", kafka("local: {port: [[65533|65532]]}"), says="end above 65535"),
    Case("C015", kafka("local: {config: {[[broker.id|num.io.threads]]: 3}}")),
    Case("C002", kafka(f"rest_proxy: {{group: g, group_id: {GUID}, size: [[Large|Standard_E8_v3]]}}")),
    Case("C003", kafka(f"rest_proxy: {{group: g, group_id: {GUID}, size: [[Standard_F8|Standard_E8_v3]]}}")),
    Case(
        "C009",
        kafka(
            "encryption: {at_host: true} # here\n    head: {size: Standard_E4a_v4}\n"
            "    workers: {size: Standard_E4a_v4}\n    [[|zookeeper: {size: Standard_D2a_v4}]]"
        ),
        says="Standard_A4_v2 (zookeeper)",
    ),
    Case(
        "C009",
        kafka(
            "encryption: {at_host: true} # here\n    head: {size: Standard_E4a_v4}\n"
            "    workers: {size: Standard_E4a_v4}\n    zookeeper: {size: Standard_D2a_v4}\n"
            f"    rest_proxy: {{group: g, group_id: {GUID}, size: [[Standard_E8_v3|Standard_E8a_v4]]}}"
        ),
        says="Standard_E8_v3 (management)",
    ),
    Case("C016", _schedule("a: {days: [Monday], at: '08:00', workers: [[11|10]]}"), says="11 workers"),
    Case(
        "C017",
        _schedule(
            "a: {days: [Monday, Friday], at: '08:00', workers: 5}\n"
            "        b: {days: [Friday], at: '[[08:00|18:00]]', workers: 3}"
        ),
        says="`a` and `b` both speak of Friday 08:00",
    ),
    Case("C017", _schedule("a: {days: [Monday, [[Monday|Friday]]], at: 08:00, workers: 5}"), says="Monday twice"),
    Case("C018", spark("autoscale: {min: 3, max: 10, timezone: [[Europe/Berlin|W. Europe Standard Time]]}")),
    Case("C018", spark("autoscale: {min: 3, max: 10, timezone: '[[ |UTC]]'}")),
    Case(
        "C019",
        AZURE.replace("westeurope", "westus").replace("{kind: kafka}", "{kind: kafka[[, zone: 1|]]}")
        + "storage: {westus: {replication: LRS}}\n",
        says="no availability zones in westus",
    ),
    Case("C020", secured("ldaps: ['[[ldap://d.example:389|ldaps://d.example:636]]']")),
    Case("C020", secured("ldaps: ['[[ldaps://d.example|ldaps://d.example:636]]']")),
    Case("C021", secured(f"directory: [[d.example|{IDS}/microsoft.aad/DomainServices/d.example]]")),
    Case(
        "C021",
        secured(f"identity: {IDS}/Microsoft.[[AAD/domainServices|ManagedIdentity/userAssignedIdentities]]/esp"),
    ),
    Case(
        "C022",
        AZURE.replace("clusters: {k: {kind: kafka}}\n", "").replace("subnets:", "dns: [10.9.0.4], subnets:")
        + READY
        + secured("domain: d.example", kind="[[kafka|spark]]")
        .removeprefix("stack: demo\n")
        .replace("  s:\n", "  k:\n")
        .replace("security:", "security: # here"),
        target="azure",
    ),
    Case(
        "C029",
        AZURE.replace("clusters: {k: {kind: kafka}}\n", "").replace("subnets:", "[[|dns: [10.9.0.4], ]]subnets:")
        + secured("domain: d.example")
        .removeprefix("stack: demo\n")
        .replace("  s:\n", "  k:\n")
        .replace("security:", "security: # here"),
    ),
    Case("C023", kafka(f"rest_proxy: {{group: g, group_id: [[kafka-users|{GUID}]]}}")),
    Case("C023", kafka(f"entra_users: {{ada: {{upn: a@b.example, object_id: [[ada|{GUID}]]}}}}")),
    Case("C024", kafka(f"entra_users: {{ada: {{object_id: {GUID}, upn: [[ada|ada@b.example]]}}}}")),
    Case("C025", spark("scripts: {'[[a b|ab]]': {uri: https://h.example/a.sh}}")),
    Case(
        "C025",
        spark("scripts: {ab: {uri: https://h.example/a.sh}, [[AB|cd]]: {uri: https://h.example/a.sh}}"),
        says="only in case",
    ),
    Case("C026", spark("scripts: {a: {uri: '[[./setup.sh|https://h.example/setup.sh]]'}}")),
    Case("C026", spark("scripts: {a: {uri: 'https://h.example/[[a b|ab]].sh'}}")),
    Case("C026", spark("scripts: {a: {uri: '[[abfss://c@a.dfs.|wasbs://c@a.blob.]]core.windows.net/a.sh'}}")),
    Case("C027", spark("scripts: {a: {uri: https://h.example/a.sh, parameters: '[[--password=x|-v]]'}}")),
    Case("C027", spark("scripts: {a: {uri: 'https://h.example/a.sh[[?sv=1&sig=x|]]'}}"), says="`sig=…`"),
    Case("C028", spark("scripts: {a: {uri: http[[|s]]://h.example/a.sh, on: [head, zookeeper]}}")),
)
