"""Where on Azure, tags, monitor, Key Vaults."""

from __future__ import annotations

from tests.unit.stack.cases.case import AZURE, Case, secured


def byok(key: str) -> str:
    return f"stack: demo\nclusters:\n  k:\n    kind: kafka\n    encryption:\n      key: {key}\n"


def _tags(letter: str, count: int) -> str:
    return ", ".join(f"{letter}{number}: x" for number in range(count))


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
    Case("A003", byok("{keyvault: kvt, name: k, resource_group: '[[rg.|rg]]'}")),
    Case("A004", AZURE + "storage: {[[westeurop|westeurope]]: {}}\n"),
    Case("A005", AZURE.replace("{kind: kafka}", "{kind: kafka, tags: {[[hdictl-stack|owner]]: c}}"), says="its own"),
    Case("A005", AZURE.replace("{kind: kafka}", "{kind: kafka, tags: {a: b, [[A|c]]: d}}"), says="only in case"),
    Case(
        "A005",
        AZURE.replace("westeurope}\n", "westeurope, tags: {team: a}}\n").replace(
            "{kind: kafka}", "{kind: kafka, tags: {[[Team|tier]]: b}}"
        ),
        says="only in case",
    ),
    Case(
        "A005",
        AZURE.replace("westeurope}\n", f"westeurope, tags: {{{_tags('a', 30)}}}}}\n").replace(
            "{kind: kafka}", f"{{kind: kafka, tags: {{{_tags('b', 19)}[[, b19: x|]]}}}}"
        ),
        says="51 tags",
    ),
    Case("A007", byok("{keyvault: '[[kv|kvt]]', name: k}")),
    Case("A007", secured("password: {keyvault: [[a--b|kvt]], name: join}")),
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
    Case("A013", byok(f"{{keyvault: kvt, name: k, create: [[true|false]], version: {'0a' * 16}}}")),
    Case("A014", byok(f"{{keyvault: kvt, name: k, version: [[latest|{'0a' * 16}]]}}")),
)
