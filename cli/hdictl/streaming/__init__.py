"""Pipelines and jobs as values: what a pipeline's folder says, what a job is told, how its trial went. Pure.

pipeline       pipeline.yaml and the files that it names
record_schema  JSON Schema and Avro as columns of Spark
job            a pipeline bound to topics
spec           the document that a job on Spark gets
fixtures       records to try a pipeline with, and what must come of them
trial          how a trial went
"""
