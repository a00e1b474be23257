"""Every sort of log: recognised by what is in it, read whole, and whatever is damaged costs nothing else."""

import gzip
import json
import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from requirement import requirement
from unit.sessions.made import MADE, Made
from vademecum.core.messages import Message
from vademecum.errors import VademecumError
from vademecum.sessions import Reading, Source, readings

EACH = pytest.mark.parametrize("made", MADE.values(), ids=MADE)
LINES = pytest.mark.parametrize(
    "made", [made for made in MADE.values() if made.lines], ids=[name for name, made in MADE.items() if made.lines]
)


def read(data: bytes) -> list[tuple[Reading, list[Message]]]:
    with Source.of(data) as source:
        return [(one, list(one)) for one in readings(source)]


def messages(data: bytes) -> list[Message]:
    found: list[Message] = []
    with Source.of(data) as source:
        for one in readings(source):
            found += one
            for branch in one.branches:
                found += branch
    return found


def texts(said: list[Message]) -> set[str]:
    return {part.text for message in said for part in message.parts if part.text}


@requirement("A-8")
@EACH
@pytest.mark.parametrize("zipped", [False, True])
def test_it_is_recognised_and_read(made: Made, zipped: bool) -> None:
    found = read(gzip.compress(made.data, mtime=0) if zipped else made.data)
    said = [message for _, each in found for message in each]
    assert {one.kind for one, _ in found} == {made.kind}
    calls = [part for message in said for part in message.calls()]
    results = [part for message in said for part in message.results()]
    assert (len(said), len(calls), len(results)) == made.counts
    assert {part.call_id for part in calls} == {part.call_id for part in results}
    assert all(part.call_id for part in calls)
    assert [reason for one, _ in found for _, reason in one.skipped] == []
    typed = {message.typed_text().split("\n")[0] for message in said if message.typed}
    assert "alpha question" in typed
    assert typed <= {"alpha question", "bye 0", "bye 1"}
    assert "eta answer" in texts(said)


@requirement("A-8")
@EACH
def test_it_is_read_the_same_twice_and_valid(made: Made) -> None:
    for one in readings(Source.of(made.data)):
        first = list(one)
        noted = list(one.skipped), dict(one.left_out), one.dropped
        assert [message.raw for message in one] == [message.raw for message in first]
        assert (one.skipped, dict(one.left_out), one.dropped) == (noted[0], noted[1], noted[2])
        for message in first:
            assert json.loads(message.raw) == message.wire
        kinds = {problem.kind for problem in one.dialect.problems(first)}
        assert kinds <= {"alternation"}


@requirement("A-8")
@LINES
@pytest.mark.parametrize("bad", [b"{torn", b"\0\0\0\0", b"[1, 2]", b'{"type": "nobody-knows"}', b"\xff\xfe", b"{}"])
def test_a_bad_line_costs_nothing_but_that_line(made: Made, bad: bytes) -> None:
    rows = made.data.splitlines()
    whole = texts(messages(made.data))
    for at in range(len(rows)):
        damaged = b"\n".join([*rows[:at], bad, *rows[at + 1 :]])
        found = texts(messages(damaged))
        lost = {text for text in whole - found if not any(part in rows[at].decode() for part in spelled(text))}
        assert lost == set(), f"line {at + 1}"


def spelled(text: str) -> list[str]:
    """How a text may stand in a line of JSON."""
    once = json.dumps(text)[1:-1]
    words = re.findall(r"[a-z]{4,}", text)
    return [once, json.dumps(once)[1:-1], *words]


@requirement("A-8")
@LINES
def test_a_bad_line_is_told_with_its_number(made: Made) -> None:
    rows = made.data.splitlines()
    found = [one for one, _ in read(b"\n".join([*rows[:1], b"{torn", *rows[1:]]))]
    assert any(line == 2 and "not JSON" in reason for one in found for line, reason in one.skipped)


@requirement("A-8")
@LINES
def test_a_row_of_an_unknown_sort_is_told(made: Made) -> None:
    row = b'{"type": "nobody-knows", "role": "stranger"}\n'
    found = [one for one, _ in read(made.data + row + row)]
    told = [reason for one in found for _, reason in one.skipped]
    assert told, "neither counted nor kept"


@requirement("A-8")
@LINES
@pytest.mark.parametrize("text", ["\ud800 lone", "nul \0 in it", "\u2028", "\U0001f600 ∑"])
def test_any_text_survives(made: Made, text: str) -> None:
    data = made.data.replace(b"alpha question", json.dumps(text)[1:-1].encode())
    assert text in texts(messages(data))


@requirement("A-8")
@LINES
def test_a_file_still_being_written(made: Made) -> None:
    rows = made.data.splitlines(keepends=True)
    before = texts(messages(b"".join(rows[:-1])))
    for end in range(1, len(rows[-1]), 7):
        assert before <= texts(messages(b"".join(rows[:-1]) + rows[-1][:end]))


@requirement("A-8")
@pytest.mark.parametrize("name", ["gemini", "openhands", "atif", "swe-agent", "hermes", "cline", "opencode", "tau"])
def test_a_document_that_breaks_off_gives_what_is_whole(name: str) -> None:
    data = MADE[name].data
    marker = b"bye 1" if name == "tau" else b"eta answer"
    torn = data[: data.rindex(marker)]
    found = read(torn)
    assert "alpha question" in texts([message for _, said in found for message in said])
    assert any("not JSON from character" in reason for one, _ in found for _, reason in one.skipped)


@requirement("A-8")
@settings(max_examples=400)
@given(name=st.sampled_from(sorted(MADE)), at=st.floats(0, 1), cut=st.integers(0, 60), put=st.binary(max_size=12))
@example(name="claude", at=0.5, cut=0, put=b"\n")
def test_damage_of_any_sort_raises_nothing_of_others(name: str, at: float, cut: int, put: bytes) -> None:
    data = MADE[name].data
    place = int(at * len(data))
    try:
        found = messages(data[:place] + put + data[place + cut :])
    except VademecumError:
        return
    if MADE[name].lines and cut == 0 and b"\n" in put:
        first = data[:place].count(b"\n")
        whole = texts(messages(b"".join(data.splitlines(keepends=True)[:first])) if first else [])
        assert whole <= texts(found) | {""}


@requirement("A-8")
@settings(max_examples=200)
@given(data=st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        messages(data)
    except VademecumError:
        return


SCALARS = st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.floats(allow_nan=False)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


def paths(value: object, here: tuple = ()) -> list[tuple]:
    found = [here] if here else []
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        found += paths(inner, (*here, key))
    return found


@requirement("A-8")
@settings(max_examples=400)
@given(name=st.sampled_from(sorted(MADE)), pick=st.integers(0, 10_000), value=VALUES)
def test_a_value_of_another_type_raises_nothing_of_others(name: str, pick: int, value: object) -> None:
    made = MADE[name]
    if made.data[:1] not in b"{[":
        return
    held = [json.loads(row) for row in made.data.splitlines()] if made.lines else json.loads(made.data)
    places = paths(held)
    *way, last = places[pick % len(places)]
    at = held
    for key in way:
        at = at[key]
    at[last] = value
    data = b"\n".join(json.dumps(row).encode() for row in held) if made.lines else json.dumps(held).encode()
    try:
        messages(data)
    except VademecumError:
        return
