"""The job's library is not part of hdictl: it is shipped beside it, and found here by its folder."""

from __future__ import annotations

import sys

from hdictl import assets

sys.path.insert(0, str(assets.jobs()))
