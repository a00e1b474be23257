"""aider's history: markdown in which `####` begins what the person typed and `>` what the program said."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import IO

from vademecum.core.messages import Message
from vademecum.sessions.reading import Reading
from vademecum.sessions.rounds import Rounds
from vademecum.sessions.source import Source
from vademecum.sessions.times import seconds
from vademecum.wire.openai_chat import OPENAI_CHAT

KIND = "aider"
OPENING = re.compile(r"^# aider chat started at (.+?)\s*$")


def read_aider(source: Source) -> Iterator[Reading]:
    """Reads a history; one file is one session, since aider goes on in it."""
    yield Reading(KIND, "", OPENAI_CHAT, lambda reading: _messages(reading, source.file()))


def _messages(reading: Reading, file: IO[bytes]) -> Iterator[Message]:
    rounds, role, ts = Rounds(reading), "", None
    held: list[str] = []
    begun = 1
    number = 0
    while raw := file.readline():
        number += 1
        line = raw.decode("utf-8", "surrogateescape").rstrip("\r\n")
        opening = OPENING.match(line)
        said = "start" if opening else "user" if line.startswith("#### ") else "tool" if line.startswith(">") else ""
        said = said or ("assistant" if line.strip() or role == "assistant" else role)
        if said != role:
            _add(rounds, reading, role, held, ts, begun)
            held, role, begun = [], said, number
            yield from rounds.ready()
        if opening:
            ts = seconds(opening[1]) or ts
            _add(rounds, reading, "start", [line], ts, number)
            role = ""
            continue
        held.append(line[5:] if said == "user" else line)
    _add(rounds, reading, role, held, ts, begun)
    yield from rounds.rest()


def _add(rounds: Rounds, reading: Reading, role: str, held: list[str], ts: float | None, line: int) -> None:
    if role == "start":
        reading.left_out["start of a chat"] += 1
        return
    text = "\n".join(held).strip("\n")
    if not text.strip():
        return
    if role == "user":
        rounds.say("user", text.strip(), ts=ts, line=line)
    elif role == "tool":  # what the program printed: the model is not always shown it, so it is no result
        rounds.say("user", text, ts=ts, harness=True, line=line)
    elif role == "assistant":
        rounds.model(text.strip(), ts=ts, line=line)
