"""An interruption at any point leaves the context as it was."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from night import often
from properties.walking import FEW, FORMATS, Walk, walked, walks
from requirement import requirement
from vademecum import Archive, Session, compact
from vademecum.compactor import answers, flow
from vademecum.testing import sample

WINDOW = 8_000


class Interrupted(BaseException):
    """As a KeyboardInterrupt or a cancelled task: no `except Exception` stops it."""


@pytest.fixture
def interrupt(monkeypatch: pytest.MonkeyPatch):
    """Lets the planner's request of a number fail, counted from 0; returns how many were asked."""
    state = {"asked": 0, "at": -1}
    original = answers.Answers.__call__

    def answer(self: answers.Answers, request: Any) -> Any:
        number, state["asked"] = state["asked"], state["asked"] + 1
        if number == state["at"]:
            raise Interrupted
        return original(self, request)

    monkeypatch.setattr(answers.Answers, "__call__", answer)

    def at(number: int) -> dict[str, int]:
        state.update(asked=0, at=number)
        return state

    return at


def grown(format: str) -> tuple[Archive, Session, list[dict[str, Any]], int]:
    """A session that has been compacted once, and the rows that make a second compaction due."""
    archive = Archive.memory()
    rows = sample(format, turns=12)
    session = archive.session("walk", format=format)
    compact(rows[:40], window=WINDOW, session=session)
    return archive, session, rows, 40


@requirement("I5", "C-35")
@pytest.mark.parametrize("format", FORMATS)
def test_each_request_of_the_planner_may_be_the_last(format: str, interrupt) -> None:
    _, session, rows, _ = grown(format)
    state = interrupt(-1)
    whole = compact(rows, window=WINDOW, session=session)
    asked, wanted = state["asked"], session.context()
    assert asked > 10
    archive, session, rows, stop = grown(format)
    before = session.context()
    for number in range(asked):
        interrupt(number)
        with pytest.raises(Interrupted):
            compact(rows, window=WINDOW, session=archive.session("walk"))
        standing = archive.session("walk").context()
        assert standing[: len(before)] == before
        assert len(standing) == len(before) + len(rows) - stop
    interrupt(-1)
    again = compact(rows, window=WINDOW, session=archive.session("walk"))
    assert list(again.messages) == list(whole.messages)
    assert archive.session("walk").context() == wanted


@requirement("I5", "C-35")
@settings(FEW, max_examples=often(4))
@given(walks(sound=True), st.integers(0, 60))
def test_any_walk_may_be_interrupted_anywhere(interrupt, walk: Walk, number: int) -> None:
    """Its last request ends in the middle: the old context stands, and the next request gives what it would have."""
    interrupt(-1)
    *earlier, last = (step.session.context() for step in walked(walk))
    archive = Archive.memory()
    list(walked(Walk(walk.format, walk.rows, walk.stops[:-1], walk.window), archive))
    interrupt(number)
    rest = Walk(walk.format, walk.rows, walk.stops[-1:], walk.window)
    try:
        list(walked(rest, archive))
    except Interrupted:
        before = earlier[-1] if earlier else []
        standing = archive.session("walk").context()
        assert standing[: len(before)] == before
        assert len(standing) == len(before) + walk.stops[-1] - (walk.stops[-2] if earlier else 0)
    interrupt(-1)
    list(walked(rest, archive))
    assert archive.session("walk").context() == last


@requirement("I5", "C-35")
@pytest.mark.parametrize("moment", ["before", "inside", "after"])
def test_an_interruption_at_the_commit_leaves_the_old_or_the_new_context(
    moment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive, session, rows, _ = grown("openai-chat")
    before = session.context()
    original = Session.commit

    def commit(self: Session, *args: Any, **named: Any) -> bool:
        if moment == "inside":
            original(self, *args, **named)
        raise Interrupted

    def result(*_: object) -> None:
        raise Interrupted

    if moment == "after":
        monkeypatch.setattr(flow, "_result", result)
    else:
        monkeypatch.setattr(Session, "commit", commit)
    with pytest.raises(Interrupted):
        compact(rows, window=WINDOW, session=session)
    monkeypatch.undo()
    standing = archive.session("walk").context()
    if moment == "after":
        assert standing[: len(before)] != before
    else:
        assert standing[: len(before)] == before
    again = compact(rows, window=WINDOW, session=archive.session("walk"))
    fresh = grown("openai-chat")
    assert list(again.messages) == list(compact(fresh[2], window=WINDOW, session=fresh[1]).messages)


@requirement("I12")
@FEW
@given(walks(sound=False), st.lists(st.text(max_size=60), max_size=6))
def test_a_search_returns_a_list_whatever_is_asked(walk: Walk, queries: Sequence[str]) -> None:
    *_, step = walked(walk)
    odd = [
        "C++",
        "chat-send",
        'un"balanced',
        "a AND",
        "NOT x",
        "*",
        "",
        "\x00",
        "\ud83d",
        "foo.bar()",
        "(((",
        "col:x",
    ]
    for query in [*queries, *odd]:
        assert isinstance(step.session.search(query), list)


_NAME = st.from_regex(r"[a-z]{4,8}[0-9]{1,4}", fullmatch=True)
_HAN = st.text("修改服务端的计划数据库备份", min_size=1, max_size=4)


@requirement("I12", "A-4")
@FEW
@given(walks(sound=True), st.lists(_NAME, min_size=2, max_size=4, unique=True), st.sampled_from("_-./:"), _HAN, _HAN)
def test_any_planted_name_is_found(walk: Walk, words: list[str], glue: str, before: str, after: str) -> None:
    """By itself and by its parts, glued to CJK text, and the CJK words around it."""
    archive, planted = Archive.memory(), glue.join(words)
    *_, _ = walked(walk, archive)
    notes = archive.session("notes", format="openai-chat")
    rows = [{"role": "user", "content": "The first."}, {"role": "user", "content": f"{before}{planted}{after}"}]
    compact(rows, window=32_000, session=notes)
    for query in (planted, *words, f"{before}{planted}", before, after):
        assert any(planted in hit.text for hit in archive.search(query, limit=30)), query


@requirement("I12")
def test_a_planted_name_is_found_by_itself_and_by_its_parts() -> None:
    archive = Archive.memory()
    session = archive.session("walk", format="openai-chat")
    rows = sample("openai-chat", turns=12)
    rows.insert(
        2, {"role": "user", "content": "The build is 修改youer_9f3c端 and lives in src/deploy/gate_keeper.py:42."}
    )
    compact(rows, window=WINDOW, session=session)
    for query in ("youer_9f3c", "gate_keeper.py", "src/deploy/gate_keeper.py:42", "gate_keeper"):
        assert any("gate_keeper" in hit.text for hit in session.search(query)), query
