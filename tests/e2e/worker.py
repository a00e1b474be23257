"""A long-running agent in a process of its own: `worker.py DB FILE FORMAT`.

It grows the session row by row, compacts as it goes, and says on stdout what is durable.
"""

import hashlib
import json
import sys
from pathlib import Path

from vademecum import compact
from vademecum.archive import Archive
from vademecum.wire import dialect

WINDOW, TARGET = 32_000, 6_000


def digest(context: list[bytes]) -> str:
    return hashlib.sha256(b"\n".join(context)).hexdigest()


def main(path: str, file: str, format: str) -> None:
    rows = [json.loads(line) for line in Path(file).read_text("utf-8").splitlines()]
    with Archive.open(path) as archive:
        session = archive.session("s", format=format)
        for length in range(len(session) + 1, len(rows) + 1):
            if dialect(format).load(rows[length - 1], length - 1).calls():
                continue  # a round is complete with its results
            done = compact(rows[:length], window=WINDOW, target=TARGET, session=session)
            said = {"length": length, "context": digest(session.context()), "cycle": done.receipt.cycle}
            print(json.dumps({**said, "failure": done.receipt.failure}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
