"""What came back for a request, in one form, whatever form it came in.

Livy itself says no as `{"msg": "…"}` or as a bare JSON string; its web server, and the gateway before it, as a page.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hdictl.drivers.livy.session import PASSING

if TYPE_CHECKING:
    from requests import Response

_LONGEST = 300  # characters of what was said


@dataclass(frozen=True)
class Reply:
    asked: str  # as in `GET /batches/7`
    status: int
    value: Any = None  # the JSON
    said: str = ""  # the reason of a refusal
    is_page: bool = False

    @property
    def is_ok(self) -> bool:
        return 200 <= self.status < 300

    @property
    def is_missing(self) -> bool:
        return self.status == 404 and not self.is_page

    @property
    def is_from_livy(self) -> bool:
        """JSON of Livy's own. A page is from whoever stands before it, and nothing that a client could act on."""
        is_redirect = 300 <= self.status < 400
        return not self.is_page and not is_redirect and self.status not in (401, 403, *PASSING)


def to_reply(answer: Response, asked: str) -> Reply:
    if answer.ok and not answer.is_redirect and not answer.text.strip():
        return Reply(asked, answer.status_code)
    try:
        value = answer.json()
    except ValueError:
        return Reply(asked, answer.status_code, said=_from_page(answer.text), is_page=True)
    if answer.ok:
        return Reply(asked, answer.status_code, value)
    return Reply(asked, answer.status_code, value, _shortened(_from_json(value)))


def _from_json(value: object) -> str:
    found = value.get("msg") or value.get("message") or "" if isinstance(value, dict) else value
    # Jackson says in a second line at which byte of its own buffer, which helps nobody.
    return str(found or "").partition("\n at [Source")[0]


def _from_page(text: str) -> str:
    """The reason on an error page of Jetty's, else the title of whatever page it is."""
    for pattern in (r"Reason:\s*<pre>(.*?)</pre>", r"<title>(.*?)</title>", r"<h\d>(.*?)</h\d>"):
        found = re.search(pattern, text, re.IGNORECASE | re.DOTALL)
        if found and found[1].strip():
            return _shortened(html.unescape(re.sub(r"<[^>]*>", " ", found[1])))
    return ""


def _shortened(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _LONGEST else f"{words[:_LONGEST]}…"
