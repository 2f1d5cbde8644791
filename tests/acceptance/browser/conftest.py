"""A real browser, or a clear word that there is none. HDICTL_REQUIRE_BROWSER=1 turns the skip into a failure."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.acceptance.browser.browser import NAMES, Browser, installed


@pytest.fixture
def browser(tmp_path: Path) -> Browser:
    program = installed()
    if program is None:
        reason = f"there is no browser on the PATH: {', '.join(NAMES)}"
        if os.environ.get("HDICTL_REQUIRE_BROWSER") == "1":
            pytest.fail(f"HDICTL_REQUIRE_BROWSER is set, but {reason}", pytrace=False)
        pytest.skip(f"tests of pages need a browser: {reason}")
    return Browser(program, tmp_path)
