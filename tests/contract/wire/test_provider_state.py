"""What ties items to each other beyond calls and results: reasoning, state that the provider holds, no ids."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contract.wire.convert import session
from contract.wire.recordings import NAMES, recorded
from requirement import requirement
from vademecum import compact
from vademecum.core.alignment import Key
from vademecum.core.messages import Message
from vademecum.core.pairing import pair, safe_cuts
from vademecum.core.tokens import part_texts
from vademecum.wire import dialect

Row = dict[str, Any]
RESPONSES = dialect("openai-responses")
CODEX = [name for name, format in NAMES.items() if format == "openai-responses"]


def loaded(rows: Sequence[Any], format: str = "openai-responses") -> list[Message]:
    return [dialect(format).load(row, index) for index, row in enumerate(rows)]


def torn(raw: Sequence[Any], sent: Sequence[Any]) -> list[str]:
    """Reasoning that lost its item, and items that go out under their id without their reasoning."""
    needs: dict[str, str] = {}
    follows: dict[str, str] = {}
    thought = ""
    for row, after in zip(raw, [*raw[1:], {}], strict=True):
        if row.get("type") == "reasoning":
            thought = row["id"]
            follows[thought] = after.get("id") or after.get("call_id") or ""
        elif row.get("role", "assistant") != "assistant" or str(row.get("type")).endswith("_output"):
            thought = ""
        elif thought and row.get("id"):
            needs[row["id"]] = thought
    there = {row["id"] for row in sent if row.get("type") == "reasoning"}
    wrong = [
        f"{row['id']} without {needs[row['id']]}" for row in sent if needs.get(row.get("id")) not in (None, *there)
    ]
    for row, after in zip(sent, [*sent[1:], {}], strict=True):
        if row.get("type") == "reasoning" and follows[row["id"]] not in (after.get("id"), after.get("call_id")):
            wrong.append(f"{row['id']} before {after.get('id')}")
    return wrong


@requirement("C-29", "I1")
def test_reasoning_whose_answer_was_empty_goes_with_it() -> None:
    rows: list[Row] = [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "word " * 9_000}]},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Looked at it. " * 40}]},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "And now?"}]},
        {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAAA"},
        {"type": "message", "id": "m_1", "role": "assistant", "content": [{"type": "output_text", "text": " "}]},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Say something."}]},
    ]
    done = compact(rows, window=8_000, format="openai-responses")
    assert done.receipt.outcome in ("compacted", "crowded")
    assert not [row for row in done.messages if row.get("id") in ("rs_1", "m_1")]


@requirement("C-29", "I1")
@pytest.mark.parametrize("window", [6_000, 8_000, 12_000, 16_000, 24_000, 32_000])
def test_reasoning_and_what_it_led_to_go_together(window: int) -> None:
    rows = session("openai-responses", turns=30)
    done = compact(rows, window=window, format="openai-responses")
    assert done.receipt.outcome in ("compacted", "crowded")
    assert torn(rows, rows) == []
    assert torn(rows, done.messages) == []
    assert any(row.get("type") == "function_call" for row in done.messages)


@requirement("C-29", "P-2")
@pytest.mark.parametrize("name", CODEX)
def test_recorded_reasoning_stays_whole(clients_folder: Path, name: str) -> None:
    longest = max((request for request in recorded(clients_folder, name)), key=lambda request: len(request.messages))
    size = compact(longest.messages, window=10_000_000, format=longest.format).receipt.tokens_before
    head = sum(len(str(row)) for row in longest.messages[:3]) // 4
    for share in (0.25, 0.4, 0.6, 0.8):
        trigger = head + int(share * max(1, size - head))
        done = compact(longest.messages, window=4 * size, trigger=max(2_000, trigger), format=longest.format)
        assert done.receipt.failure == ""
        assert torn(longest.messages, done.messages) == []


@requirement("C-29")
def test_no_cut_falls_between_reasoning_and_its_items() -> None:
    messages = loaded(session("openai-responses", turns=2))
    cuts = safe_cuts(messages, pair(messages))
    kinds = [str(message.wire.get("type")) for message in messages]
    assert all(at in (0, len(messages)) or kinds[at] in ("reasoning", "message") for at in cuts)
    assert all(kinds[at - 1] != "reasoning" for at in cuts if at)


def with_compaction(turns: int) -> list[Row]:
    """What Codex sends after the provider has compacted."""
    rows = session("openai-responses", turns=turns)
    sealed = {"type": "compaction", "id": "cmp_1", "encrypted_content": "c2VhbGVk" * 20}
    said = [row for row in session("openai-responses", turns=3, start=90) if row.get("role") == "user"]
    return [rows[0], *said, sealed, *rows[1:]]


@requirement("C-30", "I4")
def test_a_providers_own_compaction_stays_with_all_before_it() -> None:
    rows = with_compaction(30)
    place = next(at for at, row in enumerate(rows) if row.get("type") == "compaction")
    done = compact(rows, window=16_000, format="openai-responses")
    assert done.receipt.outcome == "compacted"
    assert all(sent is row for sent, row in zip(done.messages[: place + 1], rows, strict=False))
    assert "vademecum:carry" in str(done.messages[place + 1])
    assert RESPONSES.problems(loaded(done.messages[place + 1 :])) == ()


@requirement("C-30")
def test_items_that_stand_upstream_stay_as_they_are() -> None:
    rows: list[Row] = session("openai-responses", turns=12)
    rows.insert(40, {"type": "item_reference", "id": "msg_upstream"})
    done = compact(rows, window=200_000, trigger=6_000, format="openai-responses")
    assert list(done.messages[:41]) == rows[:41]


@requirement("C-30")
def test_a_trigger_of_the_provider_passes_through() -> None:
    rows: list[Row] = [*session("openai-responses", turns=30), {"type": "compaction_trigger"}]
    done = compact(rows, window=16_000, format="openai-responses")
    assert done.messages[-1] is rows[-1]
    assert done.receipt.outcome == "compacted"


@requirement("C-29")
@pytest.mark.parametrize("format", ["gemini", "ollama"])
@settings(max_examples=40)
@given(names=st.lists(st.sampled_from(["f", "g"]), min_size=1, max_size=4), rounds=st.integers(1, 3))
def test_results_without_ids_belong_to_their_calls_in_order(format: str, names: list[str], rounds: int) -> None:
    one: list[Row] = []
    if format == "gemini":
        calls = [{"functionCall": {"name": name, "args": {"n": at}}} for at, name in enumerate(names)]
        results = [{"functionResponse": {"name": n, "response": {"output": str(at)}}} for at, n in enumerate(names)]
        one = [{"role": "model", "parts": calls}, {"role": "user", "parts": results}]
    else:
        given_calls = [{"function": {"name": name, "arguments": {"n": at}}} for at, name in enumerate(names)]
        one = [{"role": "assistant", "content": "", "tool_calls": given_calls}]
        one += [{"role": "tool", "tool_name": name, "content": str(at)} for at, name in enumerate(names)]
    messages = loaded([dialect(format).user(["go"]), *(one * rounds)], format)
    assert dialect(format).problems(messages) == ()
    found = pair(messages)
    assert (found.orphans, found.open_calls) == ((), ())
    for (call, number), (result, place) in found.result_of.items():
        assert messages[call].parts[number].text == f'{{"n":{messages[result].parts[place].text}}}'
        assert result > call
    assert not any(Key.of(message).calls for message in messages)
    assert "#" not in "".join(text for message in messages for part in message.parts for text in part_texts(part))


@requirement("C-29")
def test_results_that_say_nothing_answer_the_calls_in_their_order() -> None:
    calls = [{"function": {"name": name, "arguments": {}}} for name in ("f", "g")]
    row: Row = {"role": "assistant", "content": "", "tool_calls": calls}
    rows = [{"role": "user", "content": "go"}, row, *({"role": "tool", "content": text} for text in "12")]
    messages = loaded(rows, "ollama")
    assert dialect("ollama").problems(messages) == ()
    assert pair(messages).result_of == {(1, 0): (2, 0), (1, 1): (3, 0)}


@requirement("C-29")
@pytest.mark.parametrize("format", ["openai-chat", "openai-responses", "anthropic", "gemini", "ollama"])
def test_a_message_of_the_model_is_of_the_format(format: str) -> None:
    chosen = dialect(format)
    message = chosen.load(chosen.said(["text"]), 0)
    assert (message.role, [part.text for part in message.parts]) == ("assistant", ["text"])
    assert chosen.problems([chosen.load(chosen.user(["a"]), 0), message]) == ()
