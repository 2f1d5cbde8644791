"""The one file that spark-submit gets: run the pipeline that a JSON document describes.

    spark-submit --py-files streamkit.zip run_pipeline.py --spec spec.json

It ends with 0 after it was asked to stop, with 1 when a query failed, and with 2 when it may not start: the document
is wrong, a topic is missing, or the checkpoint belongs to something else. All it says goes to stdout as JSON lines:
`started`, `resumed` for each query that ran before, one `batch` a committed micro-batch, `warning`s, and at the end
`stopped` or `failed`.

    … run_pipeline.py --spec spec.json --analyse against.json

runs nothing: one JSON document says what each query is, and what a change means for its checkpoint.
"""

from __future__ import annotations

import argparse
import base64
import json
import sys
import zlib
from pathlib import Path

from pyspark.sql import SparkSession
from streamkit.analyse import analyse
from streamkit.errors import JobError, Refused, SpecError
from streamkit.failures import JVM_ERRORS, to_job_error
from streamkit.failures import text_of as text_of_error
from streamkit.run import Run
from streamkit.session import session_of
from streamkit.spec import Spec, parse

FAILED, REFUSED = 1, 2
PACKED = "z:"


def main(arguments: list[str]) -> int:
    options = argparse.ArgumentParser(description="Run one streaming pipeline.")
    options.add_argument("--spec", required=True, help="the job's document: a file; or itself, plain or packed")
    options.add_argument("--analyse", metavar="FILE", help="what the queries are; run nothing")
    given = options.parse_args(arguments)
    try:
        spec = parse(text_of(given.spec))
        spark = session_of(spec)
    except (OSError, SpecError) as error:
        return told(error, REFUSED)
    except JVM_ERRORS as error:  # a setting that Spark does not take
        return told(to_job_error(spec.job, text_of_error(error)), REFUSED)
    try:
        if given.analyse is not None:
            print_analysis(spark, spec, Path(given.analyse))
        else:
            Run(spark, spec).to_its_end()
    except (Refused, SpecError) as error:
        return told(error, REFUSED)
    except JobError as error:
        return told(error, FAILED)
    except JVM_ERRORS as error:  # before it could reach its folder, and tell there
        return told(to_job_error(spec.job, text_of_error(error)), FAILED)
    finally:
        spark.stop()
    return 0


def text_of(given: str) -> str:
    """On a cluster there is no file of ours beside the driver: the document comes as the argument itself, packed."""
    if given.startswith(PACKED):
        return unpacked(given[len(PACKED) :])
    return given if given.lstrip().startswith("{") else Path(given).read_text(encoding="utf-8")


def unpacked(text: str) -> str:
    """Base64 of what zlib has compressed, which carries a checksum: YARN rewrites parts of arguments as they are."""
    try:
        return zlib.decompress(base64.b64decode(text, altchars=b"-_", validate=True)).decode("utf-8")
    except (ValueError, zlib.error) as error:
        raise SpecError(f"the job's document was damaged on its way: {error}", "submit the job again") from None


def print_analysis(spark: SparkSession, spec: Spec, against: Path) -> None:
    known = json.loads(against.read_text(encoding="utf-8"))
    found = analyse(spark, spec, known.get("sidecars", {}), known.get("topics", {}))
    sys.stdout.write(json.dumps({"event": "analysed", **found}) + "\n")


def told(error: Exception, code: int) -> int:
    """In one line, which is what everybody sees; details may follow."""
    first, *details = str(error).split("\n")
    fix = getattr(error, "fix", "")
    lines = [f"JobError: {first}" + (f" → {fix}" if fix else ""), *details]
    sys.stderr.write("\n".join(lines) + "\n")
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
