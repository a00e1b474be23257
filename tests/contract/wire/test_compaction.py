"""A long session in every format: compacted again and again, always valid, resumed to the byte."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from clients.judging import CARRY, ours
from contract.wire.convert import FORMATS, session
from requirement import requirement
from vademecum import Archive, Compaction, Compactor, compact
from vademecum.core.identity import chain, part_id
from vademecum.core.messages import Message
from vademecum.models.tokenizer import count_tokens
from vademecum.testing.texts import text
from vademecum.wire import dialect
from vademecum.wire.values import at

WINDOWS = (8_000, 16_000, 32_000)
TURNS = 30


def loaded(format: str, rows: Any) -> list[Message]:
    return [dialect(format).load(row, index) for index, row in enumerate(rows)]


def checked(format: str, rows: list[dict[str, Any]], done: Compaction) -> None:
    """What every context must be."""
    sent, raw = loaded(format, done.messages), loaded(format, rows)
    assert done.receipt.failure == ""
    assert ours(dialect(format), sent, raw) == []
    newest = next(message for message in reversed(raw) if message.typed)
    there = [part.text for message in sent for part in message.parts]
    assert all(any(part.text in held for held in there) for part in newest.parts if part.typed)
    json.dumps(list(done.messages), ensure_ascii=False).encode("utf-8")


@requirement("I1", "C-29", "C-21", "C-27")
@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("format", FORMATS)
def test_one_call_makes_it_fit(format: str, window: int) -> None:
    rows = session(format, turns=TURNS)
    done = compact(rows, window=window, format=format)
    assert done.receipt.outcome == "compacted"
    assert done.receipt.tokens_after < done.receipt.tokens_before
    assert done.receipt.tokens_after <= done.receipt.trigger_tokens
    checked(format, rows, done)
    assert dialect(format).problems(loaded(format, done.messages)) == ()
    assert sum(CARRY in part.text for message in loaded(format, done.messages) for part in message.parts) == 1


@requirement("I1", "C-30", "C-32")
@pytest.mark.parametrize("format", FORMATS)
def test_a_growing_session_is_compacted_again_and_again(format: str) -> None:
    rows = session(format, turns=TURNS)
    compactor = Compactor(window=16_000, max_output=2_000)
    cycles: Counter[int] = Counter()
    for stop in range(4, len(rows) + 1):
        done = compactor.fit(rows[:stop], format=format)
        checked(format, rows[:stop], done)
        assert done.limits.keys() == {dialect(format).limit_key}
        cycles[done.receipt.cycle] += 1
        if done.receipt.cycle:
            own = [id(row) for row in rows[:stop]]
            places = [own.index(id(row)) for row in done.messages if id(row) in own]
            assert places == sorted(places)
        else:
            assert all(sent is row for sent, row in zip(done.messages, rows, strict=False))
    assert max(cycles) >= 3
    assert all(count > 1 for cycle, count in cycles.items() if cycle not in (max(cycles),))


@requirement("I10", "C-35")
@pytest.mark.parametrize("format", FORMATS)
def test_a_resume_is_the_same_to_the_byte(format: str, tmp_path: Path) -> None:
    rows = session(format, turns=TURNS)
    path = tmp_path / "sessions.db"
    with Archive.open(path) as archive:
        first = archive.session("s", format=format)
        done = Compactor(window=16_000, session=first).fit(rows)
        before = first.context()
        assert done.receipt.cycle == 1
    with Archive.open(path) as archive:
        again = archive.session("s")
        assert again.dialect.name == format
        assert again.context() == before
        assert [json.loads(raw) for raw in before] == list(done.messages)
        fitted = Compactor(window=16_000, session=again).fit(rows)
        assert fitted.receipt.outcome == "nothing_needed"
        assert list(fitted.messages) == list(done.messages)
        more = [*rows, *session(format, turns=2, start=TURNS)]
        grown = Compactor(window=16_000, session=again).fit(more)
        assert list(grown.messages)[: len(done.messages)] == list(done.messages) or grown.receipt.cycle == 2
        checked(format, more, grown)


@requirement("I5", "A-2", "A-7")
@pytest.mark.parametrize("format", FORMATS)
def test_everything_is_restored_exactly(format: str) -> None:
    rows = session(format, turns=TURNS)
    done = compact(rows, window=16_000, format=format)
    held = done.archive.existing(done.receipt.session)
    messages = loaded(format, rows)
    kinds: Counter[str] = Counter()
    for index, (message, node) in enumerate(zip(messages, chain(messages), strict=True)):
        for number, part in enumerate(message.parts):
            found = held.restore(part_id(node, number, len(message.parts)))
            if part.plain:
                assert found.data == part.text.encode()
            else:
                assert json.loads(found.data) == at(rows[index], part.place)
            if part.kind == "tool_result":
                assert found.tool
            kinds[part.kind] += 1
    assert {"text", "tool_call", "tool_result"} <= kinds.keys()
    ids = [id for id in done.receipt.removed if id.startswith("t_")]
    assert ids
    assert all(held.restore(id).data for id in ids)


@requirement("A-4", "A-5")
@pytest.mark.parametrize("format", FORMATS)
def test_calls_results_and_texts_are_found(format: str) -> None:
    rows = session(format, turns=TURNS)
    done = compact(rows, window=16_000, format=format)
    held = done.archive.existing(done.receipt.session)
    (said, *_) = held.search("svc-3 runs on port=5003")
    assert (said.role, "svc-3" in said.text) == ("assistant", True)
    (asked, *_) = held.search("bring service svc-4 up on port 5004")
    assert asked.role == "user"
    (called, *_) = held.search("src/part_300.py OR part_300", role="assistant") or held.search("part_300")
    assert "part_300" in called.text
    line = text("log", 1_200, 301).splitlines()[1]
    assert any(hit.role == "tool" for hit in held.search(" ".join(line.split()[2:6])))


@requirement("C-11")
@pytest.mark.parametrize("format", FORMATS)
def test_tokens_of_a_session_are_much_the_same_in_every_format(format: str) -> None:
    from vademecum.core.tokens import TokenCounter

    counter = TokenCounter(count_tokens)
    chat = sum(counter.messages(loaded("openai-chat", session("openai-chat", turns=8))))
    own = sum(counter.messages(loaded(format, session(format, turns=8))))
    assert 0.85 * chat < own < 1.35 * chat
