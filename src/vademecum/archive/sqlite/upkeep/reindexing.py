"""Making the word index anew: after it was damaged, or where an older version spelled words in another way."""

from __future__ import annotations

import sqlite3
from itertools import groupby

from vademecum.archive.sqlite.indexed import hide_anew, indexed_texts
from vademecum.archive.sqlite.reading import stored
from vademecum.archive.sqlite.rows import message_of, number_of, run_of
from vademecum.core.dialect import Dialect
from vademecum.wire import dialect


def reindex(db: sqlite3.Connection) -> int:
    """Indexes every passage anew that is in the index now, inside a transaction; returns how many there are."""
    ids = [id for (id,) in db.execute("SELECT id FROM passages_docsize ORDER BY id")]
    db.execute("INSERT INTO passages (passages) VALUES ('delete-all')")
    formats: dict[int, Dialect | None] = {}
    count = 0
    for row, numbered in groupby(ids, message_of):
        run = run_of(row)
        if run not in formats:
            found = db.execute(
                "SELECT format FROM runs JOIN sessions USING (owner, session) WHERE runs.run = ?", (run,)
            ).fetchone()
            formats[run] = None if found is None else dialect(found[0])
        format, message = formats[run], stored(db, row)
        if format is None or message is None:  # of a session that is being removed
            continue
        hide_anew(db, message, format)
        texts = indexed_texts(db, message, format)
        rows = [(id, texts[number_of(id)]) for id in numbered if number_of(id) < len(texts)]
        db.executemany("INSERT INTO passages (rowid, text) VALUES (?, ?)", rows)
        count += len(rows)
    return count
