"""hdictl: infrastructure as code for managed Kafka and Spark on Azure HDInsight."""

__version__ = "0.1.0"
