"""Plain chat: JSON Lines, a list, or a request body, in any wire format; `meta` tells what a log knows.

Keys of `meta` that are understood: `session` (id of the session that the row is from), `injected` (a
harness wrote it), `compact_boundary` and `compact_summary` (an earlier compaction made it).
"""

from __future__ import annotations

from vademecum.core.messages import Message
from vademecum.errors import WireError
from vademecum.sessions.log import Log
from vademecum.wire import dialect
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
    chosen = dialect(format or detect((row.value for row in document.rows), document.outside))
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
