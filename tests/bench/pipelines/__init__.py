"""How fast pipelines are, as ratios within one run, and what they lose when their driver is killed.

events       ad events, impressions and clicks from a seed, as JSON and as Avro
topics       a Kafka of this machine with these events in it
spark_run    starts a measurement, or a whole job, by spark-submit
spark_side   what is measured inside Spark: the ceiling, the naive query, ours
python_side/ the same logic in Python loops and libraries, one process each
decoding     a filter and a window count: formats and peers against the naive query
attribution  ad_click_attribution from Kafka to Kafka against reading alone
load         a writer that keeps its pace, in a process of its own
live         the running job under load: what it sustains, how late its output is, how it drains a burst
kills        a driver that is killed twenty times
trials       `hdictl pipeline test`, cold to green
page         docs/benchmarks.md
"""
