"""The demonstration: events whose truth is known go through Kafka and Spark, and everything is counted again.

truth      what can be counted
events     makes the events, in waves, and says what is true of them
stage      sends a wave, and waits until the job has committed it
ledger     adds up what Spark says of each micro-batch
recount    reads what is in Kafka and counts on its own, without Spark and without the maker of the events
report     puts the three side by side
run        all of it in order, on a cluster that is up
whole      from nothing to nothing: the cluster and its topics around it
"""
