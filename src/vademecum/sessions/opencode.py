"""opencode: an exported session, or its storage, where each message and each part of one is a file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from vademecum.core.messages import Message
from vademecum.errors import ConfigError
from vademecum.sessions.reading import Reading
from vademecum.sessions.rounds import Rounds, call, image
from vademecum.sessions.source import Source, parsed, read_file
from vademecum.sessions.times import seconds
from vademecum.wire.openai_chat import OPENAI_CHAT
from vademecum.wire.values import at, dumped, mapping, sequence, string, without

KIND = "opencode"
_BOOKKEEPING = frozenset({"step-start", "step-finish", "snapshot", "patch", "agent", "retry", "subtask"})


def read_opencode(source: Source) -> Iterator[Reading]:
    """Reads an exported session, or a session's own file in the storage."""
    document = mapping(source.document()) or {}
    if "messages" in document:
        rows = [mapping(row) or {} for row in sequence(document["messages"]) or ()]
        pairs = [(mapping(row.get("info")) or {}, sequence(row.get("parts")) or ()) for row in rows]
        torn = [(0, source.torn)] if source.torn else []
        yield _reading(string(at(document, ("info", "id"))), pairs, torn)
        return
    storage = None if source.path is None else storage_of(source.path)
    if storage is None:
        raise ConfigError(
            "an opencode session's own file does not hold its messages",
            hint="name the file inside opencode's storage folder, or what `opencode export` writes",
        )
    yield _stored(storage, string(document.get("id")))


def read_opencode_folder(source: Source) -> Iterator[Reading]:
    """Reads every session of a storage folder.

    Raises:
        ConfigError: There are none in it.
    """
    storage = None if source.path is None else storage_of(source.path)
    if storage is None:
        raise ConfigError(f"{source.path} is not opencode's storage", hint="it has the folders message and part")
    folder = cast("Path", source.path)
    one = folder.name if folder.parent == storage / "message" else ""
    for session in [one] if one else sorted(path.name for path in (storage / "message").iterdir() if path.is_dir()):
        yield _stored(storage, session)


def storage_of(path: Path) -> Path | None:
    """The storage folder that a path is, is in, or has."""
    for folder in (path / "storage", path, *path.parents[:4]):
        if (folder / "message").is_dir() and (folder / "part").is_dir():
            return folder
    return None


def _stored(storage: Path, session: str) -> Reading:
    skipped: list[tuple[int, str]] = []
    pairs: list[tuple[Mapping[str, Any], Sequence[object]]] = []
    for file in sorted((storage / "message" / session).glob("*.json")):
        info = _loaded(file, skipped)
        if info is not None:
            parts = [_loaded(part, skipped) for part in sorted((storage / "part" / file.stem).glob("*.json"))]
            pairs.append((info, [part for part in parts if part is not None]))
    pairs.sort(key=lambda pair: seconds(at(pair[0], ("time", "created"))) or 0)
    return _reading(session, pairs, skipped)


def _loaded(file: Path, skipped: list[tuple[int, str]]) -> Mapping[str, Any] | None:
    try:
        value = parsed(read_file(file))
    except ConfigError as error:
        value = str(error)
    except OSError as error:
        value = error.strerror or "cannot be read"
    if isinstance(value, str):
        skipped.append((0, f"{file.name}: {value or 'is empty'}"))
        return None
    return value


def _reading(
    session: str, pairs: Sequence[tuple[Mapping[str, Any], Sequence[object]]], skipped: list[tuple[int, str]]
) -> Reading:
    def messages(reading: Reading) -> Iterator[Message]:
        rounds = Rounds(reading)
        for number, (info, parts) in enumerate(pairs):
            _message(rounds, reading, info, [mapping(part) or {} for part in parts], number)
            yield from rounds.ready()
        yield from rounds.rest()

    return Reading(KIND, session, OPENAI_CHAT, messages, skipped=skipped)


def _message(
    rounds: Rounds, reading: Reading, info: Mapping[str, Any], parts: Sequence[Mapping[str, Any]], number: int
) -> None:
    id, ts = string(info.get("id")) or str(number), seconds(at(info, ("time", "created")))
    native = without(info, frozenset({"role", "time", "sessionID"}))
    if info.get("summary") is True:  # what its own compaction wrote
        reading.dropped += 1
        return
    if info.get("role") != "assistant":
        typed = [_shown(part) for part in parts if _says(part) and not part.get("synthetic")]
        added = [_shown(part) for part in parts if _says(part) and part.get("synthetic")]
        for content, harness in ((typed, False), (added, True)):
            if content:
                rounds.say("user", content, ts=ts, harness=harness, native=native)
    for place, part in enumerate(parts):
        kind = string(part.get("type"))
        if kind == "reasoning":
            rounds.model(reasoning=string(part.get("text")), ts=ts, native=native, key=id)
        elif kind == "tool":
            _tool(rounds, part, id, place, ts)
        elif kind == "compaction":
            reading.dropped += 1
        elif kind in _BOOKKEEPING:
            reading.left_out[kind] += 1
        elif not _says(part):
            reading.unknown(0, kind or "part without a type")
        elif info.get("role") == "assistant":
            rounds.model([_shown(part)] if kind == "file" else part["text"], ts=ts, native=native, key=id)


def _says(part: Mapping[str, Any]) -> bool:
    return part.get("type") == "file" or (part.get("type") == "text" and isinstance(part.get("text"), str))


def _shown(part: Mapping[str, Any]) -> dict[str, Any]:
    if part.get("type") != "file":
        return {"type": "text", "text": part["text"]}
    url = string(part.get("url"))
    if string(part.get("mime")).startswith("image/"):
        return image(url)
    return {"type": "text", "text": json.dumps({"file": part.get("filename"), "url": url}, ensure_ascii=False)}


def _tool(rounds: Rounds, part: Mapping[str, Any], message: str, place: int, ts: float | None) -> None:
    state = mapping(part.get("state")) or {}
    id, name = string(part.get("callID")) or f"call_{message}_{place}", string(part.get("tool"))
    rounds.model(calls=[call(id, name, state.get("input"))], ts=ts, key=message)
    if state.get("status") in ("completed", "error"):
        content = state.get("output", state.get("error"))
        when = seconds(at(state, ("time", "end")))
        failed = state["status"] == "error"
        native = {key: state[key] for key in ("title", "metadata", "attachments") if state.get(key)}
        text = content if isinstance(content, str) else dumped(content)
        rounds.result(id, text, tool=name, failed=failed, ts=when, native=native)
