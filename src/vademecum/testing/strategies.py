"""Hypothesis strategies for transcripts; `vademecum.testing.transcripts` is the way in."""

from __future__ import annotations

import reprlib
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from vademecum.testing.render import rendered
from vademecum.testing.texts import KINDS, SOUND_KINDS, text
from vademecum.testing.turns import Call, Result, Round, Said, Turn

_SIZES = (12, 60, 60, 300, 300, 900, 900, 3_000, 9_000, 40_000)
_SHORT = (60, 300)
_HARNESS = "<system-reminder>\nThe todo list is empty. {}\n</system-reminder>"
_TOOLS = ("bash", "read_file", "edit_file", "todo_write", "mcp__tracker__list", "Skill")
_SOUND_SHAPES = ("string", "string", "list", "image")
_SHAPES = (*_SOUND_SHAPES, "string", "null", "object", "empty")


class Rows(list[dict[str, Any]]):
    """A list of wire messages whose repr shortens long strings, so that a failing example can be read."""

    def __repr__(self) -> str:
        return "[" + ",\n ".join(_SHORTENED.repr(row) for row in self) + "]"


_SHORTENED = reprlib.Repr()
_SHORTENED.maxstring = _SHORTENED.maxother = 60
_SHORTENED.maxdict = _SHORTENED.maxlist = 20


def wire_transcripts(format: str, *, most_turns: int, sound: bool) -> st.SearchStrategy[Rows]:
    """Wire messages of a format; see `vademecum.testing.transcripts`."""
    rendered((), format)  # an unknown format is refused here, not at the first example
    return _transcripts(format, most_turns, sound)


@st.composite
def _transcripts(draw: st.DrawFn, format: str, most_turns: int, sound: bool) -> Rows:
    system = draw(st.lists(_texts(sound, (60, 900)), max_size=2))
    turns = draw(st.lists(_turns(sound), min_size=1, max_size=most_turns))
    return Rows(rendered(_numbered(turns, reuse=not sound), format, system))


def _one_in(count: int) -> st.SearchStrategy[bool]:
    return st.integers(1, count).map(lambda number: number == count)


@st.composite
def _texts(draw: st.DrawFn, sound: bool, sizes: tuple[int, ...] = _SIZES, empty: bool = False) -> str:
    if empty and not sound and draw(_one_in(6)):
        return draw(st.sampled_from(["", " ", "\n"]))
    kind = draw(st.sampled_from([kind for kind in SOUND_KINDS if kind != "blanks"] if sound else KINDS))
    return text(kind, draw(st.sampled_from(sizes)), draw(st.integers(0, 60)))


@st.composite
def _said(draw: st.DrawFn, sound: bool) -> Said:
    if draw(_one_in(4)):
        return Said(_HARNESS.format(draw(_texts(sound, (60, 900)))), typed=False)
    return Said(draw(_texts(sound, empty=True)))


@st.composite
def _calls(draw: st.DrawFn, sound: bool) -> Call:
    value = draw(_texts(sound, (12, 60, 60, 300, 3_000)))
    key = draw(st.sampled_from(["command", "path", "query", "x"]))
    arguments: dict[str, Any] = {key: value, "options": {"deep": [True, None], "big": 10**30}}
    result = Result(
        draw(_texts(sound, empty=True)),
        draw(st.sampled_from(_SOUND_SHAPES if sound else _SHAPES)),
        draw(st.booleans()),
    )
    answered = sound or not draw(_one_in(6))
    return Call("", draw(st.sampled_from(_TOOLS)), arguments, result if answered else None)


@st.composite
def _rounds(draw: st.DrawFn, sound: bool) -> Round:
    calls = tuple(draw(st.lists(_calls(sound), min_size=int(sound), max_size=4)))
    one = Round(
        text=draw(_texts(sound, (12, 60, 300, 3_000, 20_000), empty=True)),
        reasoning=draw(_texts(sound, _SHORT)) if draw(_one_in(3)) else "",
        calls=calls,
        swapped=draw(st.booleans()),
    )
    if sound:
        return one
    return replace(
        one,
        orphan="call_orphan" if draw(_one_in(8)) else "",
        between=draw(_texts(sound, _SHORT)) if calls and draw(_one_in(8)) else "",
        system=f"Mode {draw(_texts(sound, _SHORT))}" if draw(_one_in(8)) else "",
    )


@st.composite
def _turns(draw: st.DrawFn, sound: bool) -> Turn:
    rounds = draw(st.lists(_rounds(sound), max_size=4))
    # A round without calls ends a turn, so that no two assistant messages meet.
    if sound or not draw(_one_in(3)):
        rounds.append(Round(text=draw(_texts(sound, (60, 900, 3_000)))))
    return Turn(
        tuple(draw(st.lists(_said(sound), min_size=1, max_size=2 if sound else 3))),
        as_list=draw(st.booleans()),
        marked=draw(_one_in(4)),
        image=draw(_one_in(4)),
        opaque=not sound and draw(_one_in(6)),
        rounds=tuple(rounds),
    )


def _numbered(turns: list[Turn], *, reuse: bool) -> list[Turn]:
    """Ids for the calls: some come again in every round, as with servers that count anew."""
    number = 0
    made: list[Turn] = []
    for turn in turns:
        rounds: list[Round] = []
        for one in turn.rounds:
            calls: list[Call] = []
            for at, call in enumerate(one.calls):
                number += 1
                calls.append(replace(call, id=f"call_{at}" if reuse and number % 3 == 0 else f"call_n{number}"))
            rounds.append(replace(one, calls=tuple(calls)))
        made.append(replace(turn, rounds=tuple(rounds)))
    return made
