"""Livy forgets: a part of the contract that takes a minute, as the real one looks for what has ended once in one."""

from __future__ import annotations

import pytest

from tests.acceptance.livy.site import post
from tests.waiting import until


@pytest.mark.slow
def test_what_has_ended_is_forgotten_and_its_name_is_free(client, site):
    site.pass_time()
    until(lambda: client.batch("early") is None, site.memory)
    assert post(site, {"file": site.missing("early"), "name": "early"}).status_code == 201
