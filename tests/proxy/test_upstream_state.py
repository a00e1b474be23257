"""State held upstream passes through: it is archived where the whole transcript is there, and never compacted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from proxy.harness import GEMINI, MESSAGES, RESPONSES, between, encoded, run
from proxy.transcripts import MAKERS, body, responses
from requirement import requirement
from vademecum import Archive

SMALL: dict[str, Any] = {"window": 16_000, "trigger": 3_000}


@requirement("P-2")
@pytest.mark.parametrize(
    ("path", "fields"),
    [
        (RESPONSES, {"previous_response_id": "resp_1"}),
        (RESPONSES, {"conversation": "conv_1"}),
        (RESPONSES, {"conversation": {"id": "conv_1"}}),
        (GEMINI, {"cachedContent": "cachedContents/c1"}),
    ],
)
def test_what_only_continues_is_forwarded_unread(db: Path, path: str, fields: dict[str, Any]) -> None:
    sent = encoded(body(path, MAKERS[path](40), **fields))

    async def work() -> None:
        async with between(db, **SMALL) as proxy:
            reply = await proxy.send(path, sent, headers={"session_id": "s1"})
            assert (reply.session, proxy.last.body) == ("", sent)
            # Nulls say nothing.
            empty = dict.fromkeys(fields)
            reply = await proxy.send(path, body(path, MAKERS[path](40), **empty), headers={"session_id": "s1"})
            assert reply.cycle == 1

    run(work())


@requirement("P-2")
@pytest.mark.parametrize("how", ["item", "older item", "managed"])
def test_a_context_that_the_provider_shortens_is_archived_and_not_compacted(db: Path, how: str) -> None:
    items, fields = responses(40), {}
    if how == "managed":
        fields["context_management"] = [{"type": "compaction", "compact_threshold": 100_000}]
    else:
        kind = {"item": "compaction", "older item": "compaction_summary"}[how]
        items.insert(1, {"type": kind, "id": "cmp_1", "encrypted_content": "gAAAA" * 200})
    sent = encoded(body(RESPONSES, items, **fields))

    async def work() -> None:
        async with between(db, **SMALL) as proxy:
            for data in (sent, sent):
                reply = await proxy.send(RESPONSES, data, headers={"session_id": "s1"})
                assert (reply.session, reply.headers["x-vademecum-outcome"]) == ("s1", "kept_upstream")
                assert proxy.last.body == sent

    run(work())
    with Archive.open(db) as archive:
        assert archive.search("module a.py")


@requirement("P-2")
def test_the_trigger_of_a_provider_s_compaction_stays_the_last_item(db: Path) -> None:
    items = [*responses(40), {"type": "compaction_trigger"}]

    async def work() -> None:
        async with between(db, **SMALL) as proxy:
            reply = await proxy.send(RESPONSES, body(RESPONSES, items))
            assert reply.cycle == 1
            assert proxy.last.messages[-1] == {"type": "compaction_trigger"}

    run(work())


@requirement("P-2")
def test_edits_that_anthropic_makes_by_itself_do_not_stop_a_compaction(db: Path) -> None:
    edits = {"edits": [{"type": "clear_tool_uses_20250919"}]}

    async def work() -> None:
        async with between(db, **SMALL) as proxy:
            reply = await proxy.send(MESSAGES, body(MESSAGES, MAKERS[MESSAGES](40), context_management=edits))
            assert reply.cycle == 1
            assert b'"context_management":{"edits"' in proxy.last.body

    run(work())
