"""What a pipeline needs on Spark, and nothing of the tool that submitted it.

    spec        the JSON document that says what to run
    session     the Spark session, with what streaming needs set
    sources     Kafka → raw records
    decode      raw records → fields, each record parsed once, and an error where it cannot be used
    event_time  fields → timestamps, watermark, one row an event id
    flow        all of it put together: the output and the dead letters, as data frames
    sinks       data frames → Kafka
    progress    what each committed micro-batch did, one JSON line each
    checkpoint  where each query stands, read from the job's folder, and whether it is asked to stop
    control     how it stops, between two micro-batches

DataFrames and SQL only: no Python function ever sees a row. Runs on Spark 3.3 and later, Python 3.8 and later.
"""
