"""Moving partitions of a living cluster: observe → plan → show → run → verify, with a journal in the cluster.

    observe     Target → Snapshot                                            reads
    (planner)   Snapshot + Wishes → RebalancePlan                            hdictl.rebalance.planner, pure
    entry       refusals while there is still somebody to ask; --adopt       reads
    preflight   RebalancePlan + what the cluster says → refusals             pure
    lock        one owner a cluster, by a lease in the journal               writes the journal
    run         run, resume, cancel: begun, carried out, ended in words      writes the journal
    execution   batches → leaders → throttles put back → finished            the only phase that moves
        ready        nothing new starts while what it touches is not in sync
        throttling   rates and replicas of a batch, and what was there before
        watching     a batch to its end: bytes, rate, who is away
        sampling     `--throttle auto`: looks, decides, sets
        leaders      preferred leaders of what changed
        waiting      every wait: told, with an end, the lease kept meanwhile
    cancel      moves under way are called off, throttles put back           moves back
    rollback    the plan that leads back, run like any other
    verify      the cluster against the journal                              reads
    status      what the journal says, and what is under way                 reads

What is to be done follows from the plan in the journal and from what the cluster says, never from memory: `run` writes
its plan down and then does exactly what `resume` does, so that every run rehearses being killed. `pace` has all the
seconds, `work` is what every command brings along: a target, a cluster, a claim to the lease.
"""
