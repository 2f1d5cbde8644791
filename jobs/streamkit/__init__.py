"""What a pipeline needs on Spark, and nothing of the tool that submitted it.

    spec         the JSON document that says what to run
    session      the Spark session, with what streaming needs set
    sources      Kafka → raw records
    decode/      raw records → fields, each record parsed once, and an error where it cannot be used
    event_time   fields → timestamps, watermark, one row an event id
    ops          windows, sessions, joins and deduplication with bounded state, for transforms in Python
    tables       tables that stand still beside the streams
    transform    one SELECT, or one function: what a flow does
    flow         all of it put together: each query of the job, as a data frame
    records      rows → records of Kafka with an identity; dead letters as they came
    sinks        data frames → Kafka, Parquet, Delta, a terminal

    signature    what of a query is fixed in its checkpoint
    sidecar      what a checkpoint belongs to, and what a change means for it
    guard        no query starts on a checkpoint that belongs to something else
    kafka_admin  ids of topics and clusters, positions of consumer groups
    topics       the job's topics are there, and how much those of dead letters take

    storage      files in the job's folder, wherever it is
    checkpoint   where each query stands
    control      how it stops, between two micro-batches
    progress     what each committed micro-batch did, one JSON line each
    outlets      where these lines go
    tolerance    a storage that does not answer for a moment ends no job
    reserve      room for the last words on a full disk
    failures     why a query failed, in one sentence
    run          one run, from its first look at Kafka to its last line
    analyse      the same queries without data: what they are, what has changed

DataFrames and SQL only: no Python function ever sees a row. Runs on Spark 3.3 and later, Python 3.8 and later.
"""
