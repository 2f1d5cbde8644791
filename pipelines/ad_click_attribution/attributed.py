"""Each click with the impression it belongs to."""

from __future__ import annotations

from typing import Any

import pyspark.sql.functions as F  # noqa: N812 (as everyone writes it)
from pyspark.sql import DataFrame
from streamkit.ops import interval_join


def transform(inputs: dict[str, DataFrame], parameters: dict[str, Any]) -> DataFrame:
    pairs = interval_join(
        inputs["impressions"],
        inputs["clicks"],
        on="impression_id",
        times=("shown_at", "clicked_at"),
        within=str(parameters["attribution_window"]),
    )
    shown, clicked = F.expr("unix_millis(shown_at)"), F.expr("unix_millis(clicked_at)")
    return pairs.select(
        "click_id",
        clicked.alias("clicked_at"),
        "impression_id",
        shown.alias("shown_at"),
        "ad_id",
        "campaign_id",
        "user_id",
        (clicked - shown).alias("delay_ms"),
    )
