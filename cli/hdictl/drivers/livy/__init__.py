"""Livy's REST interface for batches, as HDInsight's gateway and its head nodes offer it."""
