"""Workspaces and alerts."""

from __future__ import annotations

import pytest

from tests.unit.arm.samples import BASE, names_of, rendered, resolved, small

WORKSPACE = "Microsoft.OperationalInsights/workspaces"
RULE = "Microsoft.Insights/scheduledQueryRules"
ACTIONS = "Microsoft.Insights/actionGroups"
MAIL = "oncall@example.com"


def monitored(**monitor):
    return small(monitor={"notify": [MAIL], **monitor})


def test_without_monitoring_there_is_none():
    group = rendered(small()).group
    assert not [each for kind in (WORKSPACE, RULE, ACTIONS) for each in names_of(group, kind)]


def test_a_workspace_for_each_region():
    assert names_of(rendered(monitored()).group, WORKSPACE) == ["shop-westeurope-logs"]


def test_a_workspace_that_is_there():
    stack = monitored(workspace="company-logs")
    assert not names_of(rendered(stack).group, WORKSPACE)
    rule = resolved(stack, RULE, "ingest-shop-no-data")["properties"]
    assert rule["scopes"] == [f"{BASE}/{WORKSPACE}/company-logs"]
    assert any("company-logs must be" in note for note in rendered(stack).notes)


@pytest.mark.parametrize(
    ("name", "metric", "severity"),
    [
        ("offline-partitions", "OfflinePartitionsCount", 0),
        ("under-replicated", "UnderReplicatedPartitions", 1),
        ("controller-count", "ActiveControllerCount", 0),
        ("no-data", "", 1),
    ],
)
def test_alerts_on_a_kafka_cluster(name, metric, severity):
    rule = resolved(monitored(), RULE, f"ingest-shop-{name}")["properties"]
    (condition,) = rule["criteria"]["allOf"]
    assert condition["query"].startswith('HDInsightKafkaMetrics | where ClusterName =~ "ingest-shop"')
    assert metric in condition["query"]
    assert rule["severity"] == severity
    assert rule["skipQueryValidation"] is True  # the table comes with the first data
    assert rule["actions"]["actionGroups"] == [f"{BASE}/{ACTIONS}/shop-alerts"]


def test_only_a_value_is_measured_in_a_column():
    offline, silent = (
        resolved(monitored(), RULE, f"ingest-shop-{name}")["properties"]["criteria"]["allOf"][0]
        for name in ("offline-partitions", "no-data")
    )
    assert (offline["metricMeasureColumn"], offline["timeAggregation"]) == ("MetricValue", "Maximum")
    assert "metricMeasureColumn" not in silent
    assert (silent["timeAggregation"], silent["operator"], silent["threshold"]) == ("Count", "LessThan", 1)


def test_a_rule_over_several_periods_returns_rows_of_each():
    """What sums up the whole range falls into one period, and never fires."""
    for name in ("under-replicated", "controller-count"):
        rule = resolved(monitored(), RULE, f"ingest-shop-{name}")["properties"]
        (condition,) = rule["criteria"]["allOf"]
        periods = condition["failingPeriods"]
        assert (periods["numberOfEvaluationPeriods"], periods["minFailingPeriodsToAlert"]) == (3, 3)
        assert rule["windowSize"] == rule["evaluationFrequency"] == "PT5M"
        for summary in condition["query"].split("| summarize")[1:]:
            assert "TimeGenerated" in summary


def test_spark_clusters_have_no_such_alerts():
    assert not [name for name in names_of(rendered(monitored()).group, RULE) if name.startswith("jobs")]


def test_mails():
    receivers = resolved(monitored(), ACTIONS, "shop-alerts")["properties"]["emailReceivers"]
    assert receivers == [{"name": MAIL, "emailAddress": MAIL, "useCommonAlertSchema": True}]


def test_nobody_is_told():
    stack = monitored(notify=[])
    assert not names_of(rendered(stack).group, ACTIONS)
    assert "actions" not in resolved(stack, RULE, "ingest-shop-no-data")["properties"]


def test_no_alerts():
    group = rendered(monitored(alerts="none")).group
    assert names_of(group, WORKSPACE)
    assert not names_of(group, RULE) + names_of(group, ACTIONS)
