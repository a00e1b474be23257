"""What only a provider can read, roles and orders that templates refuse, and what must not go missing in between."""

import json
from itertools import pairwise
from typing import Any

import pytest

from fault import fault
from faults.talk import problems, result, said, text_of, user, worked
from vademecum import Archive, Compactor, compact
from vademecum.wire import dialect


def item(kind: str, **fields: Any) -> dict[str, Any]:
    return {"type": kind, **fields}


def spoken(role: str, text: str) -> dict[str, Any]:
    kind = "input_text" if role == "user" else "output_text"
    return item("message", role=role, content=[{"type": kind, "text": text}])


@fault(64)
def test_encrypted_reasoning_of_old_turns_is_not_replayed() -> None:
    """What only one key and model can read leaves with its turn; that of the newest turn is untouched."""
    rows = [spoken("user", "Port the module.")]
    for at in range(60):
        rows += [
            item("reasoning", id=f"rs_{at}", summary=[], encrypted_content=f"SEALED{at}_" + "x" * 900),
            item("function_call", id=f"fc_{at}", call_id=f"c{at}", name="bash", arguments='{"command": "make"}'),
            item("function_call_output", call_id=f"c{at}", output=f"part {at} is made. " * 40),
        ]
    done = compact(rows, window=16_000, format="openai-responses")
    assert done.receipt.outcome in ("compacted", "crowded")
    there = text_of(done)
    assert "SEALED59_" in there
    assert "SEALED2_" not in there
    assert len([one for one in done.messages if one["type"] == "reasoning"]) < 30
    restored = done.archive.restore(next(id for id in done.receipt.removed if "." not in id))
    assert restored.data


@fault(65)
@fault(120)
def test_the_providers_own_compaction_stays_and_ours_stands_beside_it() -> None:
    """An item that only its provider can read keeps its bytes; a plain carry says the same in words."""
    sealed = item("compaction", id="cmp_1", encrypted_content="SEALED")
    rows = [spoken("user", "Port the module."), sealed]
    for at in range(60):
        rows += [
            item("function_call", id=f"fc_{at}", call_id=f"c{at}", name="bash", arguments='{"command": "make"}'),
            item("function_call_output", call_id=f"c{at}", output=f"part {at} is made. " * 60),
        ]
    done = compact(rows, window=16_000, format="openai-responses")
    assert done.receipt.outcome in ("compacted", "crowded")
    assert sealed in done.messages
    assert "<vademecum:carry" in text_of(done)


@fault(120)
@pytest.mark.parametrize("format", ["openai-responses", "anthropic", "gemini", "openai-chat", "ollama"])
def test_what_nobody_knows_passes_as_it_came(format: str) -> None:
    odd: dict[str, Any] = {
        "openai-responses": item("x_new_kind", payload={"deep": [1, 2.50]}),
        "anthropic": {
            "role": "user",
            "content": [{"type": "x_new_kind", "payload": [1]}, {"type": "text", "text": "a"}],
        },
        "gemini": {"role": "user", "parts": [{"xNewKind": {"deep": [1]}}, {"text": "a"}]},
        "openai-chat": {"role": "user", "content": [{"type": "x_new_kind", "x": 1}, {"type": "text", "text": "a"}]},
        "ollama": {"role": "user", "content": "a", "x_new_kind": {"deep": [1]}},
    }[format]
    session = Archive.memory().session("s", format=format)
    done = compact([odd], window=16_000, session=session)
    assert list(done.messages) == [odd]
    assert json.loads(session.context()[0]) == odd


@fault(67)
def test_there_is_one_system_message_and_a_request_of_the_user() -> None:
    rows = [{"role": "system", "content": "You port modules."}, user("Port the module."), *worked(60)]
    done = compact(rows, window=16_000)
    roles = [row["role"] for row in done.messages]
    assert roles.count("system") == 1
    assert roles[0] == "system"
    assert roles[1] == "user"
    assert "Port the module." in text_of(done)


@fault(68)
def test_two_user_messages_in_a_row_are_one() -> None:
    """The carry and the user's next words are one message of two parts, as strict templates want it."""
    rows = [user("Port the module."), *worked(40), said("It is ported."), user("Now test it."), *worked(30, start=50)]
    for window in (8_000, 12_000, 16_000):
        done = compact(rows, window=window)
        assert done.receipt.outcome in ("compacted", "crowded")
        assert problems(done) == set()
        roles = [row["role"] for row in done.messages if row["role"] != "tool"]
        assert ("user", "user") not in pairwise(roles)


@fault(70)
def test_what_is_typed_while_it_is_compacted_comes_after_the_carry_in_order() -> None:
    compactor = Compactor(window=16_000)
    rows = [user("Port the module."), *worked(60), said("Ported.")]
    done = compactor.fit(rows)
    assert done.receipt.cycle == 1
    typed = [user("First, run the tests."), said("They pass."), user("Second, push it."), user("Third, tell me.")]
    done = compactor.fit([*rows, *typed])
    assert list(done.messages)[-4:] == typed
    again = compactor.fit([*rows, *typed])
    assert list(again.messages) == list(done.messages)
    assert text_of(again).count("Second, push it.") == 1


@fault(71)
@pytest.mark.parametrize("empty", ["", " ", "\n"])
@pytest.mark.parametrize("format", ["openai-chat", "anthropic"])
def test_no_empty_text_goes_out(format: str, empty: str) -> None:
    rows: list[dict[str, Any]] = [user("Port the module.")]
    for at in range(60):
        block = [{"type": "text", "text": empty}, {"type": "text", "text": f"Step {at}. " * 60}]
        rows += [{"role": "assistant", "content": block}, user([{"type": "text", "text": empty}, *block[1:]])]
    rows += [{"role": "assistant", "content": "Well."}, user("Go on.")]
    done = compact(rows, window=8_000, format=format)
    assert done.receipt.outcome in ("compacted", "crowded")
    loaded = [dialect(format).load(row, at) for at, row in enumerate(done.messages)]
    assert not any(part.kind == "text" and not part.text.strip() for message in loaded for part in message.parts)
    assert all(message.parts for message in loaded)


@fault(71)
def test_a_message_of_nothing_gets_a_placeholder_or_goes() -> None:
    rows = [user("go"), *worked(40), {"role": "assistant", "content": ""}, user("Go on."), *worked(2, start=90)]
    done = compact(rows, window=8_000)
    assert done.receipt.outcome in ("compacted", "crowded")
    assert problems(done) == set()
    assert result("w91", "x")["role"] == done.messages[-1]["role"]
