"""The page about the rebalance, followed start to end on this machine."""

from __future__ import annotations

from tests.acceptance.docs.followed import follow


def test_from_a_scale_out_to_a_verified_cluster(running):
    follow("docs/rebalance.md", running())
