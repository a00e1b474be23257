"""Messages that the caller put in, or made longer, after the archive had them: their ids mean what they say."""

from pathlib import Path
from typing import Any

import pytest

from requirement import requirement
from vademecum import Archive, Compactor
from vademecum.compactor.intake import known_of

Rows = list[dict[str, Any]]
FORMAT = "openai-chat"


def talk(turns: int) -> Rows:
    return [
        {"role": role, "content": f"{text} {turn} " * size}
        for turn in range(turns)
        for role, text, size in (("user", "please do", 1), ("assistant", "what I found", 60))
    ]


def noted(archive: Archive) -> tuple[Compactor, Rows]:
    """A transcript of which the archive knows the first state, and two messages put in before one that it knows."""
    rows = talk(40)
    compactor = Compactor(window=40_000, session=archive.session("s", format=FORMAT))
    compactor.fit(rows)
    put_in: Rows = [
        {"role": "user", "content": "Also mind the quay in Rotterdam. " * 8},
        {"role": "assistant", "content": "The quay in Rotterdam is noted as R-17. " * 8},
    ]
    return compactor, [*rows[:6], *put_in, *rows[6:]]


@requirement("A-7", "C-36")
@pytest.mark.parametrize("again", [False, True])
def test_what_was_put_in_is_restored_by_its_id(tmp_path: Path, again: bool) -> None:
    archive = Archive.open(tmp_path / "a.db")
    compactor, rows = noted(archive)
    if again:
        compactor.fit(rows)
        compactor = Compactor(window=40_000, session=archive.existing("s"))
    done = compactor.fit([*rows, {"role": "user", "content": "Go on."}], forced=True)
    assert done.receipt.cycle == 1
    restored = [archive.restore(id, session="s").data.decode() for id in done.receipt.removed]
    for row in rows[6:8]:
        assert row["content"] in restored
    assert len(restored) == len(set(restored))
    first, last = done.receipt.removed[6], done.receipt.removed[-1]
    assert archive.restore(f"{first}..{last}", session="s").data.count(b"Rotterdam") == 16


@requirement("A-7", "C-36")
def test_a_part_that_an_edit_added_is_restored_and_purged() -> None:
    archive = Archive.memory()
    compactor, rows = noted(archive)
    rows = [*rows[:6], *rows[8:]]
    rows[4] = {
        "role": "user",
        "content": [{"type": "text", "text": rows[4]["content"]}, {"type": "text", "text": "R-18"}],
    }
    done = compactor.fit([*rows, {"role": "user", "content": "Go on."}], forced=True)
    (added,) = [id for id in done.receipt.removed if id.endswith(".2")]
    assert archive.restore(added, session="s").data == b"R-18"
    archive.purge(added, session="s")
    assert b"R-18" not in archive.restore(added, session="s").data


@requirement("C-39")
def test_a_long_marker_that_an_edit_brought_is_pinned_whole() -> None:
    compactor, rows = noted(Archive.memory())
    rule = "keep this rule number 42 always; " * 140
    rows = [*rows[:6], *rows[8:]]
    rows[4] = {
        "role": "user",
        "content": [{"type": "text", "text": rows[4]["content"]}, {"type": "text", "text": f"[pin] {rule}"}],
    }
    done = compactor.fit([*rows, {"role": "user", "content": "Go on."}], forced=True)
    assert done.receipt.cycle == 1
    assert compactor.session is not None
    (pin,) = compactor.session.pins()
    assert pin.text == rule.strip()
    assert any(rule.strip() in part.text for message in done.context for part in message.parts)


@requirement("C-29", "C-36")
def test_a_request_that_is_the_newest_again_stands_word_for_word() -> None:
    words = " ".join(f"point{number} of the plan" for number in range(400))
    call = {"id": "c1", "type": "function", "function": {"name": "bash", "arguments": "{}"}}
    rows: Rows = [
        *talk(40),
        {"role": "user", "content": words},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "done " * 2_500},
        {"role": "assistant", "content": "It is done."},
    ]
    compactor = Compactor(window=16_000, session=Archive.memory().session("s", format=FORMAT))
    done = compactor.fit([*rows, {"role": "user", "content": "Now something else."}], forced=True)
    assert done.receipt.cycle == 1
    assert not any(words in part.text for message in done.context for part in message.parts)
    back = compactor.fit(rows)
    assert any(words in part.text for message in back.context for part in message.parts)


@requirement("A-1", "C-36")
def test_a_branch_between_two_messages_of_one_place() -> None:
    archive = Archive.memory()
    compactor, rows = noted(archive)
    compactor.fit(rows)
    rows = [*rows[:7], {"role": "assistant", "content": "another end"}, {"role": "user", "content": "go on"}]
    compactor.fit(rows)
    assert archive.verify() == []
    again = known_of(archive.existing("s")).transcript
    assert [message.wire for message in again.messages] == rows


@requirement("A-7", "C-27")
def test_a_text_that_is_added_beside_a_shortened_result_of_the_tail_is_seen() -> None:
    archive = Archive.memory()
    compactor = Compactor(window=16_000, session=archive.session("s", format="anthropic"))
    call = {"type": "tool_use", "id": "c1", "name": "read", "input": {"path": "a.txt"}}
    result = {"type": "tool_result", "tool_use_id": "c1", "content": "a line of the file\n" * 4_000}
    rows: Rows = [
        {"role": "user", "content": "Read a.txt."},
        {"role": "assistant", "content": [call]},
        {"role": "user", "content": [result]},
    ]
    first = compactor.fit(rows)
    assert first.receipt.cycle == 1
    assert "left out here" in str(first.messages[-1])
    added = {"type": "text", "text": "Only count its lines, and stop."}
    then = compactor.fit([*rows[:2], {"role": "user", "content": [result, added]}])
    assert "Only count its lines, and stop." in str(then.messages)
    assert then.receipt.tokens_after <= 16_000
