"""What is kept out of the index: secrets. The archive's own salt and switch, and what was hidden in which message.

The switch and the salt stand in the file, so that all processes that share it do the same. Where a passage had a
secret, the places are noted: what was given to the word index can be told again later, whatever the rules are then.
"""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from vademecum.archive.sqlite import state
from vademecum.archive.sqlite.passages import readable
from vademecum.core.messages import Message, Part
from vademecum.core.redacted import redacted_message, redacted_part
from vademecum.redaction import Redactor, Secret, secrets_in

_SCOPE = "redaction"
_POLICY = "policy"

#: Part → its secrets, in characters of its readable text.
Hidden = Mapping[int, Sequence[Secret]]


@dataclass(frozen=True, slots=True)
class Hiding:
    """What an archive does about secrets.

    Attributes:
        redactor: Takes them out, with the archive's own salt. The facts never have them.
        index: Whether they stay out of the word index and of what search shows.
    """

    redactor: Redactor
    index: bool = True

    def in_index(self, message: Message) -> Hidden:
        """The secrets of a message that are to stay out of the word index."""
        return self.in_texts([readable(part) for part in message.parts])

    def in_texts(self, texts: Sequence[str]) -> Hidden:
        """The same, of the readable texts of its parts."""
        if not self.index:
            return {}
        found = {number: secrets_in(text) for number, text in enumerate(texts)}
        return {number: hidden for number, hidden in found.items() if hidden}

    def told(self, message: Message, calls: Mapping[str, Part]) -> tuple[Message, Mapping[str, Part]]:
        """A message and the calls that it answers as facts are taken from them: without secrets."""
        answered = {
            result.call_id: redacted_part(calls[result.call_id], self.redactor)
            for result in message.results()
            if result.call_id in calls
        }
        return redacted_message(message, self.redactor), answered


@cache
def _of_this_process() -> bytes:
    return secrets.token_bytes(16)


def hiding(db: sqlite3.Connection) -> Hiding:
    """What an archive does; one that has not said so hides secrets, under a salt of this process."""
    held = state.get(db, "", _SCOPE, _POLICY)
    if held is None:
        return Hiding(Redactor(_of_this_process()))
    return Hiding(Redactor(bytes.fromhex(held["salt"])), held["index"])


def settled(db: sqlite3.Connection, index: bool | None = None) -> Hiding:
    """The same, written down inside a transaction where that has not been done, or where the switch is to change.

    An archive in memory keeps the process's salt: the same transcript gives the same context each time.
    """
    now = hiding(db)
    held = state.get(db, "", _SCOPE, _POLICY)
    if held is None and db.execute("PRAGMA database_list").fetchone()[2]:
        now = Hiding(Redactor(secrets.token_bytes(16)))
    wanted = Hiding(now.redactor, now.index if index is None else index)
    if held is None or wanted != now:
        state.put(db, "", _SCOPE, _POLICY, {"salt": wanted.redactor.salt.hex(), "index": wanted.index})
    return wanted


def key(db: sqlite3.Connection, salt: bytes) -> None:
    """Writes a given salt down, inside a transaction; the switch stays as it is."""
    state.put(db, "", _SCOPE, _POLICY, {"salt": salt.hex(), "index": hiding(db).index})


def note(db: sqlite3.Connection, row: int, first: int, hidden: Hidden) -> None:
    """Notes what was hidden of a message, or of the version whose passages are numbered from `first` on."""
    if hidden:
        places = {
            str(number): [[each.start, each.stop, each.kind] for each in found] for number, found in hidden.items()
        }
        state.put(db, "", _SCOPE, f"{row}:{first}", places)


def noted(db: sqlite3.Connection, row: int, first: int = 0) -> Hidden:
    """What was hidden of it when it was indexed."""
    held = state.get(db, "", _SCOPE, f"{row}:{first}") or {}
    return {int(number): [Secret(*place) for place in places] for number, places in held.items()}


def unnote(db: sqlite3.Connection, row: int) -> None:
    """Forgets what was hidden of a message and its versions: they leave the index."""
    state.drop(db, "", _SCOPE, f"{row}:")
