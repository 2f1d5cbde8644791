"""Each click with the impression it belongs to."""

from __future__ import annotations

from typing import Any

import pyspark.sql.functions as F  # noqa: N812 (as everyone writes it)
from pyspark.sql import DataFrame
from streamkit.ops import dedup, interval_join


def transform(inputs: dict[str, DataFrame], parameters: dict[str, Any]) -> DataFrame:
    pairs = interval_join(
        inputs["impressions"],
        inputs["clicks"],
        on="impression_id",
        times=("shown_at", "clicked_at"),
        within=str(parameters["attribution_window"]),
    )
    clicked = F.expr("unix_millis(clicked_at)")
    pairs = pairs.withColumn("shown_at", F.expr("unix_millis(shown_at)"))
    # One row a click, also where its impression came twice: told apart here, among few rows, not among all impressions.
    return dedup(pairs, ["click_id"], "clicked_at").select(
        "click_id",
        clicked.alias("clicked_at"),
        "impression_id",
        "shown_at",
        "ad_id",
        "campaign_id",
        "user_id",
        (clicked - F.col("shown_at")).alias("delay_ms"),
    )
