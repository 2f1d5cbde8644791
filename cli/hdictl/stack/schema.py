"""The stack file as a JSON Schema, so that editors complete keys and mark typos.

pydantic derives it from the model; what is done here makes it say what a person may write: topic settings by name,
`${VARIABLE}` where a number stands, durations and sizes as text.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hdictl.stack.model import Stack
from hdictl.stack.topic_config import TOPIC_SETTINGS, TopicSetting, Unit
from hdictl.stack.topic_setting_words import TOPIC_SETTING_WORDS

Node = dict[str, Any]

_VARIABLE = r"\$\{.+\}"
_DURATION = r"[0-9]+(\.[0-9]+)? *(ms|s|m|min|h|d|w)"
_SIZE = r"[0-9]+(\.[0-9]+)? *([kKmMgGtT][iI]?)?[bB]"
_SPELLED = {Unit.MILLISECONDS: _DURATION, Unit.BYTES: _SIZE}
_SETTING_EXAMPLES: dict[Unit, list[Any]] = {
    Unit.MILLISECONDS: ["90s", "12h", "3d"],
    Unit.BYTES: ["512KB", "50MB", "1GiB"],
    Unit.COUNT: [2],
    Unit.RATIO: [0.5],
    Unit.BOOLEAN: [True, False],
}
_EXAMPLES: dict[tuple[str, str], list[Any]] = {
    ("Stack", "stack"): ["clickstream"],
    ("Azure", "subscription"): ["${AZURE_SUBSCRIPTION_ID}"],
    ("Azure", "location"): ["westeurope"],
    ("Region", "address_space"): ["10.20.0.0/16"],
    ("Region", "subnets"): [{"ingest": "10.20.1.0/24"}],
    ("Region", "dns"): [["10.20.0.4"]],
    ("Region", "admins"): [["198.51.100.0/24", "203.0.113.7/32"]],
    ("Storage", "account"): ["clickstreamweu"],
    ("Secret", "keyvault"): ["kv-clickstream"],
    ("Secret", "env"): ["GATEWAY_PASSWORD"],
    ("SshSecret", "public_key_file"): ["~/.ssh/id_rsa.pub"],
    ("Autoscale", "timezone"): ["UTC", "W. Europe Standard Time"],
    ("ScheduledCount", "days"): [["Monday", "Friday"]],
    ("ScheduledCount", "at"): ["07:00"],
    ("Key", "version"): ["3f1c0a9be7d24d5f8a6b0c1d2e3f4a5b"],
    ("SecurityProfile", "ldaps"): [["ldaps://example.onmicrosoft.com:636"]],
    ("Script", "uri"): ["https://scripts.example.com/limits.sh"],
    ("Script", "on"): [["head", "worker"]],
    ("RestProxy", "group_id"): ["5d1f2a3b-4c5d-4e6f-8a7b-9c0d1e2f3a4b"],
    ("KafkaWorkers", "size"): ["Standard_E4_v3", "Standard_E8_v3"],
    ("SparkWorkers", "size"): ["Standard_E8_v3"],
    ("Topic", "schema"): ["schemas/page_view.avsc"],
    ("Job", "trigger"): ["10s", "1m"],
    ("Mirror", "topics"): [["page-views", "orders-.*"]],
    ("Monitor", "notify"): [["oncall@example.com"]],
    ("Waiver", "on"): [["topic:page-views"]],
    ("Waiver", "until"): ["2027-01-31"],
}


def json_schema() -> dict[str, Any]:
    schema = Stack.model_json_schema(by_alias=True, mode="validation")
    definitions: dict[str, Node] = schema["$defs"]
    models = {**definitions, "Stack": schema}
    for (model, key), examples in _EXAMPLES.items():
        models[model]["properties"][key]["examples"] = examples
    for model in ("Topic", "TopicDefaults"):
        _name_settings(definitions[model]["properties"]["config"])
    definitions["Job"]["properties"]["trigger"]["pattern"] = f"^({_DURATION}|{_VARIABLE})$"
    for node_of in (_without_noise, _nullable, _with_variables):
        schema = _mapped(schema, node_of)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "hdictl stack",
        **{key: value for key, value in schema.items() if key != "title"},
    }


def _name_settings(config: Node) -> None:
    """Closed: a misspelt setting is marked while it is typed."""
    config["properties"] = {
        key: _setting(key, setting) for key, setting in TOPIC_SETTINGS.items() if not setting.is_internal
    }
    config["additionalProperties"] = False


def _setting(key: str, setting: TopicSetting) -> Node:
    words = TOPIC_SETTING_WORDS[key]
    return {
        "description": f"{words.description} Default: {words.default}.",
        "anyOf": [*_setting_types(setting), {"type": "null"}],
        "examples": [*setting.words] or _SETTING_EXAMPLES.get(setting.unit, [words.default]),
    }


def _setting_types(setting: TopicSetting) -> list[Node]:
    if setting.unit is Unit.BOOLEAN:
        return [{"type": "boolean"}]
    if setting.unit is Unit.WORD and setting.is_list:
        word = "|".join(setting.words)
        words = {"type": "string", "pattern": f"^(({word})( *, *({word}))*|{_VARIABLE})$"}
        return [words, {"type": "array", "items": {"enum": list(setting.words)}, "minItems": 1}]
    if setting.unit is Unit.WORD:
        return [{"enum": list(setting.words)}, {"type": "string", "pattern": f"^{_VARIABLE}$"}]
    if setting.unit is Unit.RATIO:
        return [{"type": "number", "minimum": 0, "maximum": 1}]
    if setting.unit is Unit.TEXT:
        return [{"type": "string"}]
    number = {"type": "integer", "minimum": setting.low, "maximum": setting.high}
    spelled = [_SPELLED[setting.unit]] if setting.unit in _SPELLED else []
    if setting.low == -1:
        spelled.append("unlimited|forever|infinite")
    text = "|".join([*spelled, "-?[0-9]+", _VARIABLE])
    return [number, {"type": "string", "pattern": f"^({text})$"}]


def _mapped(node: Any, node_of: Callable[[Node], Node]) -> Any:
    """Every schema inside this one, innermost first. The names under `properties` and `$defs` are not schemas."""
    if isinstance(node, list):
        return [_mapped(part, node_of) for part in node]
    if not isinstance(node, dict):
        return node
    walked: Node = {}
    for key, value in node.items():
        if key in ("properties", "$defs"):
            walked[key] = {name: _mapped(part, node_of) for name, part in value.items()}
        elif key in ("additionalProperties", "items", "anyOf", "oneOf"):
            walked[key] = _mapped(value, node_of)
        else:
            walked[key] = value
    return node_of(walked)


def _without_noise(node: Node) -> Node:
    """No titles that repeat the key, no defaults that say nothing, no keyword of another standard."""
    empty: tuple[Any, ...] = (None, {}, [])
    return {
        key: value
        for key, value in node.items()
        if key not in ("title", "discriminator")
        and not (key == "default" and (value in empty or isinstance(value, dict)))
    }


def _nullable(node: Node) -> Node:
    """`anyOf: [X, null]` of a plain type is one type with null: editors say it better."""
    choices = node.get("anyOf", [])
    if len(choices) != 2 or choices[1] != {"type": "null"} or not isinstance(choices[0].get("type"), str):
        return node
    plain = {key: value for key, value in node.items() if key != "anyOf"}
    merged = {**choices[0], **plain, "type": [choices[0]["type"], "null"]}
    if "enum" in merged:
        merged["enum"] = [*merged["enum"], None]
    return merged


def _with_variables(node: Node) -> Node:
    """Where a number or a yes/no stands, a variable may stand."""
    types = node.get("type")
    types = types if isinstance(types, list) else [types]
    if not {"integer", "number", "boolean"}.intersection(types):
        return node
    return {**node, "type": [*types, "string"], "pattern": f"^{_VARIABLE}$"}
