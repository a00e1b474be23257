"""Pins: what is pinned stays word for word, in its message or first in the carry, under a cap."""

from typing import Any

import pytest

from requirement import requirement
from unit.core.cases import compacted, sent_text
from vademecum import Archive, Compactor, Session
from vademecum.core.identity import short
from vademecum.core.pins import Pin, honoured, marked
from vademecum.errors import ConfigError, PartNotFound
from vademecum.models.tokenizer import count_tokens
from vademecum.testing import sample

RULE = "Deploy to zeus-17 only,\n  never to apollo."


def grown(session: Session, rows: list[dict[str, Any]], cycles: int = 3) -> Any:
    """The last of a few compactions."""
    done = compacted(rows, session=session)
    for stretch in range(1, cycles):
        rows = rows + sample(session.dialect.name, turns=12, start=500 * stretch)
        done = compacted(rows, session=session)
    return done


def first_text(done: Any) -> str:
    assert done.plan is not None
    assert done.plan.carry is not None
    return done.plan.carry.text


def test_markers_pin_their_line_or_the_whole_text() -> None:
    assert marked("one\n[pin] keep this \n  @pin: and this\n") == [("keep this", False), ("and this", False)]
    assert marked("@pin\nall of it") == [("@pin\nall of it", True)]
    assert marked("write to me@pin.example, or [pinned]") == []


def test_where_there_is_no_room_for_all_the_newest_pins_win() -> None:
    pins = [Pin(f"p_{n}", "x", tokens=40, since=n) for n in range(4)]
    taken, out = honoured(pins, 100)
    assert [pin.id for pin in taken] == ["p_2", "p_3"]
    assert [pin.id for pin in out] == ["p_0", "p_1"]


@requirement("C-39")
@pytest.mark.parametrize("format", ["openai-chat", "anthropic"])
def test_a_pinned_text_is_the_first_section_of_every_carry(format: str) -> None:
    session = Archive.memory().session("pinned", format=format)
    session.pin(RULE)
    done = grown(session, sample(format, turns=20))
    assert done.receipt.cycle == 3
    assert RULE in first_text(done)
    assert first_text(done).split("## ")[1].startswith("Pinned by the user")
    assert done.receipt.pinned == tuple(pin.id for pin in session.pins())


@requirement("C-39")
@pytest.mark.parametrize("format", ["openai-chat", "anthropic"])
def test_a_pinned_result_outlives_the_message_it_came_in(format: str) -> None:
    session = Archive.memory().session("pinned", format=format)
    rows = sample(format, turns=20)
    compacted(rows[:9], session=session, window=100_000)
    held = next(m for m in session.stored() if any(p.kind == "tool_result" for p in m.load(session.dialect).parts))
    (pin,) = session.pin(short(held.node))
    done = grown(session, rows)
    assert pin.text in first_text(done)
    assert pin.text in sent_text(done) or pin.text.splitlines()[0] in sent_text(done)


@requirement("C-39")
def test_a_pinned_part_of_the_tail_stays_where_it_is() -> None:
    session = Archive.memory().session("pinned", format="openai-chat")
    rows = sample(turns=20)
    compacted(rows, session=session, window=1_000_000)
    last = session.stored()[-1]
    (pin,) = session.pin(short(last.node))
    done = compacted(rows, session=session)
    assert done.receipt.outcome == "compacted"
    assert pin.id in done.receipt.pinned
    assert "Pinned by the user" not in first_text(done)
    assert sent_text(done).count(pin.text[:60]) == 1


@requirement("C-39")
def test_a_marker_in_what_the_user_says_pins() -> None:
    session = Archive.memory().session("marked", format="openai-chat")
    rows = [
        {"role": "user", "content": "Build it.\n[pin] The staging port is 9443, the rest can go.\nThanks."},
        {"role": "assistant", "content": "[pin] I may not pin."},
    ]
    done = grown(session, [*rows, *sample(turns=20)])
    assert "\nThe staging port is 9443, the rest can go.\n" in first_text(done)
    assert [pin.origin for pin in session.pins()] == ["marker"]
    assert session.unpin(session.pins()[0].id) == 1
    assert session.pins() == ()


@requirement("C-39")
def test_a_long_marked_message_is_pinned_in_full() -> None:
    session = Archive.memory().session("marked", format="openai-chat")
    text = "@pin\n" + " ".join(f"word-{n}" for n in range(900)) + " the end"
    done = grown(session, [{"role": "user", "content": text}, *sample(turns=20)], cycles=2)
    assert session.pins()[0].text == text
    assert done.receipt.pins_left_out == ()
    assert text in first_text(done)


@requirement("C-39")
def test_pins_over_the_cap_are_refused_when_they_are_pinned() -> None:
    session = Archive.memory().session("full", format="openai-chat")
    session.pin("short and sound", cap=200)
    with pytest.raises(ConfigError, match="the cap is 200") as refused:
        session.pin("word " * 400, cap=200)
    assert "pin_cap" in refused.value.hint
    assert [pin.text for pin in session.pins()] == ["short and sound"]


@requirement("C-39")
def test_pins_over_the_cap_at_compaction_time_are_named_in_the_receipt() -> None:
    session = Archive.memory().session("full", format="openai-chat")
    compacted(sample(turns=2), session=session)
    (old,) = session.pin("old " * 100)
    compacted(sample(turns=4), session=session)
    (new,) = session.pin("new " * 100)
    done = compacted(sample(turns=30), session=session, pin_cap=150)
    assert done.receipt.pins_left_out == (old.id,)
    assert done.receipt.pinned == (new.id,)
    assert new.text in first_text(done)


@requirement("C-7", "C-39")
def test_pins_that_fill_the_trigger_leave_nothing_to_compact() -> None:
    session = Archive.memory().session("filled", format="openai-chat")
    session.pin("word " * 3_950, count=count_tokens)
    done = compacted(sample(turns=4), session=session)
    assert 4_000 < done.receipt.tokens_before < 7_000
    assert done.receipt.outcome == "nothing_compactable"
    assert "pins 3," in done.receipt.failure
    assert "trigger is 2,000" in done.receipt.failure
    assert done.plan is None


def test_what_cannot_be_pinned_is_refused() -> None:
    session = Archive.memory().session("refused", format="openai-chat")
    with pytest.raises(ConfigError, match="nothing to pin"):
        session.pin("  ")
    with pytest.raises(PartNotFound):
        session.pin("t_aaaaaaaaaa")


def test_a_pin_of_a_message_can_be_taken_back_part_by_part() -> None:
    session = Archive.memory().session("parts", format="openai-chat")
    texts = [{"type": "text", "text": text} for text in ("first text", "second text", "third text")]
    compacted([{"role": "user", "content": texts}], session=session)
    (stored,) = session.stored()
    assert len(session.pin(short(stored.node))) == 3
    assert session.unpin(f"{short(stored.node)}.2") == 1
    assert [pin.text for pin in session.pins()] == ["first text", "third text"]
    assert session.unpin(short(stored.node)) == 2
    assert session.unpin(short(stored.node)) == 0


def test_pins_are_read_by_whoever_opens_the_archive_next(tmp_path: Any) -> None:
    with Archive.open(tmp_path / "a.db") as archive:
        archive.session("kept", format="openai-chat").pin(RULE)
    with Archive.open(tmp_path / "a.db") as archive:
        compactor = Compactor(window=8_000, session=archive.session("kept"))
        assert RULE in first_text(compactor.fit(sample(turns=20)))
