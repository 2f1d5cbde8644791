"""Microsoft's REST specification, held against what clients send and the fake answers.

The specification is not part of this project. Where `../shared/data` beside it, or the folder that HDICTL_AZURE_SPECS
names, holds it, every request is checked. Where it is absent nothing is, and tests that need it are skipped with that
reason.
"""
