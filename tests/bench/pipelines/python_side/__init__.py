"""What people write instead: loops over confluent-kafka, and streaming libraries for Python. One process each.

Each module is a program: `python -m tests.bench.pipelines.python_side.NAME TASK.json` prints one JSON line with rows,
seconds and CPU-seconds. They run on a Python of their own (requirements/bench.lock), and import nothing of hdictl.
"""
