"""A stack for every rule, broken and mended."""

from __future__ import annotations

from tests.unit.stack.cases.azure import AZURES
from tests.unit.stack.cases.case import FILES, Case
from tests.unit.stack.cases.clusters import NODES, VERSIONS
from tests.unit.stack.cases.jobs import JOBS, MIRRORS, WAIVERS
from tests.unit.stack.cases.names import NAMES
from tests.unit.stack.cases.network import NETWORK
from tests.unit.stack.cases.topics import TOPICS
from tests.unit.stack.cases.users import USERS

__all__ = ["CASES", "FILES", "Case"]

CASES = (*NAMES, *AZURES, *USERS, *VERSIONS, *NODES, *NETWORK, *TOPICS, *JOBS, *MIRRORS, *WAIVERS)
