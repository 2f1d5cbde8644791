"""One stack a rule, in two forms: `[[bad|good]]` is read as its left side when broken, as its right one when mended.

The finding belongs on the line that says `# here`, else on the line of the first `[[`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.unit.stack.public_keys import PUBLIC_KEYS

_CHOICE = re.compile(r"\[\[(.*?)\|(.*?)\]\]", re.DOTALL)

KAFKA = "stack: demo\nclusters: {k: {kind: kafka}}\n"
BOTH = "stack: demo\nclusters:\n  k: {kind: kafka}\n  s: {kind: spark}\n"
AZURE = """\
stack: demo
azure: {subscription: 0b1f6471-1bf0-4dda-aec3-cb9272f09590, resource_group: rg, location: westeurope}
network: {westeurope: {address_space: 10.0.0.0/16, subnets: {k: 10.0.1.0/24}}}
clusters: {k: {kind: kafka}}
"""
ON_AZURE = """\
stack: demo
azure: {subscription: 0b1f6471-1bf0-4dda-aec3-cb9272f09590, resource_group: rg, location: westeurope}
network: {westeurope: {address_space: 10.0.0.0/16, subnets: {one: 10.0.1.0/24, two: 10.0.2.0/24}}}
clusters:
"""
FILES = {
    "good.avsc": '{"type": "record", "name": "R", "fields": []}',
    "bad.avsc": '{"type": "recrod"}',
    **PUBLIC_KEYS,
}
READY = "secrets: {gateway: {keyvault: kvt, name: g}, ssh: {public_key_file: id.pub}}\n"  # for the target azure
GUID = "0b1f6471-1bf0-4dda-aec3-cb9272f09590"


@dataclass(frozen=True)
class Case:
    rule: str
    template: str
    target: str = "local"
    environ: Mapping[str, str] = field(default_factory=dict)
    waived: frozenset[str] = frozenset()  # rules that the stack waives, and that are none of this case's business
    says: str = ""  # a part of the message

    @property
    def broken(self) -> str:
        return _CHOICE.sub(lambda match: match[1], self.template)

    @property
    def mended(self) -> str:
        return _CHOICE.sub(lambda match: match[2], self.template)

    @property
    def line(self) -> int:
        if "# here" in self.broken:
            return self.broken[: self.broken.index("# here")].count("\n") + 1
        return self.template[: self.template.index("[[")].count("\n") + 1


NAMES = (
    Case("N001", "stack: [[Demo_1|demo]]\n"),
    Case("N001", "stack: [[" + "x" * 3000 + "|x]]\n"),
    Case("N002", ON_AZURE + f"  [[{'k' * 60}|k]]: {{kind: kafka, subnet: one}}\n", says="(65 characters)"),
    Case("N002", ON_AZURE + "  k: {kind: kafka, subnet: one, name: '[[a_b|a-b]]'}\n"),
    Case("N003", ON_AZURE + "  k: {kind: kafka, subnet: one, name: [[Apps|apps-1]]}\n", says="reserved"),
    Case("N003", ON_AZURE + "  k: {kind: kafka, subnet: one, name: [[my-windows-k|my-k]]}\n", says="windows"),
    Case("N003", ON_AZURE + "  k: {kind: kafka, subnet: one, name: [[login-k|k-login]]}\n"),
    Case(
        "N004",
        ON_AZURE + "  stream-kafka: {kind: kafka, subnet: one}\n"
        "  [[stream-spark|spark-stream]]: {kind: spark, subnet: two}\n",
        says="`stream`",
    ),
    Case(
        "N005",
        ON_AZURE + "  a: {kind: kafka, subnet: one, name: first}\n"
        "  b: {kind: kafka, subnet: two, name: [[FIRST|second]]}\n",
    ),
    Case("N006", "stack: demo\nclusters:\n  [[a_b|a-b]]: {kind: kafka, name: a-b}\n"),
    Case("N007", ON_AZURE + "  k: {kind: kafka, subnet: one, name: a[[--|-]]b}\n", says="`a--b`"),
    Case("N008", AZURE.replace("{k: 10.0.1.0/24}", "{k: 10.0.1.0/24, '[[a b|ab]]': 10.0.2.0/24}")),
    Case("N008", AZURE.replace("{k: 10.0.1.0/24}", "{k: 10.0.1.0/24, [[GatewaySubnet|gate]]: 10.0.2.0/24}")),
    Case("N009", AZURE.replace("{k: 10.0.1.0/24}", f"{{k: 10.0.1.0/24, {'s' * 60}[[{'t' * 10}|]]: 10.0.2.0/24}}")),
    Case(
        "N009",
        AZURE.replace("demo", "d" * 36 + "[[mmmm|m]]")
        .replace("westeurope", "germanywestcentral")
        .replace("{k:", "{kk:")
        + "monitor: {notify: [a@b.example]}\n",
        says="64 characters, and Azure takes 63",
    ),
)


def _byok(key: str) -> str:
    return f"stack: demo\nclusters:\n  k:\n    kind: kafka\n    encryption:\n      key: {key}\n"


def _tags(letter: str, count: int) -> str:
    return ", ".join(f"{letter}{number}: x" for number in range(count))


_IDS = f"/subscriptions/{GUID}/resourceGroups/rg/providers"


def _secured(change: str, kind: str = "spark") -> str:
    """A security profile in which one line is another."""
    lines = {
        "domain": "domain: d.example",
        "directory": f"directory: {_IDS}/Microsoft.AAD/domainServices/d.example",
        "ldaps": "ldaps: ['ldaps://d.example:636']",
        "user": "user: join@d.example",
        "password": "password: {keyvault: kvt, name: join}",
        "groups": "groups: [analysts]",
        "identity": f"identity: {_IDS}/Microsoft.ManagedIdentity/userAssignedIdentities/esp",
    }
    lines[change.partition(":")[0]] = change
    body = "".join(f"      {line}\n" for line in lines.values())
    return f"stack: demo\nclusters:\n  s:\n    kind: {kind}\n    security:\n{body}"


AZURES = (
    Case(
        "A001",
        "[[stack: demo|" + AZURE + "secrets: {gateway: {keyvault: kvt, name: g}, ssh: {public_key_file: id.pub}}]]\n",
        target="azure",
    ),
    Case(
        "A002",
        AZURE.replace(
            "0b1f6471-1bf0-4dda-aec3-cb9272f09590", "[[my-subscription|0b1f6471-1bf0-4dda-aec3-cb9272f09590]]"
        ),
    ),
    Case("A003", AZURE.replace("rg,", "[[rg.|rg]],")),
    Case(
        "A004",
        AZURE.replace("location: westeurope", "location: [[West Europe|westeurope]]"),
        says="written `westeurope`",
    ),
    Case(
        "A004",
        AZURE.replace("location: westeurope", "location: [[westeuorpe|westeurope]]"),
        says="did you mean `westeurope`?",
    ),
    Case("A005", AZURE.replace("{kind: kafka}", "{kind: kafka, tags: {[[a/b|a.b]]: c}}")),
    Case("A005", AZURE.replace("{kind: kafka}", "{kind: kafka, tags: {[[azure-x|x]]: c}}"), says="reserved"),
    Case("A006", "stack: demo\nmonitor:\n  workspace: [[a_b|law-demo]]\n  notify: [a@b.example]\n"),
    Case(
        "A007", "stack: demo\nsecrets:\n  gateway:\n    keyvault: [[https://kv.vault.azure.net|kv-demo]]\n    name: g\n"
    ),
    Case("A007", "stack: demo\nsecrets:\n  gateway:\n    keyvault: kv-demo\n    name: [[a_b|a-b]]\n"),
    Case("A008", "stack: demo\nmonitor:\n  notify:\n    - a@example.com\n    - [[oncall|b@example.com]]\n"),
    Case("A009", "stack: demo\nmonitor: {[[workspace: new|alerts: none]]}\n"),
    Case("A003", "stack: demo\nsecrets:\n  gateway: {keyvault: kvt, name: g, resource_group: '[[r g|rg]]'}\n"),
    Case("A003", _byok("{keyvault: kvt, name: k, resource_group: '[[rg.|rg]]'}")),
    Case("A004", AZURE + "storage: {[[westeurop|westeurope]]: {}}\n"),
    Case("A005", AZURE.replace("{kind: kafka}", "{kind: kafka, tags: {[[hdictl-stack|owner]]: c}}"), says="its own"),
    Case("A005", AZURE.replace("{kind: kafka}", "{kind: kafka, tags: {a: b, [[A|c]]: d}}"), says="only in case"),
    Case(
        "A005",
        AZURE.replace("westeurope}\n", f"westeurope, tags: {{{_tags('a', 30)}}}}}\n").replace(
            "{kind: kafka}", f"{{kind: kafka, tags: {{{_tags('b', 19)}[[, b19: x|]]}}}}"
        ),
        says="51 tags",
    ),
    Case("A007", _byok("{keyvault: '[[kv|kvt]]', name: k}")),
    Case("A007", _secured("password: {keyvault: [[a--b|kvt]], name: join}")),
    Case(
        "A010",
        "stack: demo\nsecrets: {gateway: {keyvault: kvt, name: g, resource_group: rg-vaults}}\nclusters:\n"
        "  k: {kind: kafka, encryption: {key: {keyvault: kvt, name: k[[|, resource_group: rg-vaults]]}}}\n",
        says="another resource group than secrets.gateway says",
    ),
    Case(
        "A010",
        "stack: demo\nclusters:\n  k: {kind: kafka, encryption: {key: {keyvault: kvt, name: k, create: true}}}\n"
        "  l: {kind: kafka, encryption: {key: {keyvault: kvt, name: l, create: [[false|true]]}}}\n",
        says="differ on whether the stack makes",
    ),
    Case(
        "A011",
        "stack: demo\nsecrets:\n  gateway: {keyvault: [[KVT|other]], name: g}\n"
        "clusters: {k: {kind: kafka, encryption: {key: {keyvault: kvt, name: k, create: true}}}}\n",
    ),
    Case(
        "A012",
        AZURE.replace(
            "{kind: kafka}",
            "{kind: kafka, encryption: {key: {keyvault: kvt, name: k, create: true, resource_group: [[vaults|rg]]}}}",
        ),
    ),
    Case("A013", _byok(f"{{keyvault: kvt, name: k, create: [[true|false]], version: {'0a' * 16}}}")),
    Case("A014", _byok(f"{{keyvault: kvt, name: k, version: [[latest|{'0a' * 16}]]}}")),
)

_SSH = "stack: demo\nclusters: {k: {kind: kafka}}\nsecrets:\n  ssh:\n    public_key_file: id.pub\n    user: "
_PASSWORD = "stack: demo\nclusters: {k: {kind: kafka}}\nsecrets:\n  gateway:\n    env: [[WEAK|STRONG]]\n"


def _password(weak: str, says: str) -> Case:
    return Case("U005", _PASSWORD, environ={"WEAK": weak, "STRONG": "Correct-horse-7!"}, says=says)


def _on_azure(key_file: str) -> str:
    return AZURE + f"secrets:\n  gateway: {{keyvault: kvt, name: g}}\n  ssh: {{public_key_file: {key_file}}}\n"


USERS = (
    Case("U001", "stack: demo\nclusters:\n  k:\n    kind: kafka\n    gateway_user: [[Admin!|operator]]\n"),
    Case("U002", _SSH + "[[a b|sshuser]]\n"),
    Case("U003", _SSH + "[[Hadoop|sshuser]]\n"),
    Case(
        "U004",
        "stack: demo\nsecrets: {ssh: {user: operator, public_key_file: id.pub}}\nclusters:\n  k:\n    kind: kafka\n"
        "    gateway_user: [[operator|admin]]\n",
    ),
    _password("Aa1-", "10 to 72"),
    _password("correct-horse-7!", "upper-case"),
    _password("CORRECT-HORSE-7!", "lower-case"),
    _password("Correct-horse-x!", "digit"),
    _password("Correcthorse77", "only letters and digits"),
    _password("Correct.horse-7!", "has one of"),
    _password("Correct-admin-7!", "user's name"),
    Case("U006", "stack: demo\nsecrets:\n  gateway: {keyvault: kv-demo[[|, name: g]]}\n"),
    Case("U006", "stack: demo\nsecrets:\n  gateway: {keyvault: kv-demo, name: g[[, env: G|]]}\n"),
    Case("U007", "stack: demo\nsecrets:\n  ssh: {user: sshuser[[|, public_key_file: id.pub]]}\n", says="neither"),
    Case(
        "U008",
        AZURE + "secrets: # here\n  gateway: {env: G}\n  [[|ssh: {public_key_file: id.pub}]]\n",
        target="azure",
        environ={"G": "Correct-horse-7!"},
    ),
    Case(
        "U008",
        AZURE + "secrets:\n  ssh: {public_key_file: id.pub}\n  gateway: {env: [[UNSET|SET]]}\n",
        target="azure",
        environ={"SET": "Correct-horse-7!"},
    ),
    Case("U006", "stack: demo\nsecrets:\n  gateway: {env: G[[, resource_group: rg|]]}\n"),
    Case("U006", _secured("password: {[[name: p|env: P]]}")),
    Case(
        "U008",
        AZURE.replace(
            "{kind: kafka}", f"{{kind: kafka, entra_users: {{ada: {{object_id: {GUID}, upn: a@b.example}}}}}}"
        )
        + "secrets: {[[|ssh: {public_key_file: id.pub}]]}\n"
        "waivers: {entra: {rule: U009, reason: brokers are named}}\n",
        target="azure",
        waived=frozenset({"U009"}),
        says="`secrets.ssh` is missing",
    ),
    Case(
        "U009",
        AZURE.replace(
            "{kind: kafka}", f"{{kind: kafka[[, entra_users: {{ada: {{object_id: {GUID}, upn: a@b.example}}}}|]]}}"
        )
        + READY,
        target="azure",
    ),
    Case("U010", _on_azure("[[missing.pub|id.pub]]"), target="azure", says="does not exist"),
    Case("U010", _on_azure("[[private.pem|id.pub]]"), target="azure", says="is a private key"),
    Case("U010", _on_azure("[[good.avsc|id.pub]]"), target="azure", says="is not"),
    Case("U010", _on_azure("[[two.pub|id.pub]]"), target="azure", says="not one OpenSSH public key"),
    Case("U010", _on_azure("[[swapped.pub|id.pub]]"), target="azure", says="not an OpenSSH public key"),
    Case("U010", _on_azure("[[~nobody-at-all/id.pub|id.pub]]"), target="azure", says="cannot be read"),
    Case("U011", _on_azure("[[ed25519.pub|id.pub]]"), target="azure", says="of type ssh-ed25519"),
    Case("U011", _on_azure("[[short.pub|id.pub]]"), target="azure", says="RSA key of 1024 bits"),
    Case("U012", "stack: demo\nsecrets:\n  gateway: {env: '[[hunter2-Hunter2!|GATEWAY]]'}\n"),
)

VERSIONS = (
    Case(
        "V001", 'stack: demo\nclusters:\n  k: {kind: kafka, version: "[[4.0|5.1]]"}\n', says="retired on 31 March 2025"
    ),
    Case("V001", "stack: demo\nclusters:\n  k: {kind: kafka, version: '[[default|5.1]]'}\n", says="cannot be created"),
    Case("V002", "stack: demo\nclusters:\n  k: {kind: kafka, kafka: '[[3.2.0|3.2]]'}\n", says="BadRequest"),
    Case("V002", "stack: demo\nclusters:\n  s: {kind: spark, spark: '[[2.4|3.3]]'}\n", says="no Spark 2.4"),
)


def _kafka(rest: str) -> str:
    return f"stack: demo\nclusters:\n  k:\n    kind: kafka\n    {rest}\n"


def _spark(rest: str) -> str:
    return f"stack: demo\nclusters:\n  s:\n    kind: spark\n    {rest}\n"


def _schedule(entries: str) -> str:
    return _spark(f"autoscale:\n      min: 3\n      max: 10\n      schedule:\n        {entries}")


NODES = (
    Case("C001", _kafka("workers: {count: [[2|3]]}")),
    Case("C002", _kafka("workers: {size: [[Standard_E4_v33|Standard_E4_v3]]}"), says="did you mean `Standard_E4_v3`?"),
    Case("C002", _kafka("head: {size: [[Large|Standard_E4_v3]]}")),
    Case("C003", _kafka("head: {size: [[Standard_F8|Standard_E8_v3]]}"), says="worker nodes, not for head"),
    Case("C003", _kafka("workers: {size: [[Standard_A2_v2|Standard_A4_v2]]}"), says="zookeeper"),
    Case("C004", _kafka("workers: {size: [[standard_e4_V3|Standard_E4_v3]]}")),
    Case("C005", _kafka("workers: {size: Standard_E4_v3, disks: [[9|8]]}"), says="Standard_E4_v3 takes 8"),
    Case("C005", _kafka("workers: {size: Standard_E32_v3, disks: [[17|16]]}"), says="at most 16"),
    Case("C006", _kafka("head: {size: [[Standard_E4_v3|Standard_E8_v3]]}\n    workers: {count: 33}")),
    Case("C006", _kafka("workers: {count: [[33|32]]}").replace("  k:", "  k: # here")),
    Case("C007", _spark("autoscale: {min: [[11|3]], max: 10}")),
    Case("C007", _spark("autoscale: {min: [[4|3]], max: 10}"), says="workers.count 3 is outside"),
    Case("C008", _spark("autoscale: {min: [[1|3]], max: 10}")),
    Case("C009", _kafka("encryption: {at_host: [[true|false]]}"), says="Standard_E4_v3"),
    Case("C010", AZURE.replace("{kind: kafka}", "{kind: kafka, location: [[northeurope, zone: '1'|westeurope]]}")),
    Case("C011", _kafka("local: {domains: {[[1|1001]]: {fd: 0, ud: 0}}}"), says="no broker 1"),
    Case("C012", _kafka("bootstrap: ['wn0:9092', '[[wn1|wn1:9092]]']")),
    Case("C012", _kafka("proxy: [[http://127.0.0.1:1|socks5h://127.0.0.1:9876]]")),
    Case("C013", _kafka("local: {brokers: [[5|4]]}")),
    Case(
        "C014",
        "stack: demo\nclusters:\n  k: {kind: kafka, local: {port: 9092}}\n"
        "  l: {kind: kafka, local: {port: [[9095|9096]]}}\n",
        says="9095 to 9098 of `l` overlap those of `k`",
    ),
    Case("C014", _kafka("local: {port: [[65533|65532]]}"), says="end above 65535"),
    Case("C015", _kafka("local: {config: {[[broker.id|num.io.threads]]: 3}}")),
    Case("C002", _kafka(f"rest_proxy: {{group: g, group_id: {GUID}, size: [[Large|Standard_E8_v3]]}}")),
    Case("C003", _kafka(f"rest_proxy: {{group: g, group_id: {GUID}, size: [[Standard_F8|Standard_E8_v3]]}}")),
    Case(
        "C009",
        _kafka(
            "encryption: {at_host: true} # here\n    head: {size: Standard_E4a_v4}\n"
            "    workers: {size: Standard_E4a_v4}\n    [[|zookeeper: {size: Standard_D2a_v4}]]"
        ),
        says="Standard_A4_v2 (zookeeper)",
    ),
    Case(
        "C009",
        _kafka(
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
    Case("C018", _spark("autoscale: {min: 3, max: 10, timezone: [[Europe/Berlin|W. Europe Standard Time]]}")),
    Case("C018", _spark("autoscale: {min: 3, max: 10, timezone: '[[ |UTC]]'}")),
    Case(
        "C019",
        AZURE.replace("westeurope", "westus").replace("{kind: kafka}", "{kind: kafka[[, zone: 1|]]}")
        + "storage: {westus: {replication: LRS}}\n",
        says="no availability zones in westus",
    ),
    Case("C020", _secured("ldaps: ['[[ldap://d.example:389|ldaps://d.example:636]]']")),
    Case("C020", _secured("ldaps: ['[[ldaps://d.example|ldaps://d.example:636]]']")),
    Case("C021", _secured(f"directory: [[d.example|{_IDS}/microsoft.aad/DomainServices/d.example]]")),
    Case(
        "C021",
        _secured(f"identity: {_IDS}/Microsoft.[[AAD/domainServices|ManagedIdentity/userAssignedIdentities]]/esp"),
    ),
    Case(
        "C022",
        AZURE.replace("clusters: {k: {kind: kafka}}\n", "")
        + READY
        + _secured("domain: d.example", kind="[[kafka|spark]]")
        .removeprefix("stack: demo\n")
        .replace("  s:\n", "  k:\n")
        .replace("security:", "security: # here"),
        target="azure",
    ),
    Case("C023", _kafka(f"rest_proxy: {{group: g, group_id: [[kafka-users|{GUID}]]}}")),
    Case("C023", _kafka(f"entra_users: {{ada: {{upn: a@b.example, object_id: [[ada|{GUID}]]}}}}")),
    Case("C024", _kafka(f"entra_users: {{ada: {{object_id: {GUID}, upn: [[ada|ada@b.example]]}}}}")),
    Case("C025", _spark("scripts: {'[[a b|ab]]': {uri: https://h.example/a.sh}}")),
    Case(
        "C025",
        _spark("scripts: {ab: {uri: https://h.example/a.sh}, [[AB|cd]]: {uri: https://h.example/a.sh}}"),
        says="only in case",
    ),
    Case("C026", _spark("scripts: {a: {uri: '[[./setup.sh|https://h.example/setup.sh]]'}}")),
    Case("C026", _spark("scripts: {a: {uri: 'https://h.example/[[a b|ab]].sh'}}")),
    Case("C026", _spark("scripts: {a: {uri: '[[abfss://c@a.dfs.|wasbs://c@a.blob.]]core.windows.net/a.sh'}}")),
    Case("C027", _spark("scripts: {a: {uri: https://h.example/a.sh, parameters: '[[--password=x|-v]]'}}")),
    Case("C027", _spark("scripts: {a: {uri: 'https://h.example/a.sh[[?sv=1&sig=x|]]'}}"), says="`sig=…`"),
    Case("C028", _spark("scripts: {a: {uri: http[[|s]]://h.example/a.sh, on: [head, zookeeper]}}")),
)


def _network(networks: str, clusters: str = "{k: {kind: kafka}}", rest: str = "") -> str:
    head = AZURE.splitlines()[1]
    return f"stack: demo\n{head}\nclusters: {clusters}\nnetwork:\n{networks}{rest}"


def _region(rest: str) -> str:
    return _network(
        f"  westeurope:\n    address_space: 10.0.0.0/16\n    subnets: {{k: 10.0.1.0/24}}\n    {rest}\n",
    )


_NORTH = "{k: {kind: kafka}, n: {kind: kafka, location: northeurope}}"

NETWORK = (
    Case("R001", _network("  westeurope: {address_space: [[10.0.0.0/99|10.0.0.0/16]], subnets: {k: 10.0.1.0/24}}\n")),
    Case(
        "R001",
        _network("  westeurope: {address_space: [[10.0.0.1/16|10.0.0.0/16]], subnets: {k: 10.0.1.0/24}}\n"),
        says="the range is 10.0.0.0/16",
    ),
    Case(
        "R001",
        _network("  westeurope: {address_space: '[[fd00::/64|10.0.0.0/16]]', subnets: {k: 10.0.1.0/24}}\n"),
        says="IPv6",
    ),
    Case(
        "R001",
        _network("  westeurope: {address_space: 10.0.0.0/16, subnets: {k: [[10.0.1.0|10.0.1.0/24]]}}\n"),
        says="no prefix length",
    ),
    Case(
        "R002",
        _network("  westeurope: {address_space: [[20.0.0.0/16|10.0.0.0/16]], subnets: {k: [[20|10]].0.1.0/24}}\n"),
    ),
    Case("R003", _network("  westeurope: {address_space: 10.0.0.0/16, subnets: {k: [[10.1.1.0/24|10.0.1.0/24]]}}\n")),
    Case(
        "R004",
        _network(
            "  westeurope:\n    address_space: 10.0.0.0/16\n    subnets:\n      k: 10.0.1.0/24\n"
            "      j: [[10.0.1.128/25|10.0.2.0/25]]\n"
        ),
    ),
    Case(
        "R005",
        _network(
            "  westeurope: {address_space: 10.0.0.0/16, subnets: {k: 10.0.1.0/24}}\n"
            "  northeurope: {address_space: [[10.0.0.0/8|10.1.0.0/16]], subnets: {n: 10.1.1.0/24}}\n",
            _NORTH,
            "mirrors: {m: {from: k, to: n}}\n",
        ),
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
        _network(
            "  westeurope: {address_space: 10.0.0.0/16, subnets: {k: 10.0.1.0/24, j: 10.0.2.0/24}}\n",
            "\n  k: {kind: kafka}\n  j: {kind: spark[[, subnet: k|]]}\n",
        ),
    ),
    Case(
        "R010",
        AZURE.replace("network: {w", "network: {[[|w").replace("}}}", "}}]]}").replace("kafka}}", "kafka}} # here"),
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
    Case("R012", _kafka("network: {private_link: true, connection: [[inbound|outbound]]}")),
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
        _network(
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


def _topics(rest: str, head: str = KAFKA) -> str:
    return f"{head}topics:\n{rest}\n"


def _config(setting: str) -> str:
    return _topics(f"  t:\n    config:\n      {setting}")


_TWO = "stack: demo\nclusters: {k: {kind: kafka}, l: {kind: kafka}}\n"

TOPICS = (
    Case("T001", _topics("  '[[a b|a-b]]': {}")),
    Case("T001", _topics("  t: {name: '[[..|a]]'}")),
    Case("T001", _topics("  t: {name: [[" + "t" * 3000 + "|t]]}"), says="3000 characters"),
    Case("T002", _topics("  t: {partitions: [[2|3]]}"), says="topic `t` has 2 partitions"),
    Case(
        "T002",
        _topics("  defaults: {partitions: [[1|3]]}\n  t: {}\n  u: {}"),
        says="`topics.defaults` has 1 partition,",
    ),
    Case("T003", _topics("  t: {replication: [[2|3]]}")),
    Case("T004", _config("min.insync.replicas: [[1|2]]")),
    Case("T004", _config("min.insync.replicas: [[3|2]]"), says="wants 3 replicas in sync and has 3"),
    Case(
        "T004",
        _topics("  t: {replication: [[1|3]]}"),
        says="wants 2 replicas in sync and has 1: nothing can be written",
    ),
    Case("T004", _topics("  defaults:\n    config: {min.insync.replicas: [[3|2]]}\n  t: {}"), says="`topics.defaults`"),
    Case("T005", _topics("  t: {replication: [[5|4]]}"), says="`k` has 4 brokers"),
    Case(
        "T005",
        "stack: demo\nclusters: {k: {kind: kafka, local: {brokers: [[2|3]]}}}\ntopics:\n  t: {} # here\n",
        says="on the target local",
    ),
    Case("T006", _config("[[retention: 3d|retention.ms: 3d]]"), says="did you mean `retention.ms`?"),
    Case("T006", _config("[[log.retention.ms|retention.ms]]: 3d"), says="did you mean `retention.ms`?"),
    Case("T006", _config("[[leader.replication.throttled.replicas: '*'|retention.ms: 3d]]"), says="never by hand"),
    Case("T007", _config("retention.ms: [[3 fortnights|3d]]")),
    Case("T007", _config("segment.bytes: [[3|1GiB]]"), says="from 14 to"),
    Case("T007", _config("compression.type: [[lz5|lz4]]"), says="did you mean `lz4`?"),
    Case("T007", _config("retention.ms: [[" + "9" * 3000 + "d|9d]]")),
    Case("T008", _config("unclean.leader.election.enable: [[true|false]]")),
    Case(
        "T009",
        _topics("  t:\n    config:\n      cleanup.policy: [[compact|delete]]\n      retention.ms: 3d # here"),
        says="retention.ms has no effect",
    ),
    Case(
        "T009",
        _topics("  t:\n    config:\n      cleanup.policy: compact,delete # here\n      [[|retention.ms: 3d]]"),
        says="forgets even the newest",
    ),
    Case(
        "T009",
        _topics(
            "  t:\n    config:\n      cleanup.policy: [[delete|compact]]\n      min.cleanable.dirty.ratio: 0.3 # here"
        ),
        says="is not compacted",
    ),
    Case("T011", _topics("  t: {partitions: [[9000|6]]}").replace("kafka}}", "kafka}} # here"), says="6,750 replicas"),
    Case("T012", _config("max.message.bytes: [[5MB|1MB]]")),
    Case("T013", _topics("  [[__consumer_offsets|consumer-offsets]]: {}")),
    Case("T013", _topics("  [[k.checkpoints.internal|checkpoints]]: {}")),
    Case("T016", _topics("  t: {cluster: [[kk|k]]}"), says="is not declared"),
    Case("T016", _topics("  t: {cluster: [[s|k]]}", BOTH), says="is not a Kafka cluster"),
    Case("T016", _topics("  defaults: {cluster: [[kk|k]]}"), says="topics.defaults"),
    Case("T017", _topics("  t: {[[|cluster: k]]}", _TWO), says="there are 2: k, l"),
    Case(
        "T017",
        "stack: demo\nclusters: {k: {kind: [[spark|kafka]]}}\ntopics: # here\n  t: {}\n",
        says="no Kafka cluster",
    ),
    Case("T018", _topics("  t: {}\n  u: {name: [[t|u]]}")),
    Case("T019", KAFKA + "topics: {t: {}}\ndeleted:\n  [[t|u]]: {}\n"),
    Case("T020", _topics("  t:\n    schema: [[missing.avsc|good.avsc]]"), says="does not exist"),
    Case("T020", _topics("  t:\n    schema: [[bad.avsc|good.avsc]]"), says="is not an Avro schema"),
    Case("T021", _topics("  a.b: {}\n  [[a_b|a-b]]: {}")),
    Case("D001", _TWO + "deleted:\n  t: {[[|cluster: k]]}\n"),
    Case("D001", KAFKA + "deleted:\n  t: {cluster: [[other|k]]}\n"),
)


def _job(rest: str) -> str:
    return BOTH + f"topics: {{in: {{}}, out: {{}}}}\njobs:\n  j:\n    pipeline: p\n    {rest}\n"


_ACROSS = _network(
    "  westeurope: {address_space: 10.0.0.0/16, subnets: {k: 10.0.1.0/24}}\n"
    "  northeurope: {address_space: 10.1.0.0/16, subnets: {s: 10.1.1.0/24, k: 10.1.2.0/24}}\n",
    "\n  k: {kind: kafka[[|, location: northeurope]]}\n  w: {kind: spark, subnet: k}\n"
    "  s: {kind: spark, location: northeurope}\n",
    "topics: {in: {}}\njobs:\n  j: {pipeline: p, cluster: s, reads: {i: in}} # here\n",
)

JOBS = (
    Case("T014", _job("cluster: s\n    reads: {i: [[inn|in]]}"), says="did you mean `in`?"),
    Case("J001", _job("reads: {i: in}\n    cluster: [[k|s]]"), says="is not a Spark cluster"),
    Case("J001", _job("reads: {i: in}\n    cluster: [[x|s]]"), says="is not declared"),
    Case("J002", _job("cluster: s\n    reads: {i: in}").replace("pipeline: p", "pipeline: [[../p|p]]")),
    Case("J003", _job("cluster: s\n    reads: {i: in}\n    writes: {o: [[in|out]]}")),
    Case("J004", _ACROSS, says="runs in northeurope"),
    Case("J005", _job("cluster: s\n    [[|reads: {i: in}]]").replace("  j:\n", "  j: # here\n")),
)


def _mirror(rest: str) -> str:
    return f"{_TWO}topics: {{t: {{cluster: k}}}}\nmirrors:\n  m: {rest}\n"


MIRRORS = (
    Case(
        "M005",
        _mirror("{from: k, to: l, policy: identity} # here\n  n: {from: l, to: k, policy: [[identity|default]]}"),
    ),
    Case("M020", _mirror("{from: k, to: [[k|l]]}")),
    Case("M021", _mirror("{from: k, to: [[ll|l]]}"), says="is not declared"),
    Case("M022", _mirror("{from: k, to: l, nodes: [[1|2]]}")),
    Case("M023", _mirror("{from: k, to: l, topics: ['[[*|.*]]']}")),
    Case("M024", _mirror("{from: k, to: l, topics: ['[[tt|t]]']}"), says="did you mean `t`?"),
    Case("M025", _mirror("{from: k, to: l}\n  n: {from: [[k|l]], to: [[l|k]]}")),
)

WAIVERS = (
    Case("W001", KAFKA + "waivers: {[[w: {rule: T999, reason: because}|]]}\n", says="`T999` is not a rule"),
    Case("W001", KAFKA + "waivers: {[[w: {rule: S001, reason: because}|]]}\n", says="cannot be waived"),
    Case(
        "W002",
        KAFKA + "waivers: {[[w: {rule: T002, reason: because, until: 2020-01-01}|]]}\n",
        says="ended on 2020-01-01",
    ),
    Case("W003", KAFKA + "waivers: {[[w: {rule: T002, reason: because}|]]}\n", says="waives nothing"),
)

CASES = (*NAMES, *AZURES, *USERS, *VERSIONS, *NODES, *NETWORK, *TOPICS, *JOBS, *MIRRORS, *WAIVERS)
