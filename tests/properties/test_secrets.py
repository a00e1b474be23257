"""Secrets of every kind, wherever they stand, reach neither carry nor index, nor a summary's author (C-28)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from night import often
from requirement import requirement
from unit.redaction.planted import planted
from vademecum import Archive, compact
from vademecum.core.requests import Summarize, SummaryReply, Unavailable
from vademecum.redaction import MARK

PLANTED = planted(7)
FILLER = "the build of the parser went through and the tests of the lexer were looked at again. "
PLACES = ("user", "assistant", "arguments", "result", "error", "file", "newest")


def transcript(plants: dict[str, list[str]], padding: int = 0) -> list[dict[str, Any]]:
    """An OpenAI chat with texts at several places, long enough to be compacted at a window of 8,000 tokens."""
    at = {place: "\n".join(plants.get(place, [])) for place in PLACES}
    pad = "x " * padding
    rows: list[dict[str, Any]] = [
        {"role": "system", "content": "You help."},
        {"role": "user", "content": f"Please set the parser up. {at['user']}\nNever push to main."},
    ]
    for number in range(14):
        arguments = {"command": f"git commit -m 'step {number}' && echo {pad}", "env": "PATH=/bin"}
        result, path = FILLER * 25, f"src/part_{number}.py"
        if number == 1:
            arguments["env"] = at["arguments"]
            result = f"{pad}{result}{at['result']}\n{result}"
            path = f"notes {at['file']}"
        if number == 2:
            result = f"Exit code 1\nError: {at['error']}\n{result}"
        calls = [
            {"id": f"c{number}{mark}", "type": "function", "function": {"name": name, "arguments": json.dumps(given)}}
            for mark, name, given in (("a", "bash", arguments), ("b", "write_file", {"path": path}))
        ]
        said = f"Step {number} of the parser.\n{at['assistant'] if number == 1 else ''}"
        rows.append({"role": "assistant", "content": said, "tool_calls": calls})
        rows.append({"role": "tool", "tool_call_id": f"c{number}a", "content": result})
        rows.append({"role": "tool", "tool_call_id": f"c{number}b", "content": "ok"})
        if number == 3:
            rows.append({"role": "assistant", "content": f"That is done. {at['assistant']}"})
            rows.append({"role": "user", "content": f"Go on with the lexer then. {at['newest']}"})
    return rows


def lines_of(secret: str) -> list[str]:
    return [line for line in secret.split("\n") if not line.startswith("-----")]


def everything_kept(archive: Archive) -> str:
    """Facts, names and the terms of the word index, as the file has them."""
    with archive.connection.reading() as db:
        rows = db.execute("SELECT key, text, names FROM facts").fetchall()
        rows += db.execute("SELECT name, kind FROM names").fetchall()
        db.execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.words USING fts5vocab (main, passages, row)")
        rows += db.execute("SELECT term FROM temp.words").fetchall()
    return "\n".join(str(value) for row in rows for value in row)


def check(plants: dict[str, list[str]], names: list[str], padding: int = 0) -> None:
    asked: list[Summarize] = []

    def author(ask: Summarize) -> SummaryReply | Unavailable:
        asked.append(ask)
        return Unavailable("not today")

    archive = Archive.memory()
    rows = transcript(plants, padding)
    done = compact(rows, window=8_000, session=archive.session("s", format="openai-chat"), summarizer=author)
    assert done.receipt.cycle == 1
    assert asked
    carry = json.dumps(done.messages[1], ensure_ascii=False)
    kept = everything_kept(archive)
    request = repr([(message.parts, message.wire, message.raw) for ask in asked for message in ask.messages])
    for name in names:
        for line in lines_of(PLANTED[name][1]):
            for where, text in (("carry", carry), ("index", kept), ("index", kept.lower()), ("request", request)):
                needle = line.lower() if text is not carry and text is not request and text != kept else line
                assert needle not in text, (name, where)
            assert not any(line in hit.text for hit in archive.search(f"parser step {line}", limit=20))
    assert MARK.search(request)
    # The archive itself has every byte.
    first = next(row for row in archive.session("s").stored() if row.position == 1)
    assert json.loads(first.raw) == rows[1]


@requirement("C-28")
@pytest.mark.parametrize("place", PLACES)
def test_secrets_of_every_kind_at_one_place(place: str) -> None:
    names = list(PLANTED)
    for some in (names[::2], names[1::2]):
        check({place: [PLANTED[name][0] for name in some]}, some)


@requirement("C-28", "I11")
@settings(max_examples=often(12), deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(PLACES), st.sampled_from(list(PLANTED))), min_size=1, max_size=6), st.data()
)
def test_secrets_anywhere(chosen: list[tuple[str, str]], data: st.DataObject) -> None:
    plants: dict[str, list[str]] = {}
    for place, name in chosen:
        plants.setdefault(place, []).append(PLANTED[name][0])
    # Wherever the border of a passage and a cut then fall.
    check(plants, [name for _, name in chosen], padding=data.draw(st.integers(0, 1_200)))


@requirement("C-28")
def test_the_switch_is_for_the_word_index_alone() -> None:
    token = PLANTED["github-token classic"][0]
    rows = transcript({"result": [token], "assistant": [f"I use {token} now."]})
    with Archive.memory() as archive:
        compact(rows, window=8_000, session=archive.session("s", format="openai-chat"))
        assert not archive.search(token)
    with Archive.memory() as archive:
        archive.hide_in_index(False)
        done = compact(rows, window=8_000, session=archive.session("s", format="openai-chat"))
        assert token in archive.search(token)[0].text
        assert token not in json.dumps(done.messages[1])


@requirement("C-28")
def test_the_same_secret_has_the_same_mark_in_one_archive_and_another_in_the_next(tmp_path) -> None:
    text = PLANTED["password"][0]
    marks = []
    for name in ("one.db", "one.db", "two.db"):
        with Archive.open(tmp_path / name) as archive:
            session = archive.session(f"s{len(marks)}", format="openai-chat")
            done = compact(transcript({"user": [text], "newest": [text]}), window=8_000, session=session)
            marks.append(set(MARK.findall(json.dumps(done.messages[1]))))
    assert len(marks[0]) == 1
    assert marks[0] == marks[1] != marks[2]


def test_an_index_from_before_is_searched_and_the_carry_from_it_has_no_secrets() -> None:
    token = PLANTED["anthropic-key"][0]
    rows = transcript({"assistant": [f"The key is {token}."]})
    with Archive.memory() as archive:
        session = archive.session("s", format="openai-chat")
        compact(rows, window=10_000_000, session=session)
        with archive.connection.transaction() as db:  # as an earlier version wrote its facts
            db.execute("UPDATE facts SET text = text || ?", (f" and {token}",))
        done = compact(rows, window=8_000, session=session)
        assert done.receipt.cycle == 1
        assert token not in json.dumps(done.messages[1])


@requirement("C-28")
def test_an_index_made_anew_has_no_secrets(tmp_path) -> None:
    token = PLANTED["github-token classic"][0]
    with Archive.open(tmp_path / "a.db", redact_index=False) as archive:
        compact(transcript({"result": [token]}), window=8_000, session=archive.session("s", format="openai-chat"))
        assert archive.search(token)
    with Archive.open(tmp_path / "a.db", redact_index=True) as archive:
        archive.reindex()
        assert not archive.search(token)
        assert archive.search("github-token")
        assert token.lower() not in everything_kept(archive).lower()
