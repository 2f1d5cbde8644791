"""Names."""

from __future__ import annotations

from tests.unit.stack.cases.case import AZURE, ON_AZURE, Case

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
