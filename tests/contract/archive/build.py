"""Short ways to make messages and to put them into an archive."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from vademecum.archive import Archive, Piece, Session, StoredCompaction
from vademecum.core.identity import common_prefix
from vademecum.core.messages import Message
from vademecum.core.transcript import Transcript
from vademecum.wire import dialect

Row = dict[str, Any]


def user(text: object, **more: object) -> Row:
    return {"role": "user", "content": text, **more}


def assistant(text: object = None, **more: object) -> Row:
    return {"role": "assistant", "content": text, **more}


def calling(id: str, name: str, arguments: object, **more: object) -> Row:
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    call = {"id": id, "type": "function", "function": {"name": name, "arguments": text}}
    return assistant(tool_calls=[call], **more)


def result(id: str, content: object, **more: object) -> Row:
    return {"role": "tool", "tool_call_id": id, "content": content, **more}


def loaded(rows: Iterable[object], format: str = "openai-chat") -> tuple[Message, ...]:
    return tuple(dialect(format).load(row, index) for index, row in enumerate(rows))


def sizes(messages: Sequence[Message]) -> list[int]:
    return [10] * len(messages)


def append(session: Session, *rows: object) -> None:
    messages = loaded(rows, session.dialect.name)
    session.append(messages, sizes(messages))


def follow(session: Session, rows: Iterable[object]) -> int:
    """Makes a session have a transcript: a branch where it differs, and how many messages were new."""
    messages = loaded(rows, session.dialect.name)
    transcript = Transcript.of(messages, sizes(messages))
    known = session.nodes()
    common = common_prefix(transcript.nodes, known)
    if common < len(known):
        session.branch(common)
    if common < len(transcript):
        session.append_to(transcript, common)
    return len(transcript) - common


def filled(archive: Archive, *rows: object, id: str = "s", format: str = "openai-chat") -> Session:
    session = archive.session(id, format=format)
    append(session, *rows)
    return session


def ids_of(session: Session) -> list[str]:
    from vademecum.core.identity import short

    return [short(node) for node in session.nodes()]


def texts_of(session: Session) -> list[str]:
    """The text of every message, in order."""
    return [message.parts[0].text if message.parts else "" for message in session.messages()]


def raws(session: Session) -> list[bytes]:
    return [message.raw for message in session.stored()]


def compaction(session: Session, covered: int, cycle: int = 1, carry: bytes = b'{"role":"user","content":"carry"}'):
    """One that leaves a carry in place of all that is covered."""
    return StoredCompaction(
        cycle=cycle,
        folded=covered,
        cut=covered,
        covered=covered,
        tokens=10,
        pieces=(Piece(-1, -1, carry),),
        narrative="",
        receipt="{}",
        id=(standing.id if (standing := session.compaction()) is not None else 0),
    )


def commit(session: Session, made: StoredCompaction) -> bool:
    return session.commit(made, expected=made.id)
