"""Careless clients in every format: calls without results, orphans, empty and broken texts, ids that come again."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from clients.judging import ours
from contract.wire.convert import converted
from requirement import requirement
from vademecum import Archive, compact
from vademecum.core.identity import chain, part_id
from vademecum.testing import transcripts
from vademecum.wire import dialect
from vademecum.wire.values import at

NEW = ("openai-responses", "gemini", "ollama")
WINDOWS = (4_000, 8_000, 16_000)
# Shrinking a long transcript takes minutes.
FEW = settings(
    max_examples=15,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
)


def rows_of(drawn: list[dict[str, Any]], format: str) -> list[dict[str, Any]]:
    return converted([{key: value for key, value in row.items() if key != "meta"} for row in drawn], format)


@requirement("I1", "C-29")
@pytest.mark.parametrize("format", NEW)
@FEW
@given(drawn=transcripts("openai-chat", sound=True), window=st.sampled_from(WINDOWS))
def test_a_sound_transcript_stays_sound(format: str, drawn: Any, window: int) -> None:
    rows, chosen = rows_of(drawn, format), dialect(format)
    raw = [chosen.load(row, index) for index, row in enumerate(rows)]
    had = {problem.kind for problem in chosen.problems(raw)}
    done = compact(rows, window=window, format=format)
    sent = [chosen.load(row, index) for index, row in enumerate(done.messages)]
    assert done.receipt.outcome not in ("failed", "invalid"), done.receipt.failure
    assert {problem.kind for problem in chosen.problems(sent)} <= had


@requirement("I1", "C-29", "I10", "I5")
@pytest.mark.parametrize("format", NEW)
@FEW
@given(drawn=transcripts("openai-chat", sound=False), window=st.sampled_from(WINDOWS), share=st.floats(0.3, 0.9))
def test_no_compaction_makes_a_problem_of_its_own(format: str, drawn: Any, window: int, share: float) -> None:
    rows, chosen = rows_of(drawn, format), dialect(format)
    session = Archive.memory().session("walk", format=format)
    for stop in (max(1, int(share * len(rows))), len(rows)):
        done = compact(rows[:stop], window=window, session=session)
        raw = [chosen.load(row, index) for index, row in enumerate(rows[:stop])]
        sent = [chosen.load(row, index) for index, row in enumerate(done.messages)]
        assert done.receipt.outcome not in ("failed", "invalid"), (done.receipt.failure, done.plan)
        if done.plan is not None and done.plan.applies:
            found = ours(chosen, sent, raw)
            # Signed reasoning is not ours to change, whatever is in it.
            assert [text for text in found if not text.endswith(": reasoning")] == []
        assert [json.loads(held) for held in session.context()] == [
            json.loads(json.dumps(row)) for row in done.messages
        ]
    raw = [chosen.load(row, index) for index, row in enumerate(rows)]
    for index, (message, node) in enumerate(zip(raw, chain(raw), strict=True)):
        for number, part in enumerate(message.parts):
            data = session.restore(part_id(node, number, len(message.parts))).data
            if part.plain:
                assert data == part.text.encode("utf-8", "surrogatepass")
            else:
                assert json.loads(data) == at(rows[index], part.place)
