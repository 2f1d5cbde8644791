"""Plays a document of batches through a pipeline, and prints what came of them as JSON on stdout's last line.

{"jvm": the command that starts Spark's, "spec": the job's document, "feeds": {source: [sink]},
 "batches": [{source: [[key, value, timestamp], …]}, …], "archive": [draft, file] or null}

Keys and values are base64, or null. With an archive, the JVM writes down its classes when it ends (to the draft, as its
own options say), and what it has written takes its name: the next trial starts faster.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from testkit.jvm import Jvm

REFUSED = 2


def main(path: str) -> int:
    document = json.loads(Path(path).read_text(encoding="utf-8"))
    jvm = Jvm(document["jvm"])
    from testkit.played import played  # Spark's library takes a while to load: the JVM starts meanwhile

    jvm.introduce()
    found = played(document)
    sys.stdout.write(json.dumps(found) + "\n")
    sys.stdout.flush()
    if "what" in found:
        return REFUSED
    if document["archive"] is not None:
        jvm.end()
        publish(*(Path(each) for each in document["archive"]))
    return 0


def publish(draft: Path, file: Path) -> None:
    if draft.exists() and draft.stat().st_size:
        draft.replace(file)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
