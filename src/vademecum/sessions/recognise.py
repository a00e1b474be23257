"""Recognising a session log by what is in it, and refusing by name what is none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import cast

from vademecum.errors import ConfigError, WireError
from vademecum.sessions import kinds
from vademecum.sessions.aider import OPENING as AIDER
from vademecum.sessions.kinds import Kind
from vademecum.sessions.opencode import storage_of
from vademecum.sessions.openhands import event_files
from vademecum.sessions.reading import Reading
from vademecum.sessions.source import Source
from vademecum.sessions.specstory import OPENING as SPECSTORY
from vademecum.wire.bodies import is_body
from vademecum.wire.values import mapping, sequence

_HEAD = 1 << 16
#: Rows that are looked at before a log is taken for what it most looks like.
_ROWS = 400
_YAML = re.compile(r"\A(?:#.*\n|\s*\n|---\n)*(?:models:|conversations:)", re.MULTILINE)


def readings(source: Source, kind: str = "", format: str | None = None) -> Iterator[Reading]:
    """The sessions of a log, each to be read once.

    Args:
        source: The log.
        kind: Which sort it is; recognised by default.
        format: The wire format of a plain chat log; recognised by default.

    Raises:
        ConfigError: It is of a sort that cannot be imported, or of another one than was said.
        WireError: It is no session log.
    """
    found = kind_of(source)
    if kind and found.name != kind:
        if kind != "chat" or found.name not in ("mini-swe-agent", "cline", "hermes"):
            raise ConfigError(f"is a log of {found.name}, not of {kind}", hint=f"leave {kind} away")
        found = kinds.CHAT
    if format is not None:
        yield from kinds.read_chat_source(source, format)
    else:
        yield from found.read(source)


def kind_of(source: Source) -> Kind:
    """Which sort of log it is.

    Raises:
        ConfigError: It is of a sort that cannot be imported.
        WireError: It is damaged.
    """
    if source.is_folder:
        return _folder(cast("Path", source.path))
    head = source.head(_HEAD)
    if head.startswith(b"SQLite format 3\0"):
        return kinds.HERMES_DB
    if head.startswith(b"PK\x03\x04"):
        return _archive(source)
    text = head.decode("utf-8-sig", "replace").lstrip("\r\n\t \0")
    if text.startswith(SPECSTORY):
        return kinds.SPECSTORY
    if any(AIDER.match(line) for line in islice(text.splitlines(), 50)):
        return kinds.AIDER
    if _YAML.match(text):
        raise ConfigError(
            "copilot-sdk snapshots (YAML) are recorded requests, no session log", hint="import the events.jsonl of it"
        )
    if text.startswith("[") and not source.is_lines():
        return _document(source) or kinds.CHAT
    return _lines(source)


def _folder(path: Path) -> Kind:
    if storage_of(path) is not None:
        return kinds.OPENCODE_FOLDER
    if event_files(path):
        return kinds.OPENHANDS_FOLDER
    raise ConfigError(f"{path} is a folder", hint="name a file, opencode's storage, or an OpenHands conversation")


def _archive(source: Source) -> Kind:
    if b"samples/" in source.head(_HEAD) or b"_journal/" in source.head(_HEAD) or b"header.json" in source.data():
        return kinds.INSPECT_ARCHIVE
    raise ConfigError("is a zip archive, but not one of Inspect's .eval logs", hint="unpack it and import the logs")


def _lines(source: Source) -> Kind:
    """JSON Lines, or one document that begins with an object."""
    if not _is_lines(source):
        return _document(source) or kinds.CHAT
    rows = [row.value for row in islice(source.rows(), _ROWS)]
    for kind in kinds.LINES:
        if any(_matches(kind, row) for row in rows):
            return kind
    if not _is_document(source):
        return kinds.CHAT  # which says what is wrong with the first line
    return _document(source) or kinds.CHAT


def _is_lines(source: Source) -> bool:
    if not source.is_lines():
        return False
    only = source.only()
    if only is None:
        return True
    documents = any(_matches(kind, only) for kind in kinds.DOCUMENTS)
    return not documents and not is_body(only)


def _is_document(source: Source) -> bool:
    return sum(1 for _ in islice(source.rows(), 2)) < 2


def _document(source: Source) -> Kind | None:
    try:
        value = source.document()
    except WireError:
        return None
    finally:
        source.torn = ""
    for kind in kinds.DOCUMENTS:
        if _matches(kind, value):
            return kind
    first = mapping((sequence(value) or [None])[0]) or {}
    if "say" in first or "ask" in first:
        raise ConfigError(
            "is what Cline displays (ui_messages.json)", hint="import its api_conversation_history.json"
        )
    return None


def _matches(kind: Kind, value: object) -> bool:
    with suppress(TypeError, AttributeError, KeyError, IndexError):
        return kind.matches(value)
    return False
