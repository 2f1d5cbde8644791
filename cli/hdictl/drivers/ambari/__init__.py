"""Ambari's REST interface, as HDInsight's gateway offers it."""
