"""Moving partitions of a living cluster: observe → plan → show → run → verify, with a journal in the cluster.

    observe     Target → Snapshot                                            reads
    (planner)   Snapshot + Wishes → RebalancePlan                            hdictl.rebalance.planner, pure
    preflight   RebalancePlan + what the cluster says → refusals             pure: before anything is touched
    lock        one owner a cluster, by a lease in the journal               writes the journal
    begin       a plan into the journal: from here on it can be resumed      writes the journal
    execution   batches → leaders → throttles put back → finished            the only phase that moves
        throttling   rates and replicas of a batch, and what was there before
        ready        nothing new starts while what it touches is not in sync
        watching     a batch to its end: bytes, rate, who is away
        sampling     `--throttle auto`: looks, decides, sets
        leaders      preferred leaders of what changed
    cancel      moves under way are called off, throttles put back
    verify      the cluster against the journal                              reads
    status      what the journal says, and what is under way                 reads

What is to be done follows from the plan in the journal and from what the cluster says, never from memory: `run` is
`begin` and then exactly what `resume` does, so that every run rehearses being killed. `rollback` is a run of its own
whose plan leads back.
"""
