"""The phases of every command, over ports: load → observe → plan → show → apply → verify.

    load      (stack.load)       files → Loaded: the stack, its lines, its findings
    check     (stack.check)      Loaded → findings; an error stops here
    observe   (workflow.observe) Target → ObservedCluster per cluster          reads the world
    plan      (workflow.plan)    stack + observed → Plan                       pure once observed; a value, can be saved
    show      (show)             Plan → text, JSON, Markdown                   decides nothing
    apply     (workflow.apply)   Plan → changes made, one lock held            the only phase that writes
    verify    (workflow.verify)  observe and plan again: it must be empty      reads the world

What a service makes (clusters, networks, storage) goes through the same phases in `workflow.cloud`, which `plan` and
`apply` call before they come to the topics.

Beside the loop: `workflow.platform` starts and stops the local clusters that the loop then works on,
`workflow.topics` imports a living cluster and lists what no stack claims, `workflow.demo` runs the whole thing,
`workflow.rebalance` moves partitions between brokers, with phases and a journal of its own,
`workflow.ambari_…` and `workflow.brokers_…` look after the nodes of a living cluster: settings, scripts, restarts.
A phase gets a `Target` and never asks which one it is.
"""
