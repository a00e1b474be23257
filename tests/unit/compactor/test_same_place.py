"""Messages that the caller put in at one place: what a compaction drops of them does not come back."""

import copy
from typing import Any

import pytest

from requirement import requirement
from vademecum import Archive, Compactor
from vademecum.core.tokens import TokenCounter
from vademecum.models.tokenizer import count_tokens
from vademecum.testing import sample
from vademecum.wire import dialect


@requirement("C-29", "C-36")
@pytest.mark.parametrize("format", ["openai-chat", "anthropic"])
@pytest.mark.parametrize("back", range(2, 12, 3))
def test_a_repeated_message_that_was_dropped_stays_away(format: str, back: int) -> None:
    rows: list[dict[str, Any]] = sample(format, turns=14)
    compactor = Compactor(window=16_000, session=Archive.memory().session("twice", format=format))
    compactor.fit(rows)
    results = [at for at, row in enumerate(rows) if dialect(format).load(row, 0).results()]
    at = results[-back]
    rows = [*rows[:at], copy.deepcopy(rows[at]), *rows[at:], *sample(format, turns=1, start=40)]
    done = compactor.fit(rows, forced=True)
    assert done.receipt.outcome in ("compacted", "crowded")
    assert sum(done.receipt.categories_after.values()) == done.receipt.tokens_after
    assert sum(TokenCounter(count_tokens).messages(done.context)) == done.receipt.tokens_after
    kinds = {problem.kind for problem in dialect(format).problems(done.context)}
    assert not kinds & {"orphan_result", "open_call"}
