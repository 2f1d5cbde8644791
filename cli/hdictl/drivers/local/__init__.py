"""The target `local`: real Kafka and ZooKeeper as JVM processes of this machine.

platform        the `Platform` that commands use, over the others
instance        one stack's folder, record and processes
record          what is written down, and where
layout          which nodes, ports and settings            decides
up              start what is missing, or take it back     acts
start           start the nodes of one cluster             acts
stop            stop everything                            acts
status          what the processes are doing               reads
kafka_jvm       the command lines
class_archive   classes loaded once, for quick starts
processes       found again, and never a stranger's
log_files       what the logs tell
"""
