"""The demonstration: events whose truth is known go through Kafka and Spark, and everything is counted again.

events     makes the events, in waves, and says what is true of them
recount    reads what is in Kafka and counts on its own, without Spark and without the maker of the events
ledger     adds up what Spark says of each micro-batch
report     puts the three side by side
run        produces, waits, stops
"""
