"""What can be known before a deployment is worked out; what cannot stays an expression."""

from __future__ import annotations

import pytest

from hdictl.arm.evaluate import Deferred, Scope, resolve
from hdictl.arm.expression import BadExpression, Call, Literal
from tests.unit.arm.samples import BASE, PLACE

SECRET = Deferred(Call("parameters", (Literal("password"),)))
SCOPE = Scope(
    {"name": "ingest", "none": "", "list": ["a", "b"], "bracketed": "[a]", "password": SECRET},
    {
        "id": "[resourceId('A.B/c', parameters('name'))]",
        "role": {"id": "[variables('id')]", "password": "[parameters('password')]"},
    },
)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("[concat(parameters('name'), '-', string(3))]", "ingest-3"),
        ("[format('{0}/{1}', 'a', 2)]", "a/2"),
        ("[parameters('list')[1]]", "b"),
        ("[parameters('NAME')]", "ingest"),  # ARM does not mind the case
        ("[equals('A', 'a')]", True),
        ("[if(empty(parameters('none')), 'yes', parameters('nosuch'))]", "yes"),  # the other branch is not looked at
        ("[string(createArray(createObject('a', 1)))]", '[[{"a":1}]'),  # text in brackets is escaped
        ("[parameters('bracketed')]", "[[a]"),
        ("[[not an expression]", "[[not an expression]"),
        ({"a": "[null()]", "b": 1}, {"b": 1}),
        ({"[parameters('name')]": 1}, {"ingest": 1}),
        ("[last(split('a/b/c', '/'))]", "c"),
        ("[union(createObject('a', 1), createObject('b', 2))]", {"a": 1, "b": 2}),
    ],
)
def test_known_values(value, expected):
    assert resolve(value, SCOPE) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("[parameters('password')]", "[parameters('password')]"),
        ("[variables('id')]", "[resourceId('A.B/c', 'ingest')]"),
        ("[concat(variables('id'), '/x')]", "[concat(resourceId('A.B/c', 'ingest'), '/x')]"),
        (
            "[concat(createArray(variables('role')), createArray(1))]",
            [{"id": "[resourceId('A.B/c', 'ingest')]", "password": "[parameters('password')]"}, 1],
        ),
        ("[createObject(variables('id'), createObject())]", {"[resourceId('A.B/c', 'ingest')]": {}}),
        ("[reference(variables('id')).a.b]", "[reference(resourceId('A.B/c', 'ingest')).a.b]"),
        ("[string(variables('role').password)]", "[string(parameters('password'))]"),
    ],
)
def test_what_the_deployment_knows_stays_readable(value, expected):
    assert resolve(value, SCOPE) == expected


def test_a_place_makes_ids_known():
    scope = Scope(place=PLACE)
    assert resolve("[resourceId('A.B/c/d', 'x', 'y')]", scope) == f"{BASE}/A.B/c/x/d/y"
    other = resolve("[resourceId('rg-other', 'A.B/c', 'x')]", scope)
    assert other.endswith("/resourceGroups/rg-other/providers/A.B/c/x")
    assert resolve("[extensionResourceId(resourceId('A.B/c', 'x'), 'E.F/g', 'y')]", scope) == (
        f"{BASE}/A.B/c/x/providers/E.F/g/y"
    )


def test_loops():
    loop = {
        "copy": [
            {"name": "out", "count": "[length(parameters('list'))]", "input": "[parameters('list')[copyIndex('out')]]"}
        ]
    }
    assert resolve(loop, SCOPE) == {"out": ["a", "b"]}


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("[parameters('nosuch')]", "`nosuch` is not declared"),
        ("[nosuch('a')]", "the function `nosuch` is not known"),
        ("[parameters('list')[7]]", "there is no `7`"),
        ("[copyIndex()]", "stands outside its loop"),
        ({"copy": [{"name": "a", "count": "[parameters('password')]", "input": 1}]}, "its count is not known"),
    ],
)
def test_faults(value, said):
    with pytest.raises(BadExpression, match=said):
        resolve(value, SCOPE)
