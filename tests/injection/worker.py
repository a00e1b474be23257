"""A process that may be killed at any instant: `worker.py WHAT DB FILE STEPS`; it says on stdout what is durable.

STEPS > 0 makes it kill itself after so many hundred instructions of SQLite's machine, in the middle of a transaction
more often than not; 0 leaves it to be killed from outside.
"""

from __future__ import annotations

import hashlib
import json
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

from vademecum import Archive, Session, compact
from vademecum.archive import Piece, StoredCompaction
from vademecum.cli.app import run
from vademecum.wire import dialect

WINDOW, TARGET = 32_000, 6_000
Said = dict[str, Any]


def digest(context: list[bytes]) -> str:
    return hashlib.sha256(b"\n".join(context)).hexdigest()


def carry(cycle: int) -> bytes:
    return f'{{"role":"user","content":"carry {cycle}"}}'.encode()


def appending(session: Session, rows: list[Any]) -> Iterator[Said]:
    for number in range(len(session), len(rows)):
        session.append([dialect("openai-chat").load(rows[number], number)], [600])
        yield {"length": number + 1}


def compacting(session: Session, rows: list[Any]) -> Iterator[Said]:
    for length in range(max(2, len(session)), len(rows) + 1):
        if rows[length - 1].get("tool_calls"):
            continue  # a round is complete with its results
        done = compact(rows[:length], window=WINDOW, target=TARGET, session=session)
        assert not done.receipt.failure, done.receipt.failure
        yield {"length": length, "cycle": done.receipt.cycle, "context": digest(session.context())}


def committing(session: Session, rows: list[Any]) -> Iterator[Said]:
    """Nothing but commits: one compaction after the other, each of one message more."""
    if len(session) < len(rows):
        missing = [dialect("openai-chat").load(row, at) for at, row in enumerate(rows)][len(session) :]
        session.append(missing, [600] * len(missing))
        yield {"length": len(rows)}
    while True:
        standing = session.compaction()
        cycle = standing.cycle + 1 if standing is not None else 1
        if cycle > len(rows):
            return
        made = StoredCompaction(cycle, cycle, cycle, cycle, 10, (Piece(-1, -1, carry(cycle)),), "", "{}", 0)
        assert session.commit(made, expected=standing.id if standing is not None else 0)
        yield {"cycle": cycle}


def importing(path: str, folder: Path) -> Iterator[Said]:
    for file in sorted(folder.iterdir()):
        with redirect_stdout(StringIO()):
            code = run(["import", str(file), "--session", file.stem, "--db", path, "-q"])
        assert code == 0, code
        yield {"file": file.stem}


def armed(archive: Archive, steps: int) -> None:
    """Makes the process kill itself after so many steps."""
    left = [steps]

    def tick() -> None:
        left[0] -= 1
        if left[0] < 0:
            os.kill(os.getpid(), signal.SIGKILL)

    archive.connection.db.set_progress_handler(tick, 100)


def main(what: str, path: str, file: str, steps: int) -> None:
    if what == "import":
        original = Archive.__init__

        def opened(self: Archive, *args: Any) -> None:
            original(self, *args)
            armed(self, steps)

        if steps:
            Archive.__init__ = opened  # type: ignore[method-assign]
        work = importing(path, Path(file))
    else:
        rows = [json.loads(line) for line in Path(file).read_text("utf-8").splitlines()]
        archive = Archive.open(path)
        session = archive.session("s", format="openai-chat")
        if steps:
            armed(archive, steps)
        work = {"append": appending, "compact": compacting, "commit": committing}[what](session, rows)
    print("{}", flush=True)
    for said in work:
        print(json.dumps(said), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]))
