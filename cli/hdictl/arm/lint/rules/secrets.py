"""X03: where secrets come from, and where they must not go."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from hdictl.arm.lint.fields import at, mapping, walk
from hdictl.arm.lint.marks import holds_secret, is_known, is_unknown_whole, readable
from hdictl.arm.lint.registry import ERROR, Problem, rule
from hdictl.arm.lint.resource import Resource
from hdictl.arm.lint.settle import settle
from hdictl.arm.lint.template import NESTED, Template
from hdictl.stack.source import Path

_SECRET_NAME = re.compile(
    r"(password|passwd|pwd|secret|sharedkey|accesskey|accountkey|privatekey|saskey|sastoken|connectionstring)$"
    r"|^fs\.azure\.account\.key\.",
    re.IGNORECASE,
)

_ELSEWHERE = ("@", "PrivateSettingsRef:")  # workflows and DSC extensions: the value stands in a safer place


def _is_secret_place(resource: Resource, path: Path) -> bool:
    """Is this where a secret belongs?"""
    inner = [str(step).lower() for step in path[len(resource.path) :]]
    if inner[-1:] == ["key"] and "storageaccounts" in inner:
        return True
    if resource.type.lower() == "microsoft.keyvault/vaults/secrets":
        return inner == ["properties", "value"]
    return bool(inner) and inner[0] != "tags" and _SECRET_NAME.search(inner[-1]) is not None


def _is_open(value: Any) -> bool:
    """Text that anybody who has the template, or asks for the deployment, can read."""
    if not isinstance(value, str) or not value or holds_secret(value) or value.startswith(_ELSEWHERE):
        return False
    return is_known(value) or (is_unknown_whole(value) and readable(value).startswith("parameters("))


@rule(
    "X030",
    ERROR,
    "Secrets come from secure parameters",
    why="Text in a template, or in a parameter of type string, can be read by everybody who can read the deployment; a "
    "secure parameter is never shown.",
    fix="Declare a parameter of type secureString and write [parameters('…')].",
    source="Microsoft Learn: best-practices, security recommendations for parameters",
)
def from_parameters(template: Template) -> Iterator[Problem]:
    for resource in template.resources:
        if resource.type.lower() == NESTED:
            continue
        for path, value in walk(resource.body, resource.path):
            if _is_open(value) and value != path[-1] and _is_secret_place(resource, path):
                what = "a parameter that is not secure" if not is_known(value) else "plain text"
                yield Problem(
                    path, f"{resource}: `{path[-1]}` is {what}", "take it from a parameter of type secureString"
                )


@rule(
    "X031",
    ERROR,
    "No output tells a secret",
    why="Outputs are kept with the deployment, in plain text, for everybody who can read the resource group.",
    fix="Remove the output; whoever needs the secret reads it from Key Vault.",
    source="PSRule Azure.Deployment.OutputSecretValue; arm-ttk: Outputs-Must-Not-Contain-Secrets",
)
def outputs(template: Template) -> Iterator[Problem]:
    for name, output in mapping(template.data.get("outputs")).items():
        if holds_secret(settle(at(output, "value"), template.scope)) or holds_secret(
            settle(at(output, "copy"), template.scope)
        ):
            yield Problem(
                (*template.path, "outputs", name), f"output `{name}` tells a secret to everybody", "remove the output"
            )


@rule(
    "X032",
    ERROR,
    "No name, tag, location or script argument holds a secret",
    why="They are shown in the portal, in logs and in answers of the API; only properties that are made for "
    "secrets are kept back.",
    fix="Take the secret out; a script reads what it needs from Key Vault with the cluster's identity.",
    source="Microsoft Learn: tag-resources; hdinsight-hadoop-customize-cluster-linux",
)
def open_places(template: Template) -> Iterator[Problem]:
    for resource in template.resources:
        for path, value in _open_places(resource):
            if holds_secret(value):
                yield Problem(path, f"{resource}: `{path[-1]}` holds a secret that everybody can read", "take it out")


def _open_places(resource: Resource) -> Iterator[tuple[Path, Any]]:
    for name in ("name", "location", "tags"):
        if name in resource.body:
            yield (*resource.path, name), resource.body[name]
    for path, value in walk(resource.body.get("properties"), (*resource.path, "properties")):
        is_script = isinstance(value, str) and any(str(step).lower() == "scriptactions" for step in path)
        if is_script and path[-1] in ("parameters", "uri", "name"):
            yield path, value


@rule(
    "X033",
    ERROR,
    "A secret is passed on to secure parameters only",
    why="A nested deployment keeps the values of its ordinary parameters for everybody to read.",
    fix="Declare the inner parameter as secureString.",
    source="PSRule Azure.Deployment.SecureParameter",
)
def passed_on(template: Template) -> Iterator[Problem]:
    for resource in template.of_type(NESTED):
        inner = mapping(at(resource.written, "properties", "template", "parameters"))
        secure = {name.lower() for name, body in inner.items() if _is_secure(body)}
        if not inner:
            continue  # a linked template: what it declares is not known here
        for name, value in mapping(at(resource.body, "properties", "parameters")).items():
            if holds_secret(value) and name.lower() not in secure:
                yield Problem(
                    (*resource.path, "properties", "parameters", name),
                    f"{resource}: a secret goes into `{name}`, which is not secure",
                    "declare the inner parameter as secureString",
                )


def _is_secure(body: Any) -> bool:
    kind = at(body, "type") if isinstance(body, Mapping) else ""
    return str(kind).lower() in ("securestring", "secureobject")
