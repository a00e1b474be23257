"""Hypothesis strategies for transcripts; `vademecum.testing.transcripts` is the way in."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from vademecum.testing.render import rendered
from vademecum.testing.texts import KINDS, SOUND_KINDS, text
from vademecum.testing.turns import Call, Result, Round, Said, Turn

_SIZES = (12, 60, 60, 300, 300, 900, 900, 3_000, 9_000, 40_000)
_HARNESS = "<system-reminder>\nThe todo list is empty. {}\n</system-reminder>"
_TOOLS = ("bash", "read_file", "edit_file", "todo_write", "mcp__tracker__list", "Skill")
_SHAPES = ("string", "string", "string", "list", "image", "null", "object", "empty")


def wire_transcripts(format: str, *, most_turns: int, sound: bool) -> st.SearchStrategy[list[dict[str, Any]]]:
    """Wire messages of a format; see `vademecum.testing.transcripts`."""
    rendered((), format)  # an unknown format is refused here, not at the first example
    turns = st.lists(_turns(sound), min_size=1, max_size=most_turns)
    system = st.lists(_texts(sound, sizes=(60, 900)), max_size=2)
    return st.builds(lambda made, rows: rendered(_numbered(made, reuse=not sound), format, rows), turns, system)


def _texts(sound: bool, *, sizes: tuple[int, ...] = _SIZES, empty: bool = False) -> st.SearchStrategy[str]:
    kinds = [kind for kind in (SOUND_KINDS if sound else KINDS) if not (sound and kind == "blanks")]
    some = st.builds(text, st.sampled_from(kinds), st.sampled_from(sizes), st.integers(0, 60))
    return st.one_of(some, some, some, st.sampled_from(["", " ", "\n"])) if empty and not sound else some


def _said(sound: bool) -> st.SearchStrategy[Said]:
    typed = st.builds(Said, _texts(sound, empty=True))
    harness = st.builds(lambda body: Said(_HARNESS.format(body), typed=False), _texts(sound, sizes=(60, 900)))
    return st.one_of(typed, typed, typed, harness)


def _results(sound: bool) -> st.SearchStrategy[Result]:
    return st.builds(
        Result, _texts(sound, empty=True), st.sampled_from(_SHAPES[:5] if sound else _SHAPES), st.booleans()
    )


def _calls(sound: bool) -> st.SearchStrategy[Call]:
    arguments = st.builds(
        lambda key, value, deep: {key: value, "options": {"deep": deep, "big": 10**30}},
        st.sampled_from(["command", "path", "query", "x"]),
        _texts(sound, sizes=(12, 60, 60, 300, 3_000)),
        st.booleans(),
    )
    result = _results(sound) if sound else st.one_of(_results(sound), _results(sound), _results(sound), st.none())
    return st.builds(Call, st.just(""), st.sampled_from(_TOOLS), arguments, result)


def _rounds(sound: bool) -> st.SearchStrategy[Round]:
    seldom = st.sampled_from([False, False, False, False, False, True])
    short = _texts(sound, sizes=(60, 300))
    return st.builds(
        lambda words, thought, calls, swapped, orphan, between, system, odd: Round(
            text=words if sound or words.strip() or odd else "I go on.",
            reasoning=thought,
            calls=tuple(calls),
            swapped=swapped,
            orphan="call_orphan" if orphan and not sound else "",
            between=between if odd and calls and not sound else "",
            system=system if not sound else "",
        ),
        _texts(sound, sizes=(12, 60, 300, 3_000, 20_000), empty=True),
        st.one_of(st.just(""), st.just(""), short),
        st.lists(_calls(sound), max_size=4),
        st.booleans(),
        seldom,
        short,
        st.one_of(*[st.just("")] * 5, st.builds(lambda words: f"Mode {words[:40]}", short)),
        seldom,
    )


def _turns(sound: bool) -> st.SearchStrategy[Turn]:
    seldom = st.sampled_from([False, False, False, True])
    last = st.builds(lambda words: Round(text=words), _texts(sound, sizes=(60, 900, 3_000)))
    many = st.builds(lambda some, end: (*some, end), st.lists(_rounds(sound), max_size=4), last)
    rounds = many if sound else st.one_of(many, many, st.builds(tuple, st.lists(_rounds(sound), max_size=4)))
    said = st.lists(_said(sound), min_size=1, max_size=2 if sound else 3)
    return st.builds(
        lambda words, as_list, marked, image, opaque, made: Turn(
            tuple(words), as_list, marked, image, opaque and not sound, _closed(made) if sound else made
        ),
        said,
        st.booleans(),
        seldom,
        seldom,
        seldom,
        rounds,
    )


def _closed(rounds: tuple[Round, ...]) -> tuple[Round, ...]:
    """Rounds without calls end a turn, so that no two assistant messages meet."""
    return (*(one for one in rounds[:-1] if one.calls), rounds[-1])


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
                again = reuse and number % 3 == 0
                name = f"call_{at}" if again else f"call_n{number}"
                calls.append(Call(name, call.tool, call.arguments, call.result))
            rounds.append(
                Round(one.text, one.reasoning, tuple(calls), one.swapped, one.orphan, one.between, one.system)
            )
        made.append(Turn(turn.said, turn.as_list, turn.marked, turn.image, turn.opaque, tuple(rounds)))
    return made
