"""The difference that a compaction makes: every message once, and what is shown is what was sent."""

from typing import Any

import pytest

from requirement import requirement
from unit.core.cases import COUNTER
from vademecum import Archive, compact
from vademecum.compactor.difference import difference
from vademecum.errors import ConfigError
from vademecum.testing import sample


@requirement("C-36")
@pytest.mark.parametrize("format", ["openai-chat", "anthropic"])
def test_every_message_is_accounted_for(format: str) -> None:
    session = Archive.memory().session("changes", format=format)
    rows: list[dict[str, Any]] = []
    for stretch in range(3):
        rows += sample(format, turns=14, start=100 * stretch)[bool(stretch) :]
        done = compact(rows, window=32_000, trigger=12_000, session=session)
        assert done.plan is not None
        found = difference(session, COUNTER)
        assert [change.position for change in found.changes] == list(range(len(session)))
        assert [change.id for run in found.stretches() for change in run] == [change.id for change in found.changes]
        folded = {change.position for change in found.changes if change.after == "folded"}
        assert folded == set(range(1, done.plan.first + done.plan.fold))
        kept = sum(change.tokens_after for change in found.changes)
        assert abs(kept + found.carry_tokens - found.compaction.tokens) < 40
        shortened = [change for change in found.changes if change.after in ("stubbed", "cut", "marked")]
        assert all(change.tokens_after < change.tokens for change in shortened)
        assert {id for change in shortened for id, *_ in change.parts} <= set(done.receipt.removed)
    assert difference(session, COUNTER, cycle=1).compaction.cycle == 1


@requirement("C-36")
def test_a_cut_part_and_a_stubbed_one_are_told_apart() -> None:
    session = Archive.memory().session("changes", format="openai-chat")
    rows = sample(turns=14)
    rows[-1] = {"role": "assistant", "content": "A long report. " + "It goes on. " * 6_000}
    compact(rows, window=32_000, session=session)
    states = {change.after for change in difference(session, COUNTER).changes}
    assert "cut" in states
    compact(sample(turns=14), window=32_000, session=(other := Archive.memory().session("b", format="openai-chat")))
    assert "stubbed" in {change.after for change in difference(other, COUNTER).changes}


def test_a_session_that_was_not_compacted_has_none() -> None:
    session = Archive.memory().session("fresh", format="openai-chat")
    with pytest.raises(ConfigError, match="not compacted yet"):
        difference(session, COUNTER)
