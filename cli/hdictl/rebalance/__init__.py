"""Pure: where replicas go."""

import os

# Before numpy is loaded: its threads wait for each other by spinning, which takes longer than sums of this size, and
# may add up in another order.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
