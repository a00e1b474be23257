"""OpenHands: a list of events, a trajectory, its resolver's and evaluation's output; actions and observations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from vademecum.core.messages import Message
from vademecum.errors import ConfigError
from vademecum.sessions.openhands_events import Events
from vademecum.sessions.reading import Reading
from vademecum.sessions.source import Source
from vademecum.wire.openai_chat import OPENAI_CHAT
from vademecum.wire.values import mapping, sequence, string

KIND = "openhands"


def read_openhands(source: Source) -> Iterator[Reading]:
    """Reads a list of events, or a document that has one."""
    document = source.document()
    fields = mapping(document) or {}
    events = sequence(document) or sequence(fields.get("trajectory")) or sequence(fields.get("history"))
    if events is None:  # one event of a folder of them
        events = [document]
    reading = _reading(_name(fields), events)
    if source.torn:
        reading.skipped.append((0, source.torn))
    yield reading


def read_openhands_lines(source: Source) -> Iterator[Reading]:
    """Reads the output of the resolver or of an evaluation (a session a line), or an event a line."""
    skipped: list[tuple[int, str]] = []
    events: list[object] = []
    found: list[Reading] = []
    for row in source.rows(skipped):
        history = sequence(row.value.get("history"))
        if history is None:
            events.append(row.value)
        else:
            found.append(_reading(_name(row.value) or f"line-{row.line}", history))
    if events or not found:
        found.append(_reading("", events))
    found[0].skipped += skipped
    yield from found


def read_openhands_folder(source: Source) -> Iterator[Reading]:
    """Reads a conversation's folder: an event a file, below `events`.

    Raises:
        ConfigError: There are none.
    """
    folder = source.path
    if folder is None or not (files := event_files(folder)):
        raise ConfigError(f"{folder} has no events", hint="name the folder of a conversation")
    skipped: list[tuple[int, str]] = []
    events: list[object] = []
    for file in files:
        try:
            with Source.open(file) as one:
                events.append(one.document())
        except Exception as error:  # noqa: BLE001  # one file that cannot be read costs nothing but that file
            skipped.append((0, f"{file.name}: {error}"))
    name = folder.parent.name if folder.name == "events" else folder.name
    reading = _reading(name, events)
    reading.skipped += skipped
    yield reading


def event_files(folder: Any) -> list[Any]:
    """The files of events in a conversation's folder, in order; none when it is something else."""
    inside = folder / "events" if (folder / "events").is_dir() else folder
    files = [file for file in inside.glob("*.json") if _number(file.stem) is not None]
    return sorted(files, key=lambda file: _number(file.stem) or 0)


def _number(stem: str) -> int | None:
    digits = stem.split("-")[1] if stem.startswith("event-") and stem.count("-") > 1 else stem
    return int(digits) if digits.isdecimal() and digits.isascii() else None


def _name(fields: Mapping[str, Any]) -> str:
    issue = mapping(fields.get("issue"))
    if issue is not None:
        return f"{issue.get('owner')}/{issue.get('repo')}#{issue.get('number')}"
    for key in ("instance_id", "conversation_id", "session_id", "id"):
        if isinstance(fields.get(key), str):
            return string(fields[key])
    return ""


def _reading(session: str, events: Sequence[object]) -> Reading:
    def messages(reading: Reading) -> Iterator[Message]:
        taken = Events(reading)
        for number, event in enumerate(_flat(events)):
            fields = mapping(event)
            if fields is None:
                reading.unknown(0, f"event {type(event).__name__}")
            else:
                taken.add(fields, number)
            yield from taken.rounds.ready()
        yield from taken.rounds.rest()

    return Reading(KIND, session, OPENAI_CHAT, messages)


def _flat(events: Sequence[object]) -> Iterator[object]:
    for event in events:
        pair = sequence(event)  # an old output has pairs of an action and its observation
        if pair is None:
            yield event
        else:
            yield from pair
