"""What the drivers offer to the rest, as protocols and plain values, by subject.

Deciding code gets readers (`ClusterReader`, `CloudReader`, `AmbariReader`), which cannot write; only the phases that
change something are handed the protocols that add to them. A `Target` is a choice of drivers, nothing more.
"""
