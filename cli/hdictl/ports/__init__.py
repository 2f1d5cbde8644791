"""What the drivers offer to the rest, as protocols and plain values, by subject.

Deciding code gets readers, which cannot write; only `workflow.apply` is handed a writer. A `Target` is a choice of
drivers, nothing more.
"""
