"""docs/changes.md tells of every field of a cluster."""

from __future__ import annotations

from hdictl.plan.cluster_rules import CLUSTER_RULES
from hdictl.plan.page import UNSEEN, WRITTEN
from hdictl.stack.explain import known_keys


def test_every_key_of_a_cluster_is_on_the_page():
    """A new key of the stack file is either compared by a rule, or it is said that it is not."""
    told = {key for keys, _, _ in UNSEEN for key in keys}
    told |= {key for name in CLUSTER_RULES for key in WRITTEN.get(name, (name,))}
    keys = [key.removeprefix("clusters.*.") for key in known_keys() if key.startswith("clusters.*.")]
    leaves = [key for key in keys if not any(other.startswith(f"{key}.") for other in keys)]
    missing = [key for key in leaves if not any(key == each or key.startswith(f"{each}.") for each in told)]
    assert missing == []


def test_what_is_written_elsewhere_is_a_field_that_exists():
    assert set(WRITTEN) <= set(CLUSTER_RULES)
