"""The resource provider Microsoft.HDInsight."""
