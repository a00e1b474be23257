"""A model that summarises for the proxy's sessions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from proxy.harness import CHAT, between, run
from proxy.transcripts import MAKERS, body
from requirement import requirement
from vademecum.archive import Archive
from vademecum.core.summary_check import SECTIONS
from vademecum.errors import RateLimited
from vademecum.testing import ScriptedModel

NOTES = "\n".join(f"## {section}\nStep {at} of it was done as the user said." for at, section in enumerate(SECTIONS))


@requirement("C-42", "C-34")
@pytest.mark.parametrize("line", [NOTES, RateLimited("429")], ids=["it writes", "it is busy"])
def test_a_model_summarises_or_nothing_is_lost(db: Path, line: Any) -> None:
    model = ScriptedModel([line], name="m-1")

    async def work() -> Any:
        async with between(db, window=16_000, trigger=3_000, summarizer=model) as proxy:
            return await proxy.send(CHAT, body(CHAT, MAKERS[CHAT](30)))

    reply = run(work())
    assert (reply.status, reply.cycle) == (200, 1)
    assert model.prompts
    with Archive.open(db) as archive:
        (session,) = archive.sessions()
        (standing,) = archive.session(session.id).past()
    receipt = json.loads(standing.receipt)
    assert (receipt["summary_model"] == "m-1") is (line is NOTES), receipt["tiers"]
