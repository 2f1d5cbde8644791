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
TWO_KAFKAS = "stack: demo\nclusters: {k: {kind: kafka}, l: {kind: kafka}}\n"
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


IDS = f"/subscriptions/{GUID}/resourceGroups/rg/providers"


def secured(change: str, kind: str = "spark") -> str:
    """A security profile in which one line is another."""
    lines = {
        "domain": "domain: d.example",
        "directory": f"directory: {IDS}/Microsoft.AAD/domainServices/d.example",
        "ldaps": "ldaps: ['ldaps://d.example:636']",
        "user": "user: join@d.example",
        "password": "password: {keyvault: kvt, name: join}",
        "groups": "groups: [analysts]",
        "identity": f"identity: {IDS}/Microsoft.ManagedIdentity/userAssignedIdentities/esp",
    }
    lines[change.partition(":")[0]] = change
    body = "".join(f"      {line}\n" for line in lines.values())
    return f"stack: demo\nclusters:\n  s:\n    kind: {kind}\n    security:\n{body}"


def kafka(rest: str) -> str:
    return f"stack: demo\nclusters:\n  k:\n    kind: kafka\n    {rest}\n"


def spark(rest: str) -> str:
    return f"stack: demo\nclusters:\n  s:\n    kind: spark\n    {rest}\n"


def network(networks: str, clusters: str = "{k: {kind: kafka}}", rest: str = "") -> str:
    head = AZURE.splitlines()[1]
    return f"stack: demo\n{head}\nclusters: {clusters}\nnetwork:\n{networks}{rest}"
