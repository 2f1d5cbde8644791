"""Users and secrets."""

from __future__ import annotations

from tests.unit.stack.cases.case import AZURE, GUID, READY, Case, secured

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
        "U013",
        AZURE + "secrets:\n  ssh: {public_key_file: id.pub}\n  gateway: {env: [[UNSET|SET]]}\n",
        target="azure",
        environ={"SET": "Correct-horse-7!"},
    ),
    Case("U006", "stack: demo\nsecrets:\n  gateway: {env: G[[, resource_group: rg|]]}\n"),
    Case("U006", secured("password: {[[name: p|env: P]]}")),
    Case(
        "U013",
        AZURE.replace("clusters: {k: {kind: kafka}}\n", "").replace("subnets: {k", "dns: [10.9.0.4], subnets: {s")
        + READY
        + secured("password: {env: [[UNSET|SET]]}").removeprefix("stack: demo\n"),
        target="azure",
        environ={"SET": "x"},  # a password of the domain: HDInsight's own rules are none of its business
        says="UNSET is not set",
    ),
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
