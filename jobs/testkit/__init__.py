"""A pipeline on Spark's in-memory stream: micro-batches begin when the test says so, and there is no Kafka.

    fake_topic  a topic that is fed by hand
    bench       all queries of a pipeline on such topics, and what they have put out
    jvm         Spark, started while Python is still loading
    played      a document of batches, played
    __main__    prints what came of them: what `hdictl pipeline test` runs

Not shipped to a cluster. Runs on the Spark and the Python that are to be tested, whatever hdictl itself runs on.
"""
