"""X02: parameters, and what the parameter file says of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from hdictl.arm.lint.fields import at, sequence
from hdictl.arm.lint.registry import ERROR, WARNING, Problem, rule
from hdictl.arm.lint.template import Parameter, Template
from hdictl.stack.shown import shown
from hdictl.stack.suggest import did_you_mean

_TYPES: Mapping[str, type | tuple[type, ...]] = {
    "string": str,
    "int": int,
    "bool": bool,
    "array": list,
    "object": Mapping,
}
_PARAMETERS = "Microsoft Learn: parameters in ARM templates"


@rule(
    "X020",
    ERROR,
    "A secure parameter has no default",
    why="A default stands in the template for everybody to read, in the file, in the repository and in the history of "
    "deployments.",
    fix="Remove `defaultValue`; name a Key Vault reference in the parameter file.",
    source="arm-ttk: Secure-String-Parameters-Cannot-Have-Default",
)
def no_default(template: Template) -> Iterator[Problem]:
    for parameter in template.parameters.values():
        default = parameter.body.get("defaultValue")
        if parameter.is_secure and default not in (None, "", {}) and "newguid(" not in str(default).lower():
            yield Problem(
                (*parameter.path, "defaultValue"),
                f"the secure parameter `{parameter.name}` has a default, which everybody can read",
                "remove `defaultValue`",
            )


@rule(
    "X021",
    WARNING,
    "Secure types are spelt `secureString` and `secureObject`",
    why="Azure does not mind the case, but scanners do: checkov and KICS take `securestring` for an ordinary one.",
    fix="Write `secureString` or `secureObject`.",
    source="checkov CKV_AZURE_131",
)
def spelling(template: Template) -> Iterator[Problem]:
    right = {"securestring": "secureString", "secureobject": "secureObject"}
    for parameter in template.parameters.values():
        wanted = right.get(parameter.type.lower(), parameter.type)
        if parameter.type != wanted:
            yield Problem(
                (*parameter.path, "type"),
                f"`{parameter.type}` of parameter `{parameter.name}` is not seen as secure by scanners",
                f"write `{wanted}`",
            )


@rule(
    "X022",
    ERROR,
    "What the parameter file says fits the template",
    why="Azure refuses a deployment with a parameter that is unknown, missing, or of the wrong type.",
    fix="Mend the parameter file, or declare the parameter.",
    source=_PARAMETERS,
)
def given(template: Template) -> Iterator[Problem]:
    if template.given is None:
        return
    for name, entry in template.given.items():
        parameter = template.parameters.get(name.lower())
        if parameter is None:
            near = did_you_mean(name, [one.name for one in template.parameters.values()])
            yield Problem(
                (*template.path, "parameters"),
                f"the parameter file sets `{shown(name)}`, which the template does not declare{near}",
                "declare it, or remove it from the parameter file",
            )
        elif not isinstance(entry, Mapping) or not {"value", "reference"} & entry.keys():
            yield Problem(
                parameter.path, f"`{name}` has neither value nor reference in the parameter file", "write `value`"
            )
        elif "value" in entry and not parameter.is_secure:
            yield from _fits(parameter, entry["value"])
    set_names = {name.lower() for name in template.given}
    for key, parameter in template.parameters.items():
        # The value of a secure one may be added at the last moment, and belongs into no file.
        if key not in set_names and not parameter.is_secure and "defaultValue" not in parameter.body:
            yield Problem(
                parameter.path,
                f"parameter `{parameter.name}` has no default and the parameter file does not set it",
                "set it in the parameter file",
            )


def _fits(parameter: Parameter, value: Any) -> Iterator[Problem]:
    wanted = _TYPES.get(parameter.type.lower())
    is_wrong = wanted is not None and not isinstance(value, wanted)
    if is_wrong or (wanted is int and isinstance(value, bool)):
        yield Problem(
            parameter.path,
            f"parameter `{parameter.name}` is {parameter.type}, the parameter file says `{shown(value)}`",
            f"write a value of type {parameter.type}",
        )
    allowed = sequence(parameter.body.get("allowedValues"))
    if allowed and value not in allowed:
        yield Problem(
            parameter.path,
            f"parameter `{parameter.name}` may not be `{shown(value)}`",
            f"write one of {', '.join(map(str, allowed))}",
        )


@rule(
    "X023",
    ERROR,
    "The parameter file holds no secret",
    why="The file lies on a disk and in a repository; Azure itself reads a Key Vault reference, at the deployment.",
    fix="Write {reference: {keyVault: {id: …}, secretName: …}} in place of the value, or leave the parameter out and "
    "give it at the deployment.",
    source="Microsoft Learn: key-vault-parameter",
)
def no_secret_in_file(template: Template) -> Iterator[Problem]:
    for name, entry in (template.given or {}).items():
        parameter = template.parameters.get(name.lower())
        if parameter is not None and parameter.is_secure and at(entry, "value") not in (None, ""):
            yield Problem(
                parameter.path,
                f"the parameter file holds the value of the secure parameter `{parameter.name}`",
                "write a Key Vault reference, or leave it out",
            )
