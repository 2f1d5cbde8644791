"""What hdictl makes it can delete without asking Azure how."""

import json

from hdictl import assets
from hdictl.drivers.azure.api_versions import known_version


def test_every_type_of_the_templates_is_known():
    types = {
        resource["type"]
        for file in assets.template("arm").glob("*.json")
        for resource in json.loads(file.read_text())["resources"]
    }
    # What is inside something else, and the group, goes with it.
    of_their_own = {type for type in types if type.count("/") == 1 and type != "Microsoft.Resources/resourceGroups"}

    assert of_their_own
    assert {type for type in of_their_own if known_version(type) is None} == set()
