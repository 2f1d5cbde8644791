"""Jobs that run by themselves, on this machine or on a cluster: the same phases over one driver.

bound        a job of the stack as a pipeline bound to topics
package      all that a job is submitted with, and the fingerprint of it
change       what it means for its checkpoints when it is submitted as the stack has it now
succession   a job at work is stopped only for one that can go on from its checkpoints
submit       unchanged and running: nothing; changed: stop, and go on from the same checkpoint
stop         between two micro-batches; by force when that takes too long
status       what the driver knows, and what the job has said about itself
lag          how far each query is behind, in records and in seconds, and when it will have caught up
checkpoints  where each query stands
reset        begin anew somewhere else
letters      dead letters: look at them, send them again
"""
