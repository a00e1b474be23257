"""Cache marks in a compacted context: those that stay, those that are lost, and never more than four."""

from __future__ import annotations

from typing import Any

from clients.talk import Talk
from requirement import requirement
from vademecum import Archive, Compactor
from vademecum.compactor.marks import MOST, count_marks, marked, unmarked
from vademecum.wire import dialect

MARK = {"cache_control": {"type": "ephemeral"}}
CARRY = "<vademecum:carry session=s cycle=1>\n…\n</vademecum:carry>"


def text(said: str, **more: Any) -> dict[str, Any]:
    return {"type": "text", "text": said, **more}


def context(*wires: dict[str, Any]) -> list[Any]:
    return [dialect("anthropic").load(wire, at) for at, wire in enumerate(wires)]


def carried(*texts: str) -> dict[str, Any]:
    return {"role": "user", "content": [text(CARRY), *map(text, texts)]}


def places(messages: Any) -> list[tuple[int, int]]:
    return [
        (at, number)
        for at, message in enumerate(messages)
        if isinstance(message.wire["content"], list)
        for number, block in enumerate(message.wire["content"])
        if "cache_control" in block
    ]


@requirement("C-29")
def test_without_marks_nothing_is_marked() -> None:
    sent = context(carried(), {"role": "assistant", "content": "yes"}, {"role": "user", "content": "go"})
    assert marked(sent, sent, 0, 1) == tuple(sent)


def test_a_mark_that_stays_is_left_alone_and_the_carry_gets_one() -> None:
    last = {"role": "user", "content": [text("go", **MARK)]}
    sent = context(carried("an open request"), {"role": "assistant", "content": "yes"}, last)
    found = marked(sent, sent, 2, 2)
    assert places(found) == [(0, 1), (2, 0)]
    assert found[1:] == tuple(sent[1:])


def test_lost_marks_come_back_on_the_carry_and_on_the_last_message() -> None:
    sent = context(carried(), {"role": "assistant", "content": "yes"}, {"role": "user", "content": "go"})
    theirs = context({"role": "user", "content": [text("gone", **MARK)]})
    found = marked(sent, theirs, 2, 1)
    assert places(found) == [(0, 0), (2, 0)]
    assert found[2].wire["content"] == [text("go", **MARK)]
    assert [count_marks(message.wire) for message in sent] == [0, 0, 0]


def test_with_one_place_left_it_is_the_last_message() -> None:
    sent = context(carried(), {"role": "assistant", "content": "yes"}, {"role": "user", "content": "go"})
    assert places(marked(sent, sent, MOST - 1, 1)) == [(2, 0)]
    assert marked(sent, sent, MOST, 1) == tuple(sent)


def test_thinking_takes_no_mark() -> None:
    thinking = {
        "role": "assistant",
        "content": [text("so"), {"type": "thinking", "thinking": "hm", "signature": "x"}],
    }
    found = marked(context(carried(), thinking), context({"role": "user", "content": [text("a", **MARK)]}), 0, 1)
    assert places(found) == [(0, 0), (1, 0)]


def test_what_is_written_has_no_marks() -> None:
    result = {"type": "tool_result", "tool_use_id": "t", "content": [text("a", **MARK)], **MARK}
    wire = {"role": "user", "content": [result, text("b", **MARK)]}
    assert count_marks(wire) == 3
    assert count_marks(unmarked(wire)) == 0
    assert unmarked({"role": "user", "content": "plain"}) == {"role": "user", "content": "plain"}


def test_old_marks_do_not_pile_up_in_the_archive() -> None:
    talk = Talk("anthropic", 51)
    compactor = Compactor(window=32_000, session=Archive.memory().session("s", format="anthropic"))
    for _ in range(120):
        talk.round()
        sent = [dict(message) for message in talk.messages]
        for at in (-1, -3):
            content = sent[at]["content"]
            blocks = [text(content)] if isinstance(content, str) else [dict(block) for block in content]
            blocks[-1].update(MARK)
            sent[at]["content"] = blocks
        done = compactor.fit(sent, system=[text("who you are", **MARK)])
        assert sum(count_marks(message) for message in done.messages) <= MOST - 1
        assert count_marks(done.messages[-1]) >= 1
    session = compactor.session
    assert session is not None
    standing = session.compaction()
    assert standing is not None
    assert not any(b"cache_control" in piece.data for piece in standing.pieces)
