"""Inspect's logs: a JSON document, or an `.eval` archive; every sample of an evaluation is a session."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Iterator, Mapping
from typing import Any

from vademecum.core.messages import Message
from vademecum.errors import WireError
from vademecum.sessions.blocks import said
from vademecum.sessions.reading import Reading
from vademecum.sessions.rounds import Rounds, call
from vademecum.sessions.source import Source
from vademecum.wire.openai_chat import OPENAI_CHAT
from vademecum.wire.values import at, mapping, sequence, string, without
from vademecum.wire.zipped import most_unzipped, too_expanded

KIND = "inspect"
_TAKEN = frozenset({"role", "content", "tool_calls", "tool_call_id", "function"})
_ATTACHED = re.compile(r"attachment://([0-9a-f]{8,})")


def read_inspect(source: Source) -> Iterator[Reading]:
    """Reads a log that is one document."""
    document = mapping(source.document()) or {}
    found = [
        _sample(mapping(sample) or {}, mapping(document.get("eval")) or {})
        for sample in sequence(document.get("samples")) or ()
    ] or [Reading(KIND, "", OPENAI_CHAT, lambda _: iter(()))]
    if source.torn:
        found[0].skipped.append((0, source.torn))
    yield from found


def read_inspect_archive(source: Source) -> Iterator[Reading]:
    """Reads an `.eval` archive.

    Raises:
        WireError: The archive is damaged.
    """
    try:
        archive = zipfile.ZipFile(source.file())
    except (zipfile.BadZipFile, OSError, ValueError) as error:
        raise WireError(-1, f"the archive is damaged: {error}", hint="copy the file again") from error
    skipped: list[tuple[int, str]] = []
    with archive:
        names = archive.namelist()
        header = _member(
            archive, next((n for n in ("header.json", "_journal/start.json") if n in names), ""), skipped
        )
        for name in sorted((n for n in names if n.startswith("samples/") and n.endswith(".json")), key=_natural):
            sample = _member(archive, name, skipped)
            if sample:
                reading = _sample(sample, mapping(header.get("eval")) or {})
                reading.skipped += skipped
                skipped.clear()
                yield reading
    if skipped:
        yield Reading(KIND, "", OPENAI_CHAT, lambda _: iter(()), skipped=skipped)


def _member(archive: zipfile.ZipFile, name: str, skipped: list[tuple[int, str]]) -> Mapping[str, Any]:
    try:
        # By what it expands to, not by what its header says.
        with archive.open(name) as member:
            most = most_unzipped(archive.getinfo(name).compress_size)
            data = member.read(most + 1)
        if len(data) > most:
            raise too_expanded(most)
        return mapping(json.loads(data)) or {}
    except Exception as error:  # noqa: BLE001  # whatever is wrong with one member costs but that
        skipped.append((0, f"{name or 'header.json'} cannot be read: {error}"))
        return {}


def _natural(name: str) -> list[object]:
    return [(int(piece), "") if piece.isdecimal() else (0, piece) for piece in re.split(r"(\d+)", name)]


def _sample(sample: Mapping[str, Any], about: Mapping[str, Any]) -> Reading:
    run = string(about.get("run_id")) or string(about.get("eval_id"))
    name = f"{string(about.get('task')) or KIND}/{run}/{sample.get('id')}/{sample.get('epoch', 1)}"
    attached = {
        **(mapping(at(sample, ("transcript", "content"))) or {}),
        **(mapping(sample.get("attachments")) or {}),
    }

    def messages(reading: Reading) -> Iterator[Message]:
        rounds = Rounds(reading)
        for number, message in enumerate(sequence(sample.get("messages")) or ()):
            fields = mapping(_resolved(message, attached)) or {}
            if not _take(rounds, fields, number):
                reading.unknown(0, f"message of the role {fields.get('role')}")
            yield from rounds.ready()
        yield from rounds.rest()

    return Reading(KIND, name, OPENAI_CHAT, messages)


def _take(rounds: Rounds, fields: Mapping[str, Any], number: int) -> bool:
    native = without(fields, _TAKEN)
    found = said(fields.get("content"), str(number))
    match fields.get("role"):
        case "system" | "user" as role:
            rounds.say(role, found.content or "", native=native)
        case "assistant":
            made = [mapping(one) or {} for one in sequence(fields.get("tool_calls")) or ()]
            calls = [
                call(
                    string(one.get("id")) or f"call_{number}_{place}",
                    string(one.get("function")),
                    one.get("arguments"),
                )
                for place, one in enumerate(made)
            ]
            rounds.model(
                found.content, reasoning=found.reasoning, calls=calls, native=native, key=string(fields.get("id"))
            )
        case "tool":
            error = mapping(fields.get("error"))
            content = found.content or (string(error.get("message")) if error else "")
            rounds.result(
                string(fields.get("tool_call_id")),
                content,
                tool=string(fields.get("function")),
                failed=error is not None,
                native=native,
            )
        case _:
            return False
    return True


def _resolved(value: Any, attached: Mapping[str, Any]) -> Any:
    """A value with the attachments that it refers to put in."""
    if not attached:
        return value
    if isinstance(value, str):
        return _ATTACHED.sub(lambda found: str(attached.get(found[1], found[0])), value)
    if isinstance(value, list):
        return [_resolved(item, attached) for item in value]  # pyright: ignore[reportUnknownVariableType]
    fields = mapping(value)
    return value if fields is None else {key: _resolved(item, attached) for key, item in fields.items()}
