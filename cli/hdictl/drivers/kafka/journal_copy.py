"""What a journal says, as a file: for people, and for the day on which somebody deletes the topic."""

from __future__ import annotations

import base64
import json
from dataclasses import asdict
from pathlib import Path

from hdictl.rebalance.journal import Journal, Run


class JournalCopy:
    def __init__(self, file: Path) -> None:
        self._file = file

    def read(self) -> Journal:
        """Empty when there is none, or none that can be read: it is only a copy."""
        try:
            document = json.loads(self._file.read_text(encoding="utf-8"))
            parts = {key: base64.b64decode(text) for key, text in document["parts"].items()}
            return Journal(run=Run(**document["run"]), parts=parts)
        except (OSError, ValueError, KeyError, TypeError):
            return Journal()

    def write(self, journal: Journal) -> None:
        if journal.run is None:
            return
        own = {key: value for key, value in journal.parts.items() if key.startswith(f"{journal.run.id}/")}
        document = {
            "run": asdict(journal.run),
            "parts": {key: base64.b64encode(value).decode() for key, value in own.items()},
        }
        self._file.parent.mkdir(parents=True, exist_ok=True)
        draft = self._file.with_suffix(".draft")
        draft.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
        draft.replace(self._file)  # a reader sees the old one or the new one
