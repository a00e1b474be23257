"""Plain chat: JSON Lines, a list, or a request body, in any wire format; `meta` tells what a log knows.

Keys of `meta` that are understood: `session` (id of the session that the row is from), `injected` (a
harness wrote it), `compact_boundary` and `compact_summary` (an earlier compaction made it).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from vademecum.core.dialect import Dialect
from vademecum.core.messages import Message
from vademecum.errors import WireError
from vademecum.sessions.log import Log
from vademecum.sessions.reading import Reading
from vademecum.sessions.source import Source
from vademecum.wire import dialect
from vademecum.wire.bodies import TELLING, is_body
from vademecum.wire.detect import detect
from vademecum.wire.document import read
from vademecum.wire.values import mapping, string


def read_chat(data: bytes, format: str | None = None) -> Log:
    """Reads a chat log.

    A row that is no message is reported with its line and skipped; nothing else is lost.

    Args:
        data: The file's bytes, gzip or not.
        format: The wire format; by default it is recognised.

    Raises:
        WireError: The file is no chat log, or a list or body has something in it that is no message.
        ConfigError: There is no such format.
    """
    document = read(data)
    told = TELLING.get(document.key)
    chosen = dialect(format or told or detect((row.value for row in document.rows), document.outside))
    messages: list[Message] = []
    skipped = list(document.skipped)
    session, dropped = "", 0
    for row in document.rows:
        meta = mapping((mapping(row.value) or {}).get("meta")) or {}
        session = session or string(meta.get("session"))
        if meta.get("compact_boundary") or meta.get("compact_summary"):
            dropped += 1
            continue
        try:
            loaded = chosen.load(row.value, len(messages), raw=row.raw, harness=bool(meta.get("injected")))
        except WireError as error:
            if document.layout != "jsonl":
                raise
            skipped.append((row.line, error.reason))
            continue
        messages.append(loaded)
    return Log(
        "chat",
        session,
        chosen,
        tuple(messages),
        tuple(sorted(skipped)),
        document.layout,
        document.prefix,
        document.suffix,
        document.separator,
        document.outside or {},
        dropped,
    )


def read_chat_source(source: Source, format: str | None = None) -> Iterator[Reading]:
    """Reads a chat log; of JSON Lines no more than a row at a time is held.

    Args:
        source: The log.
        format: The wire format; by default it is recognised.

    Raises:
        WireError: See `read_chat`.
        ConfigError: There is no such format.
    """
    if not _is_lines(source):
        yield _whole(read_chat(source.data(), format))
        return
    chosen = dialect(format or detect(row.value for row in source.rows()))
    meta = (mapping(row.value.get("meta")) or {} for row in source.rows(having=b'"session"'))
    session = next((name for held in meta if (name := string(held.get("session")))), "")
    yield Reading("chat", session, chosen, lambda reading: _rows(reading, source, chosen))


def _is_lines(source: Source) -> bool:
    """Whether it is rows of their own and no request bodies."""
    return source.is_lines() and not any(is_body(row.value) for row in islice(source.rows(), 2))


def _whole(log: Log) -> Reading:
    return Reading(
        log.kind,
        log.session,
        log.dialect,
        lambda _: iter(log.messages),
        skipped=list(log.skipped),
        dropped=log.dropped,
        layout=log.layout,
        prefix=log.prefix,
        suffix=log.suffix,
        separator=log.separator,
        outside=log.outside,
    )


def _rows(reading: Reading, source: Source, chosen: Dialect) -> Iterator[Message]:
    count = 0
    for row in source.rows(reading.skipped):
        meta = mapping(row.value.get("meta")) or {}
        if meta.get("compact_boundary") or meta.get("compact_summary"):
            reading.dropped += 1
            continue
        raw = source.bytes(row).strip(b" \t\r\n\0").removeprefix(b"\xef\xbb\xbf")
        try:
            loaded = chosen.load(row.value, count, raw=raw, harness=bool(meta.get("injected")))
        except WireError as error:
            reading.skipped.append((row.line, error.reason))
            continue
        count += 1
        yield loaded
